import { createRemoteJWKSet, type JWTVerifyGetKey, customFetch as jwksFetch, jwtVerify } from 'jose';
import { LRUCache } from 'lru-cache';
import * as oidc from 'openid-client';
import { z } from 'zod';
import type { SignIn } from '../../../subgraphs/partners/tenants/sign-in.ts';
import type { GuardedFetch } from './guarded-fetch.ts';

/** How far the clocks of a provider and of this service may differ, seconds. */
export const CLOCK_TOLERANCE_SECONDS = 300;
/** The longest life of a logout token, besides the tolerance. */
const LOGOUT_TOKEN_SECONDS = 120;
/** Time for one answer of a provider. */
const TIMEOUT_SECONDS = 10;
/** How long what a provider publishes is kept. A sign-in reads its keys anew each time, so a rotated key is known at once. */
const PUBLISHED_MS = 60_000;
/** An unknown key of a logout token makes us read the keys again, but no sooner than after this time. */
const KEYS_COOLDOWN_MS = 5_000;
const MOST_PROVIDERS = 1_000;
const ASYMMETRIC = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA'];
const LOGOUT_EVENT = 'http://schemas.openid.net/event/backchannel-logout';

/** The start of a sign-in. */
interface BegunSignIn {
  /** The provider's page, for the browser. */
  readonly url: string;
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
}

/** The person, by the claims of a verified ID token. */
export interface SignedInPerson {
  readonly sub: string;
  readonly sid?: string;
  readonly claims: Readonly<Record<string, unknown>>;
}

/** The sessions that a verified logout token ends. */
interface LogoutToken {
  readonly jti: string;
  readonly sub?: string;
  readonly sid?: string;
}

/** The token's time is further from ours than {@link CLOCK_TOLERANCE_SECONDS}. */
export class WrongClockError extends Error {
  override readonly name = 'WrongClockError';
}

/** OpenID Connect with the providers of partners: authorization code with PKCE, and back-channel logout. */
export interface Providers {
  /** Prepares a sign-in. @throws UnreachableProviderError, and errors of `openid-client` for unusable metadata */
  begin(signIn: SignIn, redirectUri: string): Promise<BegunSignIn>;
  /**
   * Exchanges the code, and verifies the ID token: signature, issuer, audience, nonce and times.
   * @param callback the address that the provider led the browser to
   * @throws WrongClockError, UnreachableProviderError, and errors of `openid-client` for what is not valid
   */
  finish(
    signIn: SignIn,
    callback: URL,
    begun: Pick<BegunSignIn, 'state' | 'nonce' | 'verifier'>,
  ): Promise<SignedInPerson>;
  /**
   * Verifies a logout token (OpenID Connect Back-Channel Logout 1.0, section 2.6), except whether it was used before.
   * @throws UnreachableProviderError, and errors of `jose` and `zod` for a token that is not valid
   */
  readLogoutToken(signIn: SignIn, token: string): Promise<LogoutToken>;
}

interface ProvidersDeps {
  readonly fetch: GuardedFetch['fetch'];
  readonly clock: () => Date;
}

export function createProviders({ fetch, clock }: ProvidersDeps): Providers {
  const discover = (signIn: SignIn) => discoverBy(fetch, clock, signIn);
  const published = new LRUCache<string, oidc.Configuration, SignIn>({
    max: MOST_PROVIDERS,
    ttl: PUBLISHED_MS,
    fetchMethod: (_name, _stale, { context }) => discover(context),
  });
  const keys = new LRUCache<string, JWTVerifyGetKey>({ max: MOST_PROVIDERS });
  const read = (signIn: SignIn) =>
    published.forceFetch(JSON.stringify([signIn.issuer, signIn.clientId]), { context: signIn });
  const keysOf = async (signIn: SignIn) => {
    const { jwks_uri: uri } = (await read(signIn)).serverMetadata();
    if (uri === undefined) {
      throw new TypeError(`${signIn.issuer} publishes no keys`);
    }
    const known = keys.get(uri) ?? remoteKeys(fetch, uri);
    keys.set(uri, known);
    return known;
  };
  return {
    begin: async (signIn, redirectUri) => begin(await read(signIn), signIn, redirectUri),
    finish: async (signIn, callback, begun) => finish(await discover(signIn), clock, callback, begun),
    readLogoutToken: async (signIn, token) => readLogoutToken(await keysOf(signIn), clock, signIn, token),
  };
}

