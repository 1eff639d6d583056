import { randomBytes } from 'node:crypto';
import { createClient } from 'graphql-ws';
import { WebSocket } from 'ws';
import {
  createPrincipalSigner,
  operationText,
  PRINCIPAL_HEADER,
  type TokenUse,
} from '../../gateway/http/subgraph-server/principal-token.ts';
import type { Principal } from '../../subgraphs/kernel/principal.ts';

/** A subscription at a subgraph by somebody else's gateway, which looks after no key. */
interface ForeignSubscription {
  /** Texts of results and errors, and `complete`. */
  readonly got: readonly string[];
  close(): Promise<void>;
}

interface ForeignOptions {
  /** The subgraph's, such as `http://127.0.0.1:4000`. */
  readonly url: string;
  /** Its name. */
  readonly audience: string;
  readonly tokenKey: string;
  readonly principal: Principal;
}

/** Subscribes as README, "Tokens between roles", says. */
export async function subscribeForeign(
  query: string,
  { url, audience, tokenKey, principal }: ForeignOptions,
): Promise<ForeignSubscription> {
  const signer = createPrincipalSigner({ keys: [tokenKey] });
  const tokenFor = async (method: 'GET' | 'SUBSCRIBE', body: string) => ({
    [PRINCIPAL_HEADER]: await signer.sign({ principal, requestId: 'r-1' }, { audience, method, body }),
  });
  const client = createClient({
    url: `${url.replace('http', 'ws')}/graphql`,
    webSocketImpl: WebSocket,
    connectionParams: await tokenFor('GET', ''),
    retryAttempts: 0,
  });
  const got: string[] = [];
  client.subscribe(
    { query, extensions: await tokenFor('SUBSCRIBE', operationText({ query })) },
    {
      next: (value) => void got.push(JSON.stringify(value)),
      error: (error) => void got.push(String(error)),
      complete: () => void got.push('complete'),
    },
  );
  return { got, close: async () => client.dispose() };
}

/** The token with another tenant in it, its signature as it was. */
function forgeTenant(token: string): string {
  const [header, payload = '', signature] = token.split('.');
  const claims = JSON.parse(Buffer.from(payload, 'base64url').toString());
  const forged = { ...claims, principal: { ...claims.principal, accountId: 'globex/sandbox' } };
  return `${header}.${Buffer.from(JSON.stringify(forged)).toString('base64url')}.${signature}`;
}

type MakeToken = (changes?: Partial<TokenUse>, key?: string, ageMs?: number) => Promise<string>;

/** Tokens that a subgraph must reject, by name; `token` makes one that it would take. */
export function badTokens(
  token: MakeToken,
  masterKey: () => string | undefined,
): [name: string, make: () => Promise<string> | string | undefined][] {
  return [
    ['no token', () => undefined],
    ['an empty token', () => ''],
    ['a token signed under another key', () => token({}, randomBytes(32).toString('hex'))],
    ['a token signed under the master key of data', () => token({}, masterKey())],
    ['a token changed after it was signed', async () => forgeTenant(await token())],
    ['a token of 36 s ago', () => token({}, undefined, 36_000)],
    ['a token for another subgraph', () => token({ audience: 'worker' })],
    ['a token for another method', () => token({ method: 'SUBSCRIBE' })],
    ['a token for another body', () => token({ body: '{"query":"{ __schema { types { name } } }"}' })],
  ];
}

/** The principal of a key of acme, as a gateway sends it. */
export const principalOf = (keyId: string): Principal => ({
  accountId: 'acme/sandbox',
  keyId,
  scopes: ['partner'],
});
