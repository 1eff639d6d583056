import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { CATALOGUE } from '../../../subgraphs/kernel/errors/catalogue.ts';
import type { Logger } from '../../../subgraphs/kernel/log/log.ts';
import type { ReadToken } from './principal-token.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The token of the request. Its body is not compared yet. */
    principalToken: ReadToken | null;
  }
}

const NOTHING = Buffer.alloc(0);

/**
 * Makes every request of the application use its `principalToken` with the exact bytes of its body, before they are read as
 * JSON. Other content types than JSON get 415.
 */
export function addSignedBodies(app: FastifyInstance, log: Pick<Logger, 'warn'>): void {
  app.decorateRequest('principalToken', null);
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, body, done) =>
    done(null, body),
  );
  app.addHook('preValidation', async (request, reply) => {
    if (request.principalToken) {
      return redeem(request, request.principalToken, reply, log);
    }
  });
}

function redeem(
  request: FastifyRequest,
  token: ReadToken,
  reply: FastifyReply,
  log: Pick<Logger, 'warn'>,
): FastifyReply | undefined {
  const body = Buffer.isBuffer(request.body) ? request.body : NOTHING;
  const reason = token.redeem(body);
  if (reason !== undefined) {
    log.warn({ reason, requestId: token.caller.requestId }, 'subgraph.token_refused');
    return reply.code(401).send(unauthenticated());
  }
  try {
    request.body = JSON.parse(body.toString('utf8'));
  } catch {
    return reply.code(400).send(errorOf('BAD_REQUEST', 'The body is no JSON.'));
  }
  return undefined;
}

/** The answer to a request without a valid token. */
export function unauthenticated() {
  return errorOf('UNAUTHENTICATED', CATALOGUE.UNAUTHENTICATED.message);
}

function errorOf(code: string, message: string) {
  return { errors: [{ message, extensions: { code } }] };
}
