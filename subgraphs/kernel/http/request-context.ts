import type { FastifyReply, FastifyRequest } from 'fastify';
import type { OperationNote, RequestContext } from '../principal.ts';
import './authentication.ts';
import { createCallerController } from './caller-gone.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Data about the request's operation from the graph; null before it runs. */
    operationNote: OperationNote | null;
  }
}

/** A request with this header, whatever its value, asks for the plan of its operation. */
const PLAN_HEADER = 'x-query-plan';

/** The context of a request of the product, whose operation is noted for the log of requests. */
export function contextOf(request: FastifyRequest, { raw: response }: FastifyReply): RequestContext {
  const { principal, id: requestId } = request;
  const note: OperationNote = { isMutation: false, subjects: [] };
  request.operationNote = note;
  const wantsPlan = request.headers[PLAN_HEADER] !== undefined;
  const controller = createCallerController(response);
  return { principal, requestId, signal: controller.signal, controller, note, wantsPlan };
}
