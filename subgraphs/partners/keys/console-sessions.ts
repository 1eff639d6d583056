import { randomBytes } from 'node:crypto';
import type { Model } from 'mongoose';
import type { AccountId } from '../../kernel/account.ts';
import { retryOnConflict } from '../../kernel/database/transaction.ts';
import type { Result } from '../../kernel/errors/result.ts';
import type { Logger } from '../../kernel/log/log.ts';
import {
  type ConsoleAccess,
  type ConsoleSessionUse,
  PLATFORM_ACCOUNT,
  type Principal,
  type Scope,
  withIncluded,
} from '../../kernel/principal.ts';
import { revokeSession, signOut, UNREVOKED } from './console-session-ends.ts';
import type { ConsoleSessionDocument } from './console-session-model.ts';
import { type ConsoleSession, present, SCOPES_OF } from './console-session-record.ts';
import { createLastUsed, LAST_USED_RESOLUTION_MS } from './last-used.ts';
import { createSecretLookup, digestOf } from './lookup.ts';
import type { ApiKeyDocument } from './model.ts';
import { hasEnded } from './record.ts';
import { type EndedAtProvider, endSignedIn, type SignedInBy, signInKeysOf } from './signed-in-by.ts';

/** The prefix of every code of a link. */
const CONSOLE_CODE_PREFIX = 'raas_code_';
/** The prefix of every cookie's value. */
const CONSOLE_COOKIE_PREFIX = 'raas_console_';
/** 256 random bits in base64url, as the part behind a prefix. */
const RANDOM_LENGTH = 43;
/** The life of a link in seconds, unless its maker asks for another one. */
export const LINK_SECONDS = 60;
/** The longest life of a link. */
export const LONGEST_LINK_SECONDS = 24 * 60 * 60;
const MOST_LISTED = 200;

/** The account of sessions. */
export interface ConsoleSessionOwner {
  readonly accountId: AccountId;
  /** The key that asks, for the log; absent: an operator. */
  readonly keyId?: string;
}

/** The session that a link opens. */
interface NewConsoleLink {
  readonly access: ConsoleAccess;
  /** Whom it is for. */
  readonly label: string;
  /** How long the link works, in seconds: 1 to {@link LONGEST_LINK_SECONDS}; default {@link LINK_SECONDS}. */
  readonly seconds?: number;
  /** The person's sign-in at a provider, which ends the session; absent for a link that somebody made. */
  readonly signedInBy?: SignedInBy;
}

interface MadeConsoleLink {
  /** For the link; nothing else ever shows it. */
  readonly code: string;
  readonly session: ConsoleSession;
}

/** The holder of a session. */
export type ConsoleHolder = Principal & { readonly consoleSession: ConsoleSessionUse };

/** A session that was just opened. */
export interface OpenedConsoleSession {
  /** The value of the cookie; nothing else ever shows it. */
  readonly cookie: string;
  readonly principal: ConsoleHolder;
}

/**
 * People's sessions in the console. A link with a code, which works once for 60 s, is exchanged for a cookie. A session ends
 * at its time, when it was not used for a while, when it is revoked, and with the API key that made its link; a session
 * without a key ends when its tenant is no more. Those of {@link PLATFORM_ACCOUNT} are of the platform's operators: they have the
 * scope `platform` alone, and change something only with the access `operate`.
 */
export interface ConsoleSessions {
  /** Makes a link. The caller checks the scopes and the label. */
  createLink(maker: ConsoleSessionOwner, input: NewConsoleLink): Promise<MadeConsoleLink>;
  /**
   * Exchanges the code of a link. Null for a wrong, used, ended or revoked code, and for one of a revoked key: the caller cannot
   * distinguish them. Of several exchanges at once, one succeeds.
   */
  open(code: string): Promise<OpenedConsoleSession | null>;
  /**
   * Finds the holder of a cookie, with the scopes that the key behind it still has. Returns null for anything that is no open
   * session. Returns no promise for one that was read a moment ago. Whatever a session has open counts as its use.
   */
  authenticate(cookie: string | undefined): ConsoleHolder | null | Promise<ConsoleHolder | null>;
  /** The same, without counting as its use: a page that nobody uses may ask whether its session is still there. */
  find(cookie: string | undefined): Promise<ConsoleHolder | null>;
  /** Ends the session of a cookie; nothing for another text. */
  signOut(cookie: string | undefined): Promise<void>;
  /** The open sessions among the 200 newest, newest first. */
  list(owner: ConsoleSessionOwner): Promise<ConsoleSession[]>;
  /**
   * Ends a session, or a link that was not used yet. Doing it again keeps the first time. Failures:
   * CONSOLE_SESSION_NOT_FOUND.
   */
  revoke(owner: ConsoleSessionOwner, sessionId: string): Promise<Result<ConsoleSession>>;
  /**
   * Ends the sessions of an account that a provider says have ended: the one of `sid`, or all of `sub`, or with both the one of
   * `sid` if it is that person's. Answers how many ended.
   */
  endSignedIn(accountId: AccountId, by: EndedAtProvider): Promise<number>;
}

