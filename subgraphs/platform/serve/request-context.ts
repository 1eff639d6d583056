import type { FastifyReply, FastifyRequest } from 'fastify';
import type { RequestContext } from '../principal.ts';
import './authentication.ts';
import { whenCallerGone } from './caller-gone.ts';

/**
 * The context of a request, which runs one operation; its signal is aborted when the client goes away before the answer, or
 * by `abort`.
 */
export function contextOf(request: FastifyRequest, reply: FastifyReply): RequestContext {
  const gone = new AbortController();
  return {
    principal: request.principal,
    requestId: request.id,
    signal: whenCallerGone(reply.raw, gone),
    abort: (reason) => gone.abort(reason),
  };
}
