import type { FastifyInstance } from 'fastify';
import { internalOpenApi } from './internal/openapi.ts';
import { partnerOpenApi } from './partner/openapi.ts';
import { remittanceOpenApi } from './remittance/openapi.ts';
import { requestMoneyOpenApi } from './request-money/openapi.ts';
import type { OpenApiDocument } from './shared/openapi/document.ts';

/** The OpenAPI descriptions by the path that serves them. That of document 2 also has the internal calls. */
export function openApiDocuments() {
  return {
    '/v1/user/openapi.json': remittanceOpenApi(),
    '/v1/openapi.json': requestMoneyOpenApi(internalOpenApi()),
    '/partner/openapi.json': partnerOpenApi(),
  } satisfies Readonly<Record<string, OpenApiDocument>>;
}

/** Serves the descriptions to anybody: they say no more than the documents do. */
export async function openApiRoutes(app: FastifyInstance): Promise<void> {
  for (const [path, document] of Object.entries(openApiDocuments())) {
    // Written once: no key and no limit holds the calls back, and the largest has some 95 KB.
    const body = Buffer.from(JSON.stringify(document));
    app.get(path, async (_request, reply) => reply.header('content-type', 'application/json').send(body));
  }
}
