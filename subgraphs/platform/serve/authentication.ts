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

/** A hook that finds out who calls by the key, and lets `fail` answer when nobody knows. */
export function authenticateBy(
  apiKeys: Pick<ApiKeys, 'authenticate'>,
  fail: (reply: FastifyReply) => FastifyReply,
): AuthenticationHook {
  return authenticateWith(({ headers }) => apiKeys.authenticate(keyOf(headers)), fail);
}

type AuthenticationHook = (
  request: FastifyRequest,
  reply: FastifyReply,
  done: HookHandlerDoneFunction,
) => void;

/** The same for other credentials than keys alone: `find` knows who makes the request. */
export function authenticateWith(
  find: (request: FastifyRequest) => Principal | null | Promise<Principal | null>,
  fail: (reply: FastifyReply) => FastifyReply,
): AuthenticationHook {
  return (request, reply, done) => {
    const goOn = (principal: Principal | null) => {
      request.principal = principal;
      if (principal) {
        done();
      } else {
        fail(reply);
      }
    };
    const found = find(request);
    if (found instanceof Promise) {
      found.then(goOn, done);
    } else {
      goOn(found);
    }
  };
}
