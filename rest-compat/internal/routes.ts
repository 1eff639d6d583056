import { createHash, timingSafeEqual } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Principal } from '../../subgraphs/platform/principal.ts';
import { contextOf } from '../../subgraphs/platform/serve/request-context.ts';
import { answerFault, presentError } from '../request-money/errors.ts';
import { presentUpdated, type UpdatePayload } from '../request-money/presenters.ts';
import { bodyText, takeBodiesAsText } from '../shared/body-text.ts';
import type { RunDocument } from '../shared/documents.ts';
import { payloadOutcome } from '../shared/outcome.ts';
import { sendJson } from '../shared/reply.ts';
import {
  type IdentityPayload,
  type MovedPayload,
  type OpenedPayload,
  presentIdentity,
  presentMoved,
  presentOpened,
  presentRaised,
  type RaisedPayload,
} from './presenters.ts';

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
  addPartnerRoutes(app, run);
}

/** What document 3 leaves to the platform's back end (decisions, section 4, "Internal"). */
function addPartnerRoutes(app: FastifyInstance, run: RunDocument): void {
  app.post<{ Params: { linkId: string } }>('/v1/internal/links/:linkId/open', async (request, reply) => {
    const { linkId } = request.params;
    const result = await run('openLink', { linkId }, contextOf(request, reply));
    return sendJson(reply, presentOpened(payloadOutcome<OpenedPayload>(result, 'openLink')));
  });

  app.patch<{ Params: { userId: string } }>('/v1/internal/users/:userId/cip', async (request, reply) => {
    const variables = { userId: request.params.userId, body: bodyText(request) };
    const result = await run('updateUserCip', variables, contextOf(request, reply));
    return sendJson(reply, presentIdentity(payloadOutcome<IdentityPayload>(result, 'updateCipFromJson')));
  });

  app.post('/v1/internal/data-requests', async (request, reply) => {
    const result = await run('raiseDataRequest', { body: bodyText(request) }, contextOf(request, reply));
    return sendJson(reply, presentRaised(payloadOutcome<RaisedPayload>(result, 'raiseDataRequestFromJson')));
  });
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
