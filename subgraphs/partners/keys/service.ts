import { setImmediate as endOfTurn } from 'node:timers/promises';
import type { Model } from 'mongoose';
import { type AccountId, accountOf, environmentOf } from '../../kernel/account.ts';
import { type RunTransaction, retryOnConflict } from '../../kernel/database/transaction.ts';
import type { Logger } from '../../kernel/log/log.ts';
import { type Principal, withIncluded } from '../../kernel/principal.ts';
import { shareLoads } from '../../kernel/shared-loads.ts';
import { endDependents } from './dependents.ts';
import { createLastUsed, LAST_USED_RESOLUTION_MS } from './last-used.ts';
import { createSecretLookup } from './lookup.ts';
import type { ApiKeyDocument } from './model.ts';
import {
  type ApiKey,
  documentOf,
  environmentOfKey,
  hasEnded,
  type MadeApiKey,
  type NewApiKey,
  newKey,
  present,
} from './record.ts';

export interface ApiKeys {
  /**
   * Finds the holder of a key. Returns null for a missing, unknown or revoked key: the caller cannot distinguish them. Returns
   * no promise for a key that was read a moment ago, as nearly every call's is.
   */
  authenticate(key: string | undefined): Principal | null | Promise<Principal | null>;
  /** Makes a key. Only this answer ever contains it. */
  create(input: NewApiKey): Promise<MadeApiKey>;
  /** Stores a given key of a partner (`SEED_FILE`), whose text decides the environment. It does not change a stored key, revoked or not. */
  keep(key: string, input: Omit<NewApiKey, 'accountId'> & { readonly tenantId: string }): Promise<void>;
  list(accountId: AccountId): Promise<ApiKey[]>;
  /** The public part of a key, revoked or not; undefined when there is none. */
  find(keyId: string): Promise<ApiKey | undefined>;
  /** Revokes a key now, with the keys that end with it; undefined when there is none. Doing it again keeps the first time. */
  revoke(keyId: string): Promise<ApiKey | undefined>;
  /** Forgets what was read a moment ago, so that a change of a key is seen at once in this process. */
  forget(): void;
  /** Finds the keys that were revoked, or ended, at least `forMs` ago; reads the database each time. */
  findRevoked(keyIds: readonly string[], forMs: number): Promise<ReadonlySet<string>>;
}

interface ApiKeysDeps {
  model: Model<ApiKeyDocument>;
  /** Secret that the hashes are keyed with. */
  pepper: string;
  transaction: RunTransaction;
  /** Whether the deployment serves the account's environment: to another one, keys, tokens and sessions are unknown. Default: both. */
  serves?: (accountId: AccountId) => boolean;
  log: Logger;
  /** The present time, by which processes end keys and see that they have ended; the process's by default. */
  clock?: () => Date;
}

interface StoredKey {
  readonly principal: Principal;
  readonly endsAt: Date | undefined;
  lastUsedAt: number;
}

/** The one key store behind `api_key`, `X-API-Key` and `connectionParams` (decisions, section 0). */
export function createApiKeys(deps: ApiKeysDeps): ApiKeys {
  const { clock = () => new Date(), serves = () => true } = deps;
  const findByHash = shareKeyReads(deps);
  const noteUse = createLastUsed({ ...deps, name: 'apiKey' });
  const lookup = createSecretLookup<StoredKey>({
    pepper: deps.pepper,
    read: async (hash) => {
      const found = await readActive(findByHash, hash, clock());
      return found && serves(found.principal.accountId) ? found : undefined;
    },
  });
  const holderOf = (stored: StoredKey | undefined) => {
    if (!stored || hasEnded(stored, clock())) {
      return null;
    }
    touch(noteUse, stored, clock());
    return stored.principal;
  };
  return {
    authenticate: (key) => {
      const found = lookup.find(key);
      return found instanceof Promise ? found.then(holderOf) : holderOf(found);
    },
    create: (input) => createKey(deps, input),
    keep: (key, input) => keepKey(deps, key, input),
    list: async (accountId) =>
      (await deps.model.find({ accountId }).sort({ createdAt: 1 }).lean()).map(present),
    find: (keyId) => findKey(deps, keyId),
    revoke: async (keyId) => {
      const revoked = await revokeKey(deps, keyId, clock());
      lookup.clear();
      return revoked;
    },
    findRevoked: async (keyIds, forMs) => {
      const by = new Date(clock().getTime() - forMs);
      const found = await deps.model
        .find({ _id: { $in: keyIds } })
        .select({ revokedAt: 1, endsAt: 1 })
        .lean();
      const ended = found.filter(({ revokedAt, endsAt }) => isBy(revokedAt, by) || isBy(endsAt, by));
      return new Set(ended.map(({ _id }) => _id));
    },
    forget: () => lookup.clear(),
  };
}

