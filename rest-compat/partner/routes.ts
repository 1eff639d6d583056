import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { ApiKeys } from '../../subgraphs/platform/keys/service.ts';
import { authenticateBy, keyOf } from '../../subgraphs/platform/serve/authentication.ts';
import { contextOf } from '../../subgraphs/platform/serve/request-context.ts';
import { isAway } from '../shared/away.ts';
import { takeBodiesAsText } from '../shared/body-text.ts';
import type { RunDocument } from '../shared/documents.ts';
import { answerNotFound } from '../shared/not-found.ts';
import { type Outcome, outcomeOf } from '../shared/outcome.ts';
import { type RestResponse, sendExactJson } from '../shared/reply.ts';
import { CALLS, type Call } from './calls.ts';
import { presentError, presentFailures, presentInternalError, presentTooLarge } from './errors.ts';

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
  takeBodiesAsText(app);
  app.setErrorHandler(answerFault);
  app.addHook('onRequest', authenticateBy(apiKeys, refuseKey));
  for (const call of CALLS) {
    addRoute(app, call, run);
  }
  app.get<{ Params: { linkId: string } }>('/partner/links/:linkId/id-image', async (request, reply) => {
    const { linkId } = request.params;
    const result = await run('partnerLinkImage', { linkId }, contextOf(request, reply));
    return sendImage(reply, outcomeOf<ImageData>(result));
  });
}

/** Document 3, "Authentication", 4: two codes, where the other surfaces have one. */
function refuseKey(reply: FastifyReply): FastifyReply {
  const requiredOr = keyOf(reply.request.headers) === undefined;
  return sendExactJson(reply, presentError(requiredOr ? 'MISSING_API_KEY' : 'INVALID_API_KEY'));
}

function addRoute(app: FastifyInstance, call: Call, run: RunDocument): void {
  const ask = async (request: FastifyRequest, reply: FastifyReply) =>
    call.present(await run(call.document, call.variables(request), contextOf(request, reply)));
  app.route({
    method: call.method,
    url: call.url,
    ...(call.takesImage === true && { bodyLimit: LONGEST_WITH_IMAGE_BYTES }),
    handler: async (request, reply) => {
      if (Object.values(request.params as object).includes('')) {
        return answerNotFound(request, reply);
      }
      return sendExactJson(
        reply,
        isTooLarge(request) ? presentSize(request) : respond(await ask(request, reply), call),
      );
    },
  });
}

/** Faults outside a handler: a body that is too large, or a bug of ours. */
function answerFault(error: FastifyError, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  if (error.statusCode === 413) {
    return sendExactJson(reply, presentSize(request));
  }
  if (error.statusCode !== undefined && error.statusCode < 500) {
    return sendExactJson(reply, presentError('INVALID_REQUEST'));
  }
  return sendExactJson(
    reply,
    isAway(error, request.log) ? presentError('SERVICE_UNAVAILABLE') : presentInternalError(),
  );
}

/** Scopes come before bodies. */
function presentSize({ principal }: FastifyRequest): RestResponse {
  return principal?.scopes.includes('partner') ? presentTooLarge() : presentError('FORBIDDEN');
}

/** Beyond 1 MiB a body is taken for the sake of its image alone (decisions, section 0). */
function isTooLarge({ body }: FastifyRequest): boolean {
  return Buffer.isBuffer(body) && body.length > MIB && !body.includes('"idImage"');
}

function respond(outcome: Outcome<unknown>, { status = 200, isBare = false }: Call): RestResponse {
  switch (outcome.kind) {
    case 'data':
      return { status, body: isBare ? outcome.data : { success: true, data: outcome.data } };
    case 'refused':
      return presentFailures(outcome.failures, outcome.retryAfter);
    case 'fault':
      return presentInternalError();
  }
}

interface ImageData {
  readonly linkImage: { contentType: string; base64: string } | null;
}

/** The image that `idImageUrl` names: its bytes, for nobody to keep. */
function sendImage(reply: FastifyReply, outcome: Outcome<ImageData>): FastifyReply {
  if (outcome.kind !== 'data') {
    const refused = outcome.kind === 'refused' ? presentFailures(outcome.failures) : presentInternalError();
    return sendExactJson(reply, refused);
  }
  const { linkImage: image } = outcome.data;
  if (!image) {
    return sendExactJson(reply, presentError('LINK_NOT_FOUND'));
  }
  const headers = {
    'content-type': image.contentType,
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
  };
  return reply.headers(headers).send(Buffer.from(image.base64, 'base64'));
}
