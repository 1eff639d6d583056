import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import type { Surface } from '../subgraphs/kernel/errors/catalogue.ts';
import { readPath, surfaceOf } from '../subgraphs/kernel/errors/surface.ts';
import * as partner from './partner/errors.ts';
import { shapeOf } from './remittance/calls.ts';
import * as remittance from './remittance/errors.ts';
import * as requestMoney from './request-money/errors.ts';
import { presentThrown, type SurfaceErrors } from './shared/outcome.ts';
import { type RestResponse, sendJson } from './shared/reply.ts';

/** No document describes HTTP errors below `/graphql`. They have the shape of document 2. */
const ERRORS: Readonly<Record<Surface, Pick<SurfaceErrors, 'presentError' | 'presentInternalError'>>> = {
  remittance,
  requestMoney,
  partner,
  graphql: requestMoney,
};

function errorsFor(request: FastifyRequest) {
  return ERRORS[surfaceOf(readPath(request.url))];
}

/** An unknown path or a wrong method: 404 in the shape of the surface of the path (decisions, section 0). */
export function answerNotFound(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  return sendJson(reply, errorsFor(request).presentError('NOT_FOUND'));
}

/** A malformed request that reaches no call: 400 in the shape of the surface of its path. */
export function answerBadRequest(
  request: FastifyRequest,
  reply: FastifyReply,
  message: string,
): FastifyReply {
  return sendJson(reply, presentBadRequest(request.url, message));
}

/** The answer to a malformed request: 400 in the shape of the surface of a URL. */
export function presentBadRequest(url: string, message: string): RestResponse {
  const path = readPath(url);
  switch (surfaceOf(path)) {
    case 'remittance':
      // The routes with codes have no parameters: their path is the route.
      return remittance.presentError('ERROR_REQUEST_MONEY_FULL', shapeOf(path), message);
    case 'partner':
      return partner.presentFailures([{ code: 'INVALID_REQUEST', message, path: [] }]);
    default:
      return requestMoney.presentFailures([{ code: 'BAD_REQUEST', message }]);
  }
}

/** Answers a call over the limit: 429 in the shape of its surface, with the whole seconds until the next attempt. */
export function answerRateLimited(
  reply: FastifyReply,
  surface: Exclude<Surface, 'graphql'>,
  retryAfterSeconds: number,
): FastifyReply {
  const { headers, ...error } = ERRORS[surface].presentError('RATE_LIMITED');
  return sendJson(reply, { ...error, headers: { ...headers, 'retry-after': String(retryAfterSeconds) } });
}

/** Answers failures outside of the surfaces' own scopes, in our words instead of the framework's. */
export function answerUnexpected(
  error: FastifyError,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  return sendJson(reply, presentThrown(error, request.log, errorsFor(request)));
}
