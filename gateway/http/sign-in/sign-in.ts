import type { FastifyBaseLogger } from 'fastify';
import { errors } from 'jose';
import { AuthorizationResponseError, ClientError, ResponseBodyError } from 'openid-client';
import { ZodError } from 'zod';
import { type AccountId, tenantOf } from '../../../subgraphs/kernel/account.ts';
import { fieldOf } from '../../../subgraphs/kernel/objects.ts';
import type { ConsoleSessions } from '../../../subgraphs/partners/keys/console-sessions.ts';
import { findLabelIssues } from '../../../subgraphs/partners/keys/label.ts';
import {
  type EndedAtProvider,
  namesEndedBy,
  namesOf,
  type SignedInBy,
} from '../../../subgraphs/partners/keys/signed-in-by.ts';
import type { UsedTokens } from '../../../subgraphs/partners/keys/used-tokens.ts';
import {
  ACCESS_OF_ROLE,
  roleOf,
  type SignIn,
  versionOf,
} from '../../../subgraphs/partners/tenants/sign-in.ts';
import { ATTEMPT_SECONDS, type AttemptCookie, type SignInAttempt } from './attempt-cookie.ts';
import { UnreachableProviderError } from './guarded-fetch.ts';
import {
  LOGOUT_TOKEN_KEPT_SECONDS,
  type Providers,
  type SignedInPerson,
  WrongClockError,
} from './provider.ts';

/**
 * Why a sign-in was refused: there is no such sign-in, the attempt is not of this browser or was used, the provider cannot be
 * reached, the person or the provider said no, the answer is not valid, the clocks differ, or the person has no role.
 */
export type SignInRefusal = 'unknown' | 'expired' | 'offline' | 'denied' | 'invalid' | 'clock' | 'role';

/** Where people sign in: to an account of a partner, or to the platform. */
export interface SignInTarget {
  readonly accountId: AccountId;
  readonly signIn: SignIn;
  /** The address that the provider leads back to, which is registered at the provider. */
  readonly redirectUri: string;
}

export interface SignInDeps {
  readonly providers: Providers;
  readonly attempts: AttemptCookie;
  readonly used: UsedTokens;
  readonly sessions: Pick<ConsoleSessions, 'createLink' | 'endSignedIn' | 'revoke'>;
  readonly clock: () => Date;
}

/** A redirect to the provider, or why there is none. */
type Begun = { readonly url: string; readonly cookie: string } | { readonly refusal: SignInRefusal };
/** The code of a link to the console, or why there is none. */
type Finished = { readonly code: string } | { readonly refusal: SignInRefusal };

/** Begins a sign-in in this browser. */
export async function beginSignIn(
  { providers, attempts }: Pick<SignInDeps, 'providers' | 'attempts'>,
  { accountId, signIn, redirectUri }: SignInTarget,
  log: FastifyBaseLogger,
): Promise<Begun> {
  try {
    const { url, state, nonce, verifier } = await providers.begin(signIn, redirectUri);
    return { url, cookie: attempts.keep({ accountId, state, nonce, verifier }) };
  } catch (error) {
    return { refusal: refuse(error, accountId, log) };
  }
}

/**
 * Ends a sign-in by what the provider answered. The code of the answer is exchanged once.
 * @param attempt of the same browser, with the state of the query
 * @param query of the address that the provider led to, as it came
 */
export async function finishSignIn(
  deps: SignInDeps,
  { accountId, signIn, redirectUri }: SignInTarget,
  attempt: SignInAttempt,
  query: string,
  log: FastifyBaseLogger,
): Promise<Finished> {
  const callback = new URL(`${redirectUri}${query}`);
  if (!(await deps.used.use(`state ${attempt.state}`, new Date(attempt.until)))) {
    log.warn({ accountId, reason: 'replayed' }, 'console_sign_in.refused');
    return { refusal: 'expired' };
  }
  let person: SignedInPerson;
  try {
    person = await deps.providers.finish(signIn, callback, attempt);
  } catch (error) {
    return { refusal: refuse(error, accountId, log) };
  }
  const role = roleOf(signIn, person.claims[signIn.claim]);
  if (role === undefined) {
    log.warn({ accountId, reason: 'role', claim: signIn.claim }, 'console_sign_in.refused');
    return { refusal: 'role' };
  }
  const { sub, sid } = person;
  const by = { issuer: signIn.issuer, sub, ...(sid !== undefined && { sid }) };
  const { code, session } = await deps.sessions.createLink(
    { accountId },
    {
      access: ACCESS_OF_ROLE[role],
      label: labelOf(person),
      signedInBy: { ...by, version: versionOf(signIn) },
    },
  );
  const { sessionId } = session;
  // Only now: a logout token that comes later finds the session.
  if (await hasEndedMeanwhile(deps, accountId, by, attempt)) {
    await deps.sessions.revoke({ accountId }, sessionId);
    log.warn({ accountId, sessionId, reason: 'signed_out' }, 'console_sign_in.refused');
    return { refusal: 'expired' };
  }
  log.info({ accountId, sessionId, role }, 'console_sign_in.succeeded');
  return { code };
}

