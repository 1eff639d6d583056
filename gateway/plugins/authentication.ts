import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ApiKeys } from '../../subgraphs/platform/keys/service.ts';
import type { Principal } from '../../subgraphs/platform/principal.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Who asks, once a route's authentication has found out. */
    principal: Principal | null;
  }
}

/** The key of a call: `api_key` or `X-API-Key` (decisions, section 0). */
export function keyOf(headers: Readonly<Record<string, unknown>>): string | undefined {
  const key = headers['x-api-key'] ?? headers.api_key;
  return typeof key === 'string' ? key : undefined;
}

/** A hook that finds out who asks, and lets `refuse` answer when nobody knows. */
export function authenticateBy(
  apiKeys: Pick<ApiKeys, 'authenticate'>,
  refuse: (reply: FastifyReply) => FastifyReply,
): (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply | undefined> {
  return async (request, reply) => {
    request.principal = await apiKeys.authenticate(keyOf(request.headers));
    return request.principal ? undefined : refuse(reply);
  };
}
