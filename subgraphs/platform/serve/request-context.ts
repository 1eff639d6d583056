import type { ServerResponse } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { OperationNote, Principal, RequestContext } from '../principal.ts';
import './authentication.ts';
import { Caller } from './caller-gone.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** What the graph has told of the request's operation; null before it runs. */
    operationNote: OperationNote | null;
  }
}

/** What an {@link HttpContext} is made of. */
export interface HttpContextParts {
  readonly principal: Principal | null;
  readonly requestId: string;
  readonly response: ServerResponse;
  readonly note?: OperationNote;
}

/**
 * The context of an HTTP request, which runs one operation. Its signal is aborted when the client goes away before the answer,
 * or by `abort`. A copy of it made by spread has no signal; `copyContext` of the engine makes one that has.
 */
export class HttpContext implements RequestContext {
  readonly principal: Principal | null;
  readonly requestId: string;
  readonly note?: OperationNote;
  private readonly caller: Caller;

  constructor({ principal, requestId, response, note }: HttpContextParts) {
    this.principal = principal;
    this.requestId = requestId;
    this.caller = new Caller(response);
    if (note) {
      this.note = note;
    }
  }

  get signal(): AbortSignal {
    return this.caller.signal;
  }

  abort(reason: unknown): void {
    this.caller.abort(reason);
  }

  throwIfAborted(): void {
    this.caller.throwIfAborted();
  }

  onAbort(listener: (reason: unknown) => void): () => void {
    return this.caller.onAbort(listener);
  }
}

/** The context of a request of the product, whose operation is noted for the log of requests. */
export function contextOf(request: FastifyRequest, { raw: response }: FastifyReply): RequestContext {
  const { principal, id: requestId } = request;
  const note: OperationNote = { isMutation: false, subjects: [] };
  request.operationNote = note;
  return new HttpContext({ principal, requestId, response, note });
}
