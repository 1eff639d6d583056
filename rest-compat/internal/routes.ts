import { createHash, timingSafeEqual } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { contextOf } from '../../gateway/plugins/graphql.ts';
import type { Principal } from '../../subgraphs/platform/principal.ts';
import { bodyText, takeBodiesAsText } from '../body-text.ts';
import type { RunDocument } from '../documents.ts';
import { payloadOutcome } from '../outcome.ts';
import { sendJson } from '../reply.ts';
import { answerFault, presentError } from '../request-money/errors.ts';
import { presentUpdated, type UpdatePayload } from '../request-money/presenters.ts';
import { type MovedPayload, presentMoved } from './presenters.ts';

export interface InternalRoutesDeps {
  run: RunDocument;
  /** The value that `X-Internal-Key` must have. */
  internalKey: string;
}

/** The platform's own back end: it acts for any tenant, by name; a tenant's data it never sees by accident. */
const INTERNAL: Principal = { tenantId: '', keyId: 'internal', scopes: ['internal'], environment: 'live' };

/** `/v1/internal/…` (decisions, section 3), errors in document 2's shapes. */
export async function internalRoutes(
  app: FastifyInstance,
  { run, internalKey }: InternalRoutesDeps,
): Promise<void> {
  takeBodiesAsText(app);
  app.setErrorHandler(answerFault);
  app.addHook('onRequest', requireKey(internalKey));

  app.patch('/v1/internal/remittances/status', async (request, reply) => {
    const result = await run(
      'updateRequestMoneyStatus',
      { body: bodyText(request) },
      contextOf(request, reply),
    );
    return sendJson(
      reply,
      presentUpdated(payloadOutcome<UpdatePayload>(result, 'updateRequestMoneyStatusFromJson')),
    );
  });

  app.patch<{ Params: { operationId: string } }>(
    '/v1/internal/operations/:operationId/status',
    async (request, reply) => {
      const variables = { operationId: request.params.operationId, body: bodyText(request) };
      const result = await run('updateOperationStatus', variables, contextOf(request, reply));
      return sendJson(
        reply,
        presentMoved(payloadOutcome<MovedPayload>(result, 'updateOperationStatusFromJson')),
      );
    },
  );
}

function requireKey(expected: string) {
  const expectedDigest = digest(expected);
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply | undefined> => {
    const given = request.headers['x-internal-key'];
    const valid = typeof given === 'string' && timingSafeEqual(digest(given), expectedDigest);
    request.principal = valid ? INTERNAL : null;
    return valid ? undefined : sendJson(reply, presentError('UNAUTHENTICATED'));
  };
}

/** Equal lengths for a comparison in constant time. */
function digest(value: string): Buffer {
  return createHash('sha256').update(value).digest();
}
