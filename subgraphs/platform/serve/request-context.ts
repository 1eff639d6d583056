import type { FastifyReply, FastifyRequest } from 'fastify';
import type { OperationNote, RequestContext } from '../principal.ts';
import './authentication.ts';
import { createCallerSignal } from './caller-gone.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** What the graph has told of the request's operation; null before it runs. */
    operationNote: OperationNote | null;
  }
}

/**
 * The context of a request, which runs one operation. Its signal is aborted when the client goes away before the answer, or
 * by `abort`. A copy of it made by spread has the same signal.
 */
export function contextOf(request: FastifyRequest, { raw }: FastifyReply): RequestContext {
  const { principal, id } = request;
  const caller = createCallerSignal(raw);
  const note: OperationNote = { isMutation: false, subjects: [] };
  request.operationNote = note;
  return {
    principal,
    requestId: id,
    note,
    get signal() {
      return caller.signal;
    },
    abort: caller.abort,
  };
}
