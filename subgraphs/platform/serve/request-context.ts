import type { FastifyReply, FastifyRequest } from 'fastify';
import type { RequestContext } from '../principal.ts';
import './authentication.ts';
import { createCallerSignal } from './caller-gone.ts';

/**
 * The context of a request, which runs one operation. Its signal is aborted when the client goes away before the answer, or
 * by `abort`. A copy of it made by spread has the same signal.
 */
export function contextOf({ principal, id }: FastifyRequest, { raw }: FastifyReply): RequestContext {
  const caller = createCallerSignal(raw);
  return {
    principal,
    requestId: id,
    get signal() {
      return caller.signal;
    },
    abort: caller.abort,
  };
}
