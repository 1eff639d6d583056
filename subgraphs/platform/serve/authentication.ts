import type { FastifyReply, FastifyRequest, HookHandlerDoneFunction } from 'fastify';
import type { ApiKeys } from '../keys/service.ts';
import type { Principal } from '../principal.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Who calls, once a route's authentication has found out. */
    principal: Principal | null;
  }
}

/** Given instead of two keys that differ: nobody's. */
const NO_KEY = '';

/**
 * The key of a call: `api_key` or `X-API-Key`, on every surface (decisions, sections 0 and 7). Where both are given they
 * must be equal: else one part of a client, or a proxy, would call in another partner's name without knowing.
 */
export function keyOf(headers: Readonly<Record<string, unknown>>): string | undefined {
  const { 'x-api-key': first, api_key: second } = headers;
  const key = first ?? second;
  if (typeof key !== 'string') {
    return undefined;
  }
  return (second ?? key) === key ? key : NO_KEY;
}

/** A hook that finds out who calls, and lets `fail` answer when nobody knows. */
export function authenticateBy(
  apiKeys: Pick<ApiKeys, 'authenticate'>,
  fail: (reply: FastifyReply) => FastifyReply,
): (request: FastifyRequest, reply: FastifyReply, done: HookHandlerDoneFunction) => void {
  return (request, reply, done) => {
    const goOn = (principal: Principal | null) => {
      request.principal = principal;
      if (principal) {
        done();
      } else {
        fail(reply);
      }
    };
    const found = apiKeys.authenticate(keyOf(request.headers));
    if (found instanceof Promise) {
      found.then(goOn, done);
    } else {
      goOn(found);
    }
  };
}
