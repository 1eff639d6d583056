import { createHash, timingSafeEqual } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { INTERNAL_ACCOUNT, type Principal } from '../../subgraphs/kernel/principal.ts';
import { handlerOf, type RunDocument } from '../shared/documents.ts';
import { sendJson } from '../shared/reply.ts';
import { type RestRoute, takeBodiesAsBytes } from '../shared/request.ts';
import { CALLS } from './calls.ts';
import * as errors from './errors.ts';

/** The dependencies of the routes. */
export interface InternalRoutesDeps {
  run: RunDocument;
  /** The value that `X-Internal-Key` must have. */
  internalKey: string;
}

/**
 * The principal of the platform's own back end. It acts for the account that a call names, and has no access to
 * tenants' data by default.
 */
const INTERNAL: Principal = { accountId: INTERNAL_ACCOUNT, keyId: 'internal', scopes: ['internal'] };

/** `/v1/internal/…` (decisions, section 3), errors in document 2's shapes. */
export async function internalRoutes(
  app: FastifyInstance,
  { run, internalKey }: InternalRoutesDeps,
): Promise<void> {
  takeBodiesAsBytes(app);
  app.setErrorHandler(errors.answerThrown);
  app.addHook('onRequest', requireKey(internalKey));
  for (const call of CALLS) {
    app.route<RestRoute>({
      method: call.method,
      url: call.path,
      handler: handlerOf(call, { run, errors, send: sendJson }),
    });
  }
}

function requireKey(expected: string) {
  const expectedDigest = digest(expected);
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply | undefined> => {
    const given = request.headers['x-internal-key'];
    const valid = typeof given === 'string' && timingSafeEqual(digest(given), expectedDigest);
    request.principal = valid ? INTERNAL : null;
    return valid ? undefined : sendJson(reply, errors.presentError('UNAUTHENTICATED'));
  };
}

/** Digests have equal lengths, which a comparison in constant time needs. */
function digest(value: string): Buffer {
  return createHash('sha256').update(value).digest();
}
