import { randomBytes } from 'node:crypto';
import type { Model } from 'mongoose';
import type { AccountId } from '../../kernel/account.ts';
import { fail, type Result, succeed } from '../../kernel/errors/result.ts';
import type { Logger } from '../../kernel/log/log.ts';
import { type Principal, type Scope, withIncluded } from '../../kernel/principal.ts';
import type { BrowserTokenDocument } from './browser-token-model.ts';
import { createSecretLookup, digestOf } from './lookup.ts';
import type { ApiKeyDocument } from './model.ts';
import { hasEnded } from './record.ts';

/** The prefix of every browser token. */
export const BROWSER_TOKEN_PREFIX = 'raas_browser_';

/** The public part of a browser token. Times are UTC. */
export interface BrowserToken {
  readonly tokenId: string;
  readonly scopes: readonly Scope[];
  readonly createdAt: Date;
  readonly expiresAt: Date;
  readonly revokedAt?: Date;
}

/** A token that was just made. */
export interface MadeBrowserToken {
  /** The token for the browser; nothing else ever shows it. */
  readonly token: string;
  readonly browserToken: BrowserToken;
}

/** Short-lived tokens with which a web page reads in a partner's name, so that no API key goes into a page. */
export interface BrowserTokens {
  /**
   * Finds the holder of a token, with the scopes that its key still has. Returns null for a missing, unknown, expired or
   * revoked token, and for a token of a revoked key: the caller cannot distinguish them. Returns no promise for a token that
   * was read a moment ago.
   */
  authenticate(token: string | undefined): Principal | null | Promise<Principal | null>;
  /** Makes a token for the caller's account and key. The caller checks the scopes. */
  create(principal: Principal, input: NewBrowserToken): Promise<MadeBrowserToken>;
  /** Revokes a token of the account. Doing it again keeps the first time. Failures: BROWSER_TOKEN_NOT_FOUND. */
  revoke(principal: Principal, tokenId: string): Promise<Result<BrowserToken>>;
}

interface NewBrowserToken {
  readonly scopes: readonly Scope[];
  readonly lifetimeSeconds: number;
}

interface BrowserTokensDeps {
  model: Model<BrowserTokenDocument>;
  keys: Model<ApiKeyDocument>;
  /** Secret that the digests are keyed with. */
  pepper: string;
  /** Whether the deployment serves the account's environment: to another one, keys, tokens and sessions are unknown. Default: both. */
  serves?: (accountId: AccountId) => boolean;
  log: Logger;
  clock(): Date;
}

interface StoredToken {
  readonly principal: Principal;
  readonly expiresAt: Date;
}

export function createBrowserTokens(deps: BrowserTokensDeps): BrowserTokens {
  const lookup = createSecretLookup<StoredToken>({
    pepper: deps.pepper,
    read: (hash) => readActive(deps, hash),
  });
  // Cached tokens are checked too: a token never works after its end.
  const holderOf = (stored: StoredToken | undefined) =>
    stored && deps.clock() < stored.expiresAt ? stored.principal : null;
  return {
    authenticate: (token) => {
      const found = lookup.find(token?.startsWith(BROWSER_TOKEN_PREFIX) ? token : undefined);
      return found instanceof Promise ? found.then(holderOf) : holderOf(found);
    },
    create: (principal, input) => createToken(deps, principal, input),
    revoke: async (principal, tokenId) => {
      const revoked = await revokeToken(deps, principal, tokenId);
      lookup.clear();
      return revoked;
    },
  };
}

/** Reads the key with the token: a token of a revoked key is invalid. */
async function readActive(
  { model, keys, clock, serves = () => true }: BrowserTokensDeps,
  hash: string,
): Promise<StoredToken | undefined> {
  const found = await model.findOne({ hash }).lean();
  const key = found && !found.revokedAt ? await keys.findById(found.keyId).lean() : null;
  if (!found || !key || hasEnded(key, clock()) || !serves(found.accountId)) {
    return undefined;
  }
  const { _id: tokenId, accountId, keyId, expiresAt } = found;
  return {
    expiresAt,
    principal: {
      accountId,
      keyId,
      scopes: withIncluded(found.scopes.filter((scope) => key.scopes.includes(scope))),
      browserToken: { tokenId, expiresAt: expiresAt.getTime() },
    },
  };
}

async function createToken(
  { model, pepper, clock, log }: BrowserTokensDeps,
  { accountId, keyId }: Principal,
  { scopes, lifetimeSeconds }: NewBrowserToken,
): Promise<MadeBrowserToken> {
  const token = `${BROWSER_TOKEN_PREFIX}${randomBytes(32).toString('base64url')}`;
  const createdAt = clock();
  const document: BrowserTokenDocument = {
    _id: `btk_${randomBytes(15).toString('base64url')}`,
    accountId,
    keyId,
    hash: digestOf(pepper, token),
    scopes: [...scopes],
    createdAt,
    expiresAt: new Date(createdAt.getTime() + lifetimeSeconds * 1_000),
  };
  await model.create(document);
  const { _id: tokenId, expiresAt } = document;
  log.info({ accountId, keyId, tokenId, scopes, expiresAt }, 'browser_token.created');
  return { token, browserToken: present(document) };
}

async function revokeToken(
  { model, clock, log }: BrowserTokensDeps,
  { accountId, keyId }: Principal,
  tokenId: string,
): Promise<Result<BrowserToken>> {
  const own = { _id: tokenId, accountId };
  const { modifiedCount } = await model.updateOne(
    { ...own, revokedAt: { $exists: false } },
    { revokedAt: clock() },
  );
  const found = await model.findOne(own).lean();
  if (modifiedCount > 0) {
    log.info({ accountId, keyId, tokenId }, 'browser_token.revoked');
  }
  return found ? succeed(present(found)) : fail('BROWSER_TOKEN_NOT_FOUND');
}

function present({
  _id: tokenId,
  scopes,
  createdAt,
  expiresAt,
  revokedAt,
}: BrowserTokenDocument): BrowserToken {
  return { tokenId, scopes, createdAt, expiresAt, ...(revokedAt && { revokedAt }) };
}
