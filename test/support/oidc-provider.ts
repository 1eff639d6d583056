import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { decodeJwt, exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose';
import Provider from 'oidc-provider';
import { Agent, request } from 'undici';

/** The client that is registered at the provider. */
interface TestClient {
  readonly clientId: string;
  readonly clientSecret: string;
  readonly redirectUri: string;
  readonly logoutUri: string;
}

/** A person who signs in at the provider without being asked. */
interface TestPerson {
  readonly sub: string;
  readonly name?: string;
  /** The claim `roles`; absent: no claim. */
  readonly roles?: string | readonly string[];
}

/** An OpenID Connect provider on loopback: `oidc-provider`, with everything that it checks. */
export interface TestProvider {
  /** Such as `https://127.0.0.1:9443`. */
  readonly issuer: string;
  /** The person who signs in from now on. */
  person: TestPerson;
  /** Changes the claims of ID tokens from now on, before they are signed; undefined: not. */
  tamper: ((claims: JWTPayload) => JWTPayload) | undefined;
  /** Whether it drops every request. */
  isDown: boolean;
  /** The requests that came, such as `POST /token`. */
  readonly requests: string[];
  /** From now on it signs with a new key, and publishes that key alone. Codes of before are forgotten. */
  rotateKey(): Promise<void>;
  /** Signs claims, by default with its key. @param foreign with a key that it does not publish, under the id of its own */
  sign(claims: JWTPayload, foreign?: 'foreign'): Promise<string>;
  /** Opens the provider's page as a browser, which follows redirects until one leads elsewhere. @returns that address */
  visit(url: string): Promise<string>;
  /**
   * Sends the client a logout token of the person, as when the person signs out.
   * @param sid by default that of the person's latest sign-in
   */
  logOut(sub: string, sid?: string): Promise<void>;
  close(): Promise<void>;
}

interface TestProviderOptions {
  readonly client: TestClient;
  readonly certificate: { readonly key: string; readonly cert: string };
  /** Carries a request of the provider to the client. @returns the status of the answer */
  send(url: string, body: string): Promise<number>;
}

const ALGORITHM = 'ES256';
const MOST_REDIRECTS = 10;

async function makeKey(kid: string) {
  const { privateKey } = await generateKeyPair(ALGORITHM, { extractable: true });
  return { kid, privateKey, jwk: { ...(await exportJWK(privateKey)), kid, alg: ALGORITHM, use: 'sig' } };
}

export async function startOidcProvider({
  client,
  certificate,
  send,
}: TestProviderOptions): Promise<TestProvider> {
  let key = await makeKey('key-1');
  const sids = new Map<string, string>();
  let provider: Provider | undefined;
  const server = createServer(certificate, (incoming, response) => {
    own.requests.push(`${incoming.method} ${(incoming.url ?? '').split('?')[0]}`);
    if (own.isDown || provider === undefined) {
      incoming.socket.destroy();
    } else if (incoming.url?.startsWith('/interaction/')) {
      // The person has an account, and signs in at once.
      const login = { accountId: own.person.sub };
      provider.interactionFinished(incoming, response, { login }).catch((error) => incoming.destroy(error));
    } else {
      provider
        .callback()(incoming, response)
        .catch((error) => incoming.destroy(error));
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  // The cast: a server that listens on TCP has such an address.
  const issuer = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const agent = new Agent({ connect: { rejectUnauthorized: false } });
  const own: TestProvider = {
    issuer,
    person: { sub: 'ana', name: 'Ana Ruiz', roles: ['remit-viewers'] },
    tamper: undefined,
    isDown: false,
    requests: [],
    rotateKey: async () => {
      key = await makeKey(`${key.kid}+`);
      provider = makeProvider();
    },
    sign: async (claims, foreign) => {
      const by = foreign ? (await makeKey(key.kid)).privateKey : key.privateKey;
      return new SignJWT(claims).setProtectedHeader({ alg: ALGORITHM, kid: key.kid }).sign(by);
    },
    visit: (url) => followRedirects(agent, issuer, url),
    logOut: async (sub, sid = sids.get(sub)) => {
      const known = await provider?.Client.find(client.clientId);
      const logOut: unknown = known?.backchannelLogout;
      if (typeof logOut !== 'function') {
        throw new TypeError('The provider does not know its client');
      }
      await Reflect.apply(logOut, known, [sub, sid]);
    },
    close: async () => {
      await agent.destroy();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  const makeProvider = () => {
    const made = new Provider(issuer, {
      clients: [
        {
          client_id: client.clientId,
          client_secret: client.clientSecret,
          redirect_uris: [client.redirectUri],
          response_types: ['code'],
          grant_types: ['authorization_code'],
          id_token_signed_response_alg: ALGORITHM,
          backchannel_logout_uri: client.logoutUri,
          backchannel_logout_session_required: true,
        },
      ],
      jwks: { keys: [key.jwk] },
      cookies: { keys: ['test'] },
      conformIdTokenClaims: false,
      claims: { openid: ['sub', 'sid', 'roles'], profile: ['name'] },
      features: { backchannelLogout: { enabled: true }, devInteractions: { enabled: false } },
      interactions: { url: (_context, { uid }) => `/interaction/${uid}` },
      findAccount: (_context, sub) => ({
        accountId: sub,
        claims: () => ({ ...own.person, sub, ...(own.person.roles && { roles: own.person.roles }) }),
      }),
      loadExistingGrant: async ({ oidc }) => {
        const grant = new made.Grant({
          clientId: oidc.client?.clientId ?? '',
          accountId: oidc.session?.accountId ?? '',
        });
        grant.addOIDCScope('openid profile');
        await grant.save();
        return grant;
      },
      fetch: async (url, init) => {
        const status = await send(String(url), String(init?.body));
        return new Response(null, { status });
      },
    });
    made.use(async (context, next) => {
      await next();
      const { body } = context;
      if (typeof body === 'object' && body !== null && 'id_token' in body) {
        const { sub, sid } = decodeJwt(String(body.id_token));
        sids.set(String(sub), String(sid));
      }
      if (own.tamper && typeof body === 'object' && body !== null && 'id_token' in body) {
        context.body = { ...body, id_token: await own.sign(own.tamper(decodeJwt(String(body.id_token)))) };
      }
    });
    return made;
  };
  provider = makeProvider();
  return own;
}

/** A browser that keeps the provider's cookies for one visit. */
async function followRedirects(agent: Agent, issuer: string, first: string): Promise<string> {
  const cookies = new Map<string, string>();
  let url = first;
  for (let count = 0; count < MOST_REDIRECTS; count += 1) {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const { headers, statusCode, body } = await request(url, {
      dispatcher: agent,
      headers: { cookie, accept: 'text/html' },
    });
    const text = await body.text();
    for (const pair of [headers['set-cookie'] ?? []].flat()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(pair) ?? [];
      cookies.set(name, value);
    }
    const { location } = headers;
    if (typeof location !== 'string') {
      throw new Error(`The provider answered ${statusCode}: ${text}`);
    }
    const next = new URL(location, url);
    if (next.origin !== issuer) {
      return next.href;
    }
    url = next.href;
  }
  throw new Error('The provider leads in a circle');
}
