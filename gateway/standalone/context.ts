import { randomUUID } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { createCallerController } from '../../subgraphs/kernel/http/caller-gone.ts';
import type { RequestContext } from '../../subgraphs/kernel/principal.ts';
import type { SocketOperation } from '../http/sockets/socket-operation.ts';

/** The context of a request to a gateway without accounts. */
export interface StandaloneContext extends RequestContext {
  /** Headers of the client that the subgraphs are to see. */
  readonly forwarded: Readonly<Record<string, string>>;
}

/** The headers among `names` that the client sent; names in lower case. */
function forwardedHeaders(
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

/** The context of an HTTP request; its signal aborts when the client goes away before the answer is complete. */
export function contextOf(
  request: FastifyRequest,
  reply: FastifyReply,
  forward: readonly string[],
): StandaloneContext {
  const controller = createCallerController(reply.raw);
  return {
    principal: null,
    requestId: request.id,
    signal: controller.signal,
    controller,
    forwarded: forwardedHeaders(request.headers, forward),
  };
}

/** The context of an operation over a WebSocket; its signal aborts when the client completes it or is gone. */
export function socketContext(
  { controller }: Pick<SocketOperation, 'controller'>,
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
    signal: controller.signal,
    controller,
    forwarded: { ...forwardedHeaders(headers, forward), ...forwardedHeaders(named, forward) },
  };
}
