import { randomUUID } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { RequestContext } from '../../../subgraphs/platform/principal.ts';
import { HttpContext, type HttpContextParts } from '../../../subgraphs/platform/serve/request-context.ts';

/** The context of a request to a gateway without accounts. */
export interface StandaloneContext extends RequestContext {
  /** Headers of the client that the subgraphs are to see. */
  readonly forwarded: Readonly<Record<string, string>>;
}

/** The headers among `names` that the client sent; names in lower case. */
export function forwardedHeaders(
  headers: IncomingHttpHeaders | Readonly<Record<string, unknown>>,
  names: readonly string[],
): Record<string, string> {
  const forwarded: Record<string, string> = {};
  for (const name of names) {
    const value = headers[name];
    if (typeof value === 'string') {
      forwarded[name] = value;
    }
  }
  return forwarded;
}

class StandaloneHttpContext extends HttpContext implements StandaloneContext {
  readonly forwarded: StandaloneContext['forwarded'];

  constructor(parts: HttpContextParts, forwarded: StandaloneContext['forwarded']) {
    super(parts);
    this.forwarded = forwarded;
  }
}

/** The context of an HTTP request; its signal aborts when the client goes away before the answer is complete. */
export function contextOf(
  request: FastifyRequest,
  reply: FastifyReply,
  forward: readonly string[],
): StandaloneContext {
  return new StandaloneHttpContext(
    { principal: null, requestId: request.id, response: reply.raw },
    forwardedHeaders(request.headers, forward),
  );
}

/** The context of an operation over a WebSocket; ending the operation is what stops its work. */
export function socketContext(
  headers: IncomingHttpHeaders,
  params: Readonly<Record<string, unknown>> | undefined,
  forward: readonly string[],
): StandaloneContext {
  const named = Object.fromEntries(
    Object.entries(params ?? {}).map(([name, value]) => [name.toLowerCase(), value]),
  );
  return {
    principal: null,
    requestId: randomUUID(),
    forwarded: { ...forwardedHeaders(headers, forward), ...forwardedHeaders(named, forward) },
  };
}