interface ConsoleSessionsDeps {
  model: Model<ConsoleSessionDocument>;
  keys: Model<ApiKeyDocument>;
  /** Whether the account exists, or is the platform, and has this version of its sign-in, where one is given. */
  hasAccount(accountId: AccountId, signInVersion: string | undefined): Promise<boolean>;
  /** Secret that the digests are keyed with. */
  pepper: string;
  /** Whether the deployment serves the account's environment: to another one, keys, tokens and sessions are unknown. Default: both. */
  serves?: (accountId: AccountId) => boolean;
  lifetimeSeconds: number;
  idleSeconds: number;
  log: Logger;
  clock(): Date;
}

interface StoredSession {
  readonly principal: ConsoleHolder;
  readonly expiresAt: Date;
  lastUsedAt: number;
}

export function createConsoleSessions(deps: ConsoleSessionsDeps): ConsoleSessions {
  const { pepper, clock } = deps;
  const lookup = createSecretLookup<StoredSession>({ pepper, read: (hash) => readOpen(deps, hash) });
  const noteUse = createLastUsed({ ...deps, name: 'consoleSession' });
  // Cached sessions are checked too: a session never works after its end.
  const openOf = (stored: StoredSession | undefined): StoredSession | null =>
    stored && stored.expiresAt > clock() && !isIdle(deps, stored.lastUsedAt) ? stored : null;
  const holderOf = (found: StoredSession | undefined): ConsoleHolder | null => {
    const stored = openOf(found);
    if (!stored) {
      return null;
    }
    const now = clock();
    if (now.getTime() - stored.lastUsedAt >= LAST_USED_RESOLUTION_MS) {
      stored.lastUsedAt = now.getTime();
      noteUse(stored.principal.consoleSession.sessionId, now);
    }
    return stored.principal;
  };
  const lookUp = (cookie: string | undefined) =>
    lookup.find(isSecret(CONSOLE_COOKIE_PREFIX, cookie) ? cookie : undefined);
  const authenticate: ConsoleSessions['authenticate'] = (cookie) => {
    const found = lookUp(cookie);
    return found instanceof Promise ? found.then(holderOf) : holderOf(found);
  };
  return {
    createLink: (maker, input) => createLink(deps, maker, input),
    open: (code) => openSession(deps, code),
    authenticate,
    find: async (cookie) => openOf(await lookUp(cookie))?.principal ?? null,
    signOut: async (cookie) => {
      const holder = await authenticate(cookie);
      if (holder !== null) {
        await signOut(deps, holder.accountId, holder.consoleSession.sessionId);
        lookup.clear();
      }
    },
    list: (owner) => listOpen(deps, owner),
    revoke: async (owner, sessionId) => {
      const revoked = await revokeSession(deps, owner, sessionId);
      lookup.clear();
      return revoked;
    },
    endSignedIn: async (accountId, by) => {
      const count = await endSignedIn(deps, accountId, by);
      lookup.clear();
      return count;
    },
  };
}

/** Whether a text has the form of the code of a link. */
export function isConsoleCode(text: string): boolean {
  return isSecret(CONSOLE_CODE_PREFIX, text);
}

/** Whether a text has the form of a secret: others cost no read. */
function isSecret(prefix: string, text: string | undefined): text is string {
  return text?.startsWith(prefix) === true && text.length === prefix.length + RANDOM_LENGTH;
}

function isIdle({ clock, idleSeconds }: ConsoleSessionsDeps, lastUsedAt: number): boolean {
  return clock().getTime() - lastUsedAt >= idleSeconds * 1_000;
}

async function createLink(
  { model, pepper, clock, log }: ConsoleSessionsDeps,
  { accountId, keyId }: ConsoleSessionOwner,
  { access, label, seconds = LINK_SECONDS, signedInBy }: NewConsoleLink,
): Promise<MadeConsoleLink> {
  const code = `${CONSOLE_CODE_PREFIX}${randomBytes(32).toString('base64url')}`;
  const createdAt = clock();
  const document: ConsoleSessionDocument = {
    _id: `cse_${randomBytes(15).toString('base64url')}`,
    accountId,
    ...(keyId !== undefined && { keyId }),
    hash: digestOf(pepper, code),
    ...(signedInBy && {
      issuer: signedInBy.issuer,
      signInVersion: signedInBy.version,
      signInKeys: signInKeysOf(pepper, accountId, signedInBy),
    }),
    access,
    label,
    createdAt,
    expiresAt: after(createdAt, seconds),
  };
  await model.create(document);
  log.info({ accountId, keyId, sessionId: document._id, access }, 'console_link.created');
  return { code, session: present(document) };
}

