import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { UnreadBody } from '../../subgraphs/graph/documented-mutation.ts';
import { authenticateBy, keyOf } from '../../subgraphs/kernel/http/authentication.ts';
import { contextOf } from '../../subgraphs/kernel/http/request-context.ts';
import type { ApiKeys } from '../../subgraphs/partners/keys/service.ts';
import type { DataOf } from '../shared/call.ts';
import { sendBytes } from '../shared/conditional.ts';
import { presentSuccess, type RunDocument, runCall } from '../shared/documents.ts';
import { type Outcome, outcomeOf, presentThrown, respond } from '../shared/outcome.ts';
import { type RestResponse, sendJson } from '../shared/reply.ts';
import { type RestRoute, takeBodiesAsBytes, unreadBodyOf } from '../shared/request.ts';
import type { PartnerCall } from './call.ts';
import { CALLS } from './calls.ts';
import * as errors from './errors.ts';

/** The dependencies of the routes. */
export interface PartnerRoutesDeps {
  run: RunDocument;
  apiKeys: Pick<ApiKeys, 'authenticate'>;
}

const MIB = 1024 * 1024;
/** Base64 makes an image of 1 MiB a third larger. */
const LONGEST_WITH_IMAGE_BYTES = 1.5 * MIB;

/** `/partner/…` (document 3). */
export async function partnerRoutes(
  app: FastifyInstance,
  { run, apiKeys }: PartnerRoutesDeps,
): Promise<void> {
  takeBodiesAsBytes(app);
  app.setErrorHandler<FastifyError>((error, request, reply) => answerThrown(error, request, reply));
  app.addHook('onRequest', authenticateBy(apiKeys, rejectKey));
  for (const call of CALLS) {
    addRoute(app, call, run);
  }
  app.get<{ Params: { linkId: string } }>('/partner/links/:linkId/id-image', async (request, reply) => {
    const { linkId } = request.params;
    const result = await run('partnerLinkImage', { linkId }, contextOf(request, reply));
    return sendImage(reply, outcomeOf(result));
  });
}

/**
 * Here a missing key and an unknown one have two codes (document 3, "Authentication", 4); on other surfaces they have one.
 */
function rejectKey(reply: FastifyReply): FastifyReply {
  const isMissing = keyOf(reply.request.headers) === undefined;
  return sendJson(reply, errors.presentError(isMissing ? 'MISSING_API_KEY' : 'INVALID_API_KEY'));
}

function addRoute(app: FastifyInstance, call: PartnerCall, run: RunDocument): void {
  const present = presentData(call);
  app.route<RestRoute>({
    method: call.method,
    url: call.path,
    errorHandler: (error, request, reply) => answerThrown(error, request, reply, call),
    ...(call.takesImage === true && { bodyLimit: LONGEST_WITH_IMAGE_BYTES }),
    handler: async (request, reply) =>
      sendJson(
        reply,
        isTooLarge(request.body)
          ? presentUnread(request, 'PAYLOAD_TOO_LARGE', call)
          : respond(await runCall(call, run, request, reply), errors, present),
      ),
  });
}

function presentData(call: PartnerCall): (data: unknown) => RestResponse {
  const present = presentSuccess(call);
  return call.isBare === true ? present : (data) => present({ success: true, data });
}

/** Answers failures outside of a handler: a body that is too large or cannot be read, or an internal error. */
function answerThrown(
  error: FastifyError,
  request: FastifyRequest,
  reply: FastifyReply,
  call?: PartnerCall,
): FastifyReply {
  const unread = unreadBodyOf(error);
  if (unread !== undefined) {
    return sendJson(reply, presentUnread(request, unread, call));
  }
  if (error.statusCode !== undefined && error.statusCode < 500) {
    return sendJson(reply, errors.presentError('INVALID_REQUEST'));
  }
  return sendJson(reply, presentThrown(error, request.log, errors));
}

/** Answers a body that was not read. The scopes are checked before the body. */
function presentUnread(
  { principal }: Pick<FastifyRequest, 'principal'>,
  unread: UnreadBody,
  call?: PartnerCall,
): RestResponse {
  const needed = call?.needsPartnerAdmin ? (['partner', 'partner_admin'] as const) : (['partner'] as const);
  return needed.every((scope) => principal?.scopes.includes(scope))
    ? errors.presentUnread(unread)
    : errors.presentError('FORBIDDEN');
}

/** Only a body with an image may be larger than 1 MiB (decisions, section 0). */
function isTooLarge(body: unknown): boolean {
  return Buffer.isBuffer(body) && body.length > MIB && !body.includes('"idImage"');
}

/** Sends the image of `idImageUrl` as bytes. */
function sendImage(reply: FastifyReply, outcome: Outcome<DataOf<'partnerLinkImage'>>): FastifyReply {
  if (outcome.kind !== 'success') {
    return sendJson(reply, respond(outcome, errors, errors.presentInternalError));
  }
  const { linkImage: image } = outcome.data;
  if (!image) {
    return sendJson(reply, errors.presentError('LINK_NOT_FOUND'));
  }
  const bytes = Buffer.from(image.base64, 'base64');
  return sendBytes(reply.header('x-content-type-options', 'nosniff'), image.contentType, bytes);
}
