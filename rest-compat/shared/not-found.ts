import type { FastifyReply, FastifyRequest } from 'fastify';
import { CATALOGUE, type Surface } from '../../subgraphs/platform/errors/catalogue.ts';
import { readPath, surfaceOf } from '../../subgraphs/platform/serve/surface.ts';
import { sendJson } from './reply.ts';

const { message } = CATALOGUE.NOT_FOUND;

const DEFAULT_BODY = { error: 'not_found', message };

/** The error of each document; below `/graphql` there is nothing, and no document. */
const BODIES: Readonly<Record<Surface, unknown>> = {
  remittance: { reason: message },
  requestMoney: DEFAULT_BODY,
  partner: { success: false, error: { code: 'NOT_FOUND', message, details: null } },
  graphql: DEFAULT_BODY,
};

/** An unknown path or a wrong method, in the shape of the surface that the path belongs to (decisions, section 0). */
export function answerNotFound(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  return sendJson(reply, { status: 404, body: BODIES[surfaceOf(readPath(request.url))] });
}
