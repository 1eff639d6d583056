import type { FastifyReply, FastifyRequest } from 'fastify';
import type { RequestContext } from '../principal.ts';
import './authentication.ts';
import { whenCallerGone } from './caller-gone.ts';

/** The context of a request; its signal is aborted when the client goes away before the answer. */
export function contextOf(request: FastifyRequest, reply: FastifyReply): RequestContext {
  return { principal: request.principal, requestId: request.id, signal: whenCallerGone(reply.raw) };
}
