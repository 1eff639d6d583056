import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Ending } from '../ending.ts';
import type { OperationNote, Principal, RequestContext } from '../principal.ts';
import './authentication.ts';
import { Caller } from './caller-gone.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Data about the request's operation from the graph; null before it runs. */
    operationNote: OperationNote | null;
  }
}

/** The parts of an {@link OperationContext}. */
export interface OperationContextParts {
  readonly principal: Principal | null;
  readonly requestId: string;
  /** The signal that ends the operation early. */
  readonly ending: Pick<Ending, 'signal' | 'abort' | 'throwIfAborted' | 'onAbort'>;
  readonly note?: OperationNote;
  readonly wantsPlan?: boolean;
}

/**
 * The context of one operation, over HTTP or on a socket. Its signal is aborted when nobody waits for the operation any more, or
 * by `abort`. A copy of it made by spread has no signal; `copyContext` of the engine makes one that has.
 */
export class OperationContext implements RequestContext {
  readonly principal: Principal | null;
  readonly requestId: string;
  readonly note?: OperationNote;
  readonly wantsPlan: boolean;
  private readonly ending: OperationContextParts['ending'];

  constructor({ principal, requestId, ending, note, wantsPlan = false }: OperationContextParts) {
    this.principal = principal;
    this.requestId = requestId;
    this.ending = ending;
    this.wantsPlan = wantsPlan;
    if (note) {
      this.note = note;
    }
  }

  get signal(): AbortSignal {
    return this.ending.signal;
  }

  abort(reason: unknown): void {
    this.ending.abort(reason);
  }

  throwIfAborted(): void {
    this.ending.throwIfAborted();
  }

  onAbort(listener: (reason: unknown) => void): () => void {
    return this.ending.onAbort(listener);
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
  return new OperationContext({ principal, requestId, ending: new Caller(response), note, wantsPlan });
}