async function openSession(deps: ConsoleSessionsDeps, code: string): Promise<OpenedConsoleSession | null> {
  const { model, pepper, clock, log, lifetimeSeconds } = deps;
  const hash = isSecret(CONSOLE_CODE_PREFIX, code) ? digestOf(pepper, code) : undefined;
  const link = hash === undefined ? null : await model.findOne({ hash }).lean();
  if (!link || link.openedAt || hasEnded({ ...link, endsAt: link.expiresAt }, clock())) {
    return null;
  }
  const scopes = await findScopes(deps, link);
  if (scopes === undefined) {
    return null;
  }
  const { _id: sessionId, accountId, access } = link;
  const cookie = `${CONSOLE_COOKIE_PREFIX}${randomBytes(32).toString('base64url')}`;
  const openedAt = clock();
  const expiresAt = after(openedAt, lifetimeSeconds);
  const { modifiedCount } = await retryOnConflict(() =>
    model
      .updateOne(
        { _id: sessionId, accountId, openedAt: { $exists: false }, revokedAt: { $exists: false } },
        { $set: { hash: digestOf(pepper, cookie), openedAt, lastUsedAt: openedAt, expiresAt } },
      )
      .exec(),
  );
  if (modifiedCount === 0) {
    return null;
  }
  log.info({ accountId, keyId: link.keyId, sessionId, access, expiresAt }, 'console_session.opened');
  return { cookie, principal: principalOf({ ...link, expiresAt }, scopes) };
}

/** Reads the key, or else the tenant, with the session: it has ended when they have. */
async function readOpen(deps: ConsoleSessionsDeps, hash: string): Promise<StoredSession | undefined> {
  const found = await deps.model.findOne({ hash }).lean();
  if (!found?.openedAt || found.revokedAt) {
    return undefined;
  }
  const scopes = await findScopes(deps, found);
  return (
    scopes && {
      principal: principalOf(found, scopes),
      expiresAt: found.expiresAt,
      lastUsedAt: (found.lastUsedAt ?? found.openedAt).getTime(),
    }
  );
}

/** The scopes of a session; undefined when what it belongs to has ended or is not served. */
async function findScopes(
  { keys, hasAccount, serves = () => true, clock }: ConsoleSessionsDeps,
  { accountId, keyId, signInVersion, access }: ConsoleSessionDocument,
): Promise<readonly Scope[] | undefined> {
  if (accountId === PLATFORM_ACCOUNT) {
    // Only an operator's command makes them, or a sign-in of an operator.
    const isOpen = keyId === undefined && (access === 'read' || access === 'operate');
    return isOpen && (await hasAccount(accountId, signInVersion)) ? ['platform'] : undefined;
  }
  if (!serves(accountId)) {
    return undefined;
  }
  const scopes = SCOPES_OF[access];
  if (keyId === undefined) {
    return (await hasAccount(accountId, signInVersion)) ? scopes : undefined;
  }
  const key = await keys.findById(keyId).lean();
  if (!key || hasEnded(key, clock())) {
    return undefined;
  }
  const held = withIncluded(key.scopes);
  return scopes.filter((scope) => held.includes(scope));
}

function principalOf(
  {
    _id: sessionId,
    accountId,
    keyId = sessionId,
    label,
    access,
    signInKeys,
    expiresAt,
  }: ConsoleSessionDocument,
  scopes: readonly Scope[],
): ConsoleHolder {
  const [person] = signInKeys ?? [];
  const consoleSession = {
    sessionId,
    label,
    ...(person !== undefined && { person }),
    access,
    expiresAt: expiresAt.getTime(),
  };
  return { accountId, keyId, scopes, consoleSession };
}

async function listOpen(
  deps: ConsoleSessionsDeps,
  { accountId }: ConsoleSessionOwner,
): Promise<ConsoleSession[]> {
  const { model, keys, clock } = deps;
  const newest = await model
    .find({ accountId, openedAt: { $exists: true }, ...UNREVOKED })
    .sort({ createdAt: -1, _id: -1 })
    .limit(MOST_LISTED)
    .lean();
  const now = clock();
  const unended = newest.filter(
    ({ expiresAt, lastUsedAt }) => expiresAt > now && !isIdle(deps, lastUsedAt?.getTime() ?? 0),
  );
  const keyIds = [...new Set(unended.flatMap(({ keyId }) => keyId ?? []))];
  const stored = keyIds.length === 0 ? [] : await keys.find({ _id: { $in: keyIds }, accountId }).lean();
  const active = new Set(stored.filter((key) => !hasEnded(key, now)).map(({ _id }) => _id));
  return unended.filter(({ keyId }) => keyId === undefined || active.has(keyId)).map(present);
}

function after(time: Date, seconds: number): Date {
  return new Date(time.getTime() + seconds * 1_000);
}