/** How long a sign-out at a provider is remembered: longer than a sign-in takes that began before it. */
const ENDED_KEPT_MS = 2 * ATTEMPT_SECONDS * 1_000;

function endedName(accountId: AccountId, { issuer, sub, sid }: EndedAtProvider): string {
  return `ended ${JSON.stringify([accountId, issuer, sub ?? null, sid ?? null])}`;
}

/** Whether the provider has said, since the attempt began, that the person or the person's session has ended. */
async function hasEndedMeanwhile(
  { used }: Pick<SignInDeps, 'used'>,
  accountId: AccountId,
  by: Omit<SignedInBy, 'version'>,
  { until }: SignInAttempt,
): Promise<boolean> {
  const keptUntil = new Date(until - ATTEMPT_SECONDS * 1_000 + ENDED_KEPT_MS);
  const ended = namesOf(by).map((name) => used.isUsed(endedName(accountId, name), keptUntil));
  return (await Promise.all(ended)).includes(true);
}

/** The person's name in the list of sessions, or else the id at the provider. */
function labelOf({ sub, claims }: SignedInPerson): string {
  const texts = [claims.name, claims.email, claims.preferred_username, sub];
  return texts.find(isLabel) ?? '';
}

function isLabel(text: unknown): text is string {
  return typeof text === 'string' && text !== '' && findLabelIssues(text).length === 0;
}

/**
 * Ends the sessions that a logout token names.
 * @param targets the accounts to which people sign in by the issuer and client that the token claims, at least one
 * @returns why the token is refused; undefined when it is done
 */
export async function endByProvider(
  { providers, used, sessions, clock }: Omit<SignInDeps, 'attempts'>,
  targets: readonly [SignInTarget, ...SignInTarget[]],
  token: string,
  log: FastifyBaseLogger,
): Promise<SignInRefusal | undefined> {
  const [{ signIn, accountId }] = targets;
  const { issuer } = signIn;
  try {
    const { jti, sub, sid } = await providers.readLogoutToken(signIn, token);
    const now = clock();
    const name = `jti ${JSON.stringify([tenantOf(accountId), issuer, jti])}`;
    if (await used.isUsed(name, now)) {
      log.warn({ accountId, reason: 'replayed' }, 'console_sign_out.refused');
      return 'expired';
    }
    const by = { issuer, ...(sub !== undefined && { sub }), ...(sid !== undefined && { sid }) };
    for (const target of targets) {
      // First, so that a sign-in that is about to make its session sees it.
      for (const ended of namesEndedBy(by)) {
        await used.extend(endedName(target.accountId, ended), new Date(now.getTime() + ENDED_KEPT_MS));
      }
      await sessions.endSignedIn(target.accountId, by);
    }
    // Last: if the store fails before, the provider can send the token again.
    await used.use(name, new Date(now.getTime() + LOGOUT_TOKEN_KEPT_SECONDS * 1_000));
    return undefined;
  } catch (error) {
    return refuse(error, accountId, log);
  }
}

/** Names the refusal of a failed step. The log has the error, which names no token. @throws the error if it is none of a provider */
function refuse(error: unknown, accountId: AccountId, log: FastifyBaseLogger): SignInRefusal {
  const refusal = refusalOf(error);
  if (refusal === undefined) {
    throw error;
  }
  const { code, error: answered } = { code: fieldOf(error, 'code'), error: fieldOf(error, 'error') };
  const cause = fieldOf(fieldOf(error, 'cause'), 'message');
  log.warn({ accountId, reason: refusal, code, answered, cause }, 'console_sign_in.refused');
  return refusal;
}

/** Codes of `openid-client` and `jose` for a provider that does not answer as one. */
const OFFLINE_CODES: ReadonlySet<unknown> = new Set([
  'OAUTH_TIMEOUT',
  'OAUTH_RESPONSE_IS_NOT_CONFORM',
  'OAUTH_RESPONSE_IS_NOT_JSON',
  'OAUTH_PARSE_ERROR',
  'ERR_JWKS_TIMEOUT',
  'ERR_JOSE_GENERIC',
]);
/** Codes for a token that has ended, or whose time is yet to come. */
const CLOCK_CODES: ReadonlySet<unknown> = new Set(['OAUTH_JWT_TIMESTAMP_CHECK_FAILED', 'ERR_JWT_EXPIRED']);

function refusalOf(error: unknown): SignInRefusal | undefined {
  const code = fieldOf(error, 'code');
  const isOffline = [error, fieldOf(error, 'cause')].some((one) => one instanceof UnreachableProviderError);
  if (isOffline || OFFLINE_CODES.has(code)) {
    return 'offline';
  }
  if (error instanceof WrongClockError || CLOCK_CODES.has(code)) {
    return 'clock';
  }
  if (error instanceof AuthorizationResponseError) {
    return 'denied';
  }
  const isOfProvider = [ClientError, ResponseBodyError, errors.JOSEError, ZodError].some(
    (kind) => error instanceof kind,
  );
  return isOfProvider ? 'invalid' : undefined;
}
