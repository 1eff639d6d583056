import type { FastifyInstance } from 'fastify';
import { internalOpenApi } from './internal/openapi.ts';
import { partnerOpenApi } from './partner/openapi.ts';
import { quotesOpenApi } from './quotes/openapi.ts';
import { remittanceOpenApi } from './remittance/openapi.ts';
import { requestMoneyOpenApi } from './request-money/openapi.ts';
import { sandboxOpenApi } from './sandbox/openapi.ts';
import type { OpenApiDocument } from './shared/openapi/document.ts';
import { statementsOpenApi } from './statements/openapi.ts';

/**
/**
 * Makes the OpenAPI descriptions, by the path that serves them. The description of document 2 also has quotes, statements, the
 * simulations of the sandbox and the internal calls.
 */
const DESCRIPTIONS = {
  '/v1/user/openapi.json': remittanceOpenApi,
  '/v1/openapi.json': () =>
    requestMoneyOpenApi([quotesOpenApi(), statementsOpenApi(), sandboxOpenApi(), internalOpenApi()]),
  '/partner/openapi.json': partnerOpenApi,
} satisfies Readonly<Record<string, () => OpenApiDocument>>;

/** The OpenAPI descriptions by the path that serves them. */
export function openApiDocuments() {
  return {
    '/v1/user/openapi.json': DESCRIPTIONS['/v1/user/openapi.json'](),
    '/v1/openapi.json': DESCRIPTIONS['/v1/openapi.json'](),
    '/partner/openapi.json': DESCRIPTIONS['/partner/openapi.json'](),
  } satisfies Readonly<Record<keyof typeof DESCRIPTIONS, OpenApiDocument>>;
}

/** They are the same for everybody, so caches may keep them; for minutes, because an upgrade changes them. */
const HEADERS = { 'content-type': 'application/json', 'cache-control': 'public, max-age=300' };

/** Serves the descriptions to everybody: they reveal no more than the documents. */
export async function openApiRoutes(app: FastifyInstance): Promise<void> {
  for (const [path, describe] of Object.entries(DESCRIPTIONS)) {
    // The text is made once, at the first request: these calls need no key and have no limit, and the largest text has about
    // 95 KB.
    let body: Buffer | undefined;
    app.get(path, async (_request, reply) => {
      body ??= Buffer.from(JSON.stringify(describe()));
      return reply.headers(HEADERS).send(body);
    });
  }
}