function discoverBy(
  fetch: GuardedFetch['fetch'],
  clock: () => Date,
  { issuer, clientId, clientSecret }: SignIn,
): Promise<oidc.Configuration> {
  return oidc.discovery(
    new URL(issuer),
    clientId,
    {
      [oidc.clockSkew]: Math.round((clock().getTime() - Date.now()) / 1_000),
      [oidc.clockTolerance]: CLOCK_TOLERANCE_SECONDS,
    },
    authenticateBy(clientSecret),
    {
      [oidc.customFetch]: fetch,
      timeout: TIMEOUT_SECONDS,
      // Without it, the library trusts TLS alone and checks no signature of an ID token.
      execute: [oidc.enableNonRepudiationChecks],
    },
  );
}

/** By Basic authentication, the method of the standard, unless the provider takes only the other one. */
function authenticateBy(secret: string): oidc.ClientAuth {
  const [basic, post] = [oidc.ClientSecretBasic(secret), oidc.ClientSecretPost(secret)];
  return (server, ...request) => {
    const { token_endpoint_auth_methods_supported: supported } = server;
    const isBasic = supported === undefined || supported.includes('client_secret_basic');
    (isBasic ? basic : post)(server, ...request);
  };
}

async function begin(
  configuration: oidc.Configuration,
  { scope }: SignIn,
  redirectUri: string,
): Promise<BegunSignIn> {
  const verifier = oidc.randomPKCECodeVerifier();
  const [state, nonce] = [oidc.randomState(), oidc.randomNonce()];
  const url = oidc.buildAuthorizationUrl(configuration, {
    redirect_uri: redirectUri,
    scope,
    state,
    nonce,
    code_challenge: await oidc.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
  });
  return { url: url.href, state, nonce, verifier };
}

async function finish(
  configuration: oidc.Configuration,
  clock: () => Date,
  callback: URL,
  { state, nonce, verifier }: Pick<BegunSignIn, 'state' | 'nonce' | 'verifier'>,
): Promise<SignedInPerson> {
  const tokens = await oidc.authorizationCodeGrant(configuration, callback, {
    pkceCodeVerifier: verifier,
    expectedState: state,
    expectedNonce: nonce,
    idTokenExpected: true,
  });
  const claims = tokens.claims();
  if (claims === undefined) {
    throw new TypeError('The provider sent no ID token');
  }
  // The library checks the end of the token alone, which may be hours away. It was made for this request, so its time is now.
  if (Math.abs(clock().getTime() / 1_000 - claims.iat) > CLOCK_TOLERANCE_SECONDS) {
    throw new WrongClockError('The time of the ID token is too far from ours');
  }
  const { sub, sid } = claims;
  return { sub, ...(typeof sid === 'string' && { sid }), claims };
}

function remoteKeys(fetch: GuardedFetch['fetch'], uri: string): JWTVerifyGetKey {
  return createRemoteJWKSet(new URL(uri), {
    [jwksFetch]: fetch,
    timeoutDuration: TIMEOUT_SECONDS * 1_000,
    cooldownDuration: KEYS_COOLDOWN_MS,
  });
}

const logoutSchema = z
  .object({
    jti: z.string().min(1).max(512),
    sub: z.string().optional(),
    sid: z.string().optional(),
    events: z.object({ [LOGOUT_EVENT]: z.object({}) }),
    // It would be an ID token.
    nonce: z.undefined().optional(),
  })
  .refine(({ sub, sid }) => sub !== undefined || sid !== undefined, 'names no person and no session');

async function readLogoutToken(
  keys: JWTVerifyGetKey,
  clock: () => Date,
  { issuer, clientId }: SignIn,
  token: string,
): Promise<LogoutToken> {
  const { payload } = await jwtVerify(token, keys, {
    issuer,
    audience: clientId,
    algorithms: ASYMMETRIC,
    currentDate: clock(),
    clockTolerance: CLOCK_TOLERANCE_SECONDS,
    maxTokenAge: LOGOUT_TOKEN_SECONDS,
    requiredClaims: ['iat', 'jti', 'events'],
  });
  const { jti, sub, sid } = logoutSchema.parse(payload);
  return { jti, ...(sub !== undefined && { sub }), ...(sid !== undefined && { sid }) };
}

/** How long a logout token may be accepted after it was verified, seconds: so long its `jti` is kept. */
export const LOGOUT_TOKEN_KEPT_SECONDS = LOGOUT_TOKEN_SECONDS + 2 * CLOCK_TOLERANCE_SECONDS;
