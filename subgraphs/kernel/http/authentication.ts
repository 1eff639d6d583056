import type { FastifyReply, FastifyRequest, HookHandlerDoneFunction } from 'fastify';
import type { Principal } from '../principal.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The caller, after the route's authentication. */
    principal: Principal | null;
  }
}

/** Finds the holder of a key; null for a missing, unknown or revoked key. */
interface KeyHolders {
  authenticate(key: string | undefined): Principal | null | Promise<Principal | null>;
}

/** Stands for two different keys: nobody has this key. */
const NO_KEY = '';

/**
 * The key of a call: `api_key` or `X-API-Key`, on every surface (decisions, sections 0 and 7). If both are given they must be
 * equal. Otherwise one part of a client, or a proxy, would call in another partner's name without knowing.
 */
export function keyOf(headers: Readonly<Record<string, unknown>>): string | undefined {
  const { 'x-api-key': first, api_key: second } = headers;
  const key = first ?? second;
  if (typeof key !== 'string') {
    return undefined;
  }
  return (second ?? key) === key ? key : NO_KEY;
}

/** Makes a hook that finds the caller by the key. `fail` answers when the key is unknown. */
export function authenticateBy(
  apiKeys: KeyHolders,
  fail: (reply: FastifyReply) => FastifyReply,
): AuthenticationHook {
  return authenticateWith(({ headers }) => apiKeys.authenticate(keyOf(headers)), fail);
}

type AuthenticationHook = (
  request: FastifyRequest,
  reply: FastifyReply,
  done: HookHandlerDoneFunction,
) => void;

/** Makes the same hook for other credentials than keys alone. `find` returns the caller. */
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
