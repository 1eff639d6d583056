import { keyOf } from '../../subgraphs/kernel/http/authentication.ts';
import type { Principal } from '../../subgraphs/kernel/principal.ts';
import { BROWSER_TOKEN_PREFIX, type BrowserTokens } from '../../subgraphs/partners/keys/browser-tokens.ts';
import type { ConsoleSessions } from '../../subgraphs/partners/keys/console-sessions.ts';
import type { ApiKeys } from '../../subgraphs/partners/keys/service.ts';

/** The credential that a client of the graph sends. */
export interface Credential {
  readonly kind: 'key' | 'token' | 'session';
  readonly text: string;
}

/** Finds the caller of the graph. */
export interface Credentials {
  /** Null for a missing, unknown, expired or revoked credential. */
  authenticate(credential: Credential | undefined): Principal | null | Promise<Principal | null>;
}

/** Stands for differing tokens: no caller has this one. */
const NO_TOKEN = '';

const BEARER = /^Bearer +(\S+) *$/i;

/**
 * The key of a call, or else its browser token. A call with both is unauthenticated: otherwise a part of a client, or
 * a proxy, could unknowingly call as somebody else. Other contents of `Authorization` are ignored. The session of a
 * cookie counts only if both are absent, not if they are invalid: browsers add cookies automatically, even if a page
 * sends a key.
 * @param headers by lower-case names, of a request or of `connectionParams`
 * @param session of the request's cookie
 */
export function credentialOf(
  headers: Readonly<Record<string, unknown>>,
  session?: Credential,
): Credential | undefined {
  const key = keyOf(headers);
  const token = tokenOf(headers.authorization);
  if (token === undefined) {
    return key === undefined ? session : { kind: 'key', text: key };
  }
  return key === undefined ? { kind: 'token', text: token } : undefined;
}

function tokenOf(authorization: unknown): string | undefined {
  if (typeof authorization !== 'string' || !authorization.includes(BROWSER_TOKEN_PREFIX)) {
    return undefined;
  }
  // Different headers were joined: if one of them has a token, the call did not send just one token.
  const tokens = authorization.split(', ').map((one) => BEARER.exec(one)?.[1] ?? '');
  const token = tokens.find((one) => one.startsWith(BROWSER_TOKEN_PREFIX));
  return token === undefined || tokens.length === 1 ? token : NO_TOKEN;
}

export function createCredentials(deps: {
  apiKeys: Pick<ApiKeys, 'authenticate'>;
  browserTokens: Pick<BrowserTokens, 'authenticate'>;
  consoleSessions: Pick<ConsoleSessions, 'authenticate'>;
}): Credentials {
  const stores = { key: deps.apiKeys, token: deps.browserTokens, session: deps.consoleSessions };
  return {
    authenticate: (credential) => {
      if (credential === undefined) {
        return null;
      }
      const { kind, text } = credential;
      return stores[kind].authenticate(text);
    },
  };
}