type FindByHash = (hash: string) => Promise<ApiKeyDocument | undefined>;

/**
 * Keys that are looked up in the same turn of the event loop share one command: those that have subscriptions open are all
 * looked up again every two seconds. They share it across tenants, for until it is found nobody knows whose a key is.
 */
function shareKeyReads({ model }: ApiKeysDeps): FindByHash {
  const find = shareLoads(
    async (_all: 'all', hashes: readonly string[]) => {
      const found = await model.find({ hash: { $in: hashes } }).lean();
      return new Map(found.map((document) => [document.hash, document]));
    },
    () => endOfTurn(),
  );
  return (hash) => find('all', hash);
}

async function readActive(findByHash: FindByHash, hash: string, now: Date): Promise<StoredKey | undefined> {
  const found = await findByHash(hash);
  if (!found || hasEnded(found, now)) {
    return undefined;
  }
  const { _id: keyId, accountId, scopes, endsAt } = found;
  return {
    principal: { keyId, accountId, scopes: withIncluded(scopes) },
    lastUsedAt: found.lastUsedAt?.getTime() ?? 0,
    endsAt,
  };
}

/** Records the use, at most once a minute. */
function touch(note: (keyId: string, at: Date) => void, stored: StoredKey, at: Date): void {
  const now = at.getTime();
  if (now - stored.lastUsedAt >= LAST_USED_RESOLUTION_MS) {
    stored.lastUsedAt = now;
    note(stored.principal.keyId, at);
  }
}

async function createKey(deps: ApiKeysDeps, input: NewApiKey): Promise<MadeApiKey> {
  const key = newKey(environmentOf(input.accountId));
  const document = documentOf(deps.pepper, key, input);
  await deps.model.create(document);
  return { key, apiKey: present(document) };
}

async function keepKey(
  deps: ApiKeysDeps,
  key: string,
  { tenantId, ...input }: Parameters<ApiKeys['keep']>[1],
): Promise<void> {
  const accountId = accountOf(tenantId, environmentOfKey(key));
  const document = documentOf(deps.pepper, key, { ...input, accountId });
  const { hash } = document;
  await retryOnConflict(() =>
    deps.model.updateOne({ hash }, { $setOnInsert: document }, { upsert: true }).exec(),
  );
}

async function revokeKey(
  { model, transaction }: ApiKeysDeps,
  keyId: string,
  revokedAt: Date,
): Promise<ApiKey | undefined> {
  await transaction(async (unit) => {
    unit.update(model, {
      filter: { _id: keyId, revokedAt: { $exists: false } },
      update: { $set: { revokedAt } },
    });
    await endDependents(unit, model, keyId, { revokedAt });
  });
  return findKey({ model }, keyId);
}

async function findKey({ model }: Pick<ApiKeysDeps, 'model'>, keyId: string): Promise<ApiKey | undefined> {
  const found = await model.findById(keyId).lean();
  return found ? present(found) : undefined;
}

function isBy(end: Date | undefined, at: Date): boolean {
  return end !== undefined && end <= at;
}
