import type { FastifyReply, FastifyRequest } from 'fastify';
import { CATALOGUE } from '../subgraphs/platform/errors/catalogue.ts';
import { sendJson } from './reply.ts';

const { message } = CATALOGUE.NOT_FOUND;

/** An unknown path or a wrong method, in the shape of the surface that the path belongs to (decisions, section 0). */
export function answerNotFound(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  return sendJson(reply, { status: 404, body: bodyFor(request.url) });
}

function bodyFor(url: string): unknown {
  if (isUnder(url, '/v1/user')) {
    return { reason: message };
  }
  if (isUnder(url, '/partner')) {
    return { success: false, error: { code: 'NOT_FOUND', message, details: null } };
  }
  return { error: 'not_found', message };
}

function isUnder(url: string, prefix: string): boolean {
  return url === prefix || url.startsWith(`${prefix}/`) || url.startsWith(`${prefix}?`);
}
