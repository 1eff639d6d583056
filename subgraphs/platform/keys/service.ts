import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Model } from 'mongoose';
import { retryOnConflict } from '../database/transaction.ts';
import type { Logger } from '../log/log.ts';
import type { Environment, Principal, Scope } from '../principal.ts';
import { environmentOf, provenEnvironment } from './environment.ts';
import type { ApiKeyDocument } from './model.ts';

/** A revoked key works for at most this long in other processes; the bound promised is 5 s. */
const FRESH_FOR_MS = 2_000;
const LAST_USED_RESOLUTION_MS = 60_000;
const SHOWN_PREFIX = 16;
const LONGEST_KEY = 512;

/** What may be shown of a key. Times are UTC. */
export interface ApiKey {
  keyId: string;
  tenantId: string;
  prefix: string;
  /** Absent for a key of a former version that has not been used since, where its prefix does not tell. */
  environment?: Environment;
  scopes: readonly Scope[];
  label: string;
  createdAt: Date;
  lastUsedAt?: Date;
  revokedAt?: Date;
}

export interface NewApiKey {
  tenantId: string;
  scopes: readonly Scope[];
  label: string;
}

export interface ApiKeys {
  /**
   * Who holds the key; null for a missing, unknown or revoked one, which are alike to the caller. Without a promise for a
   * key that was read a moment ago: nearly every call brings one.
   */
  authenticate(key: string | undefined): Principal | null | Promise<Principal | null>;
  /** Makes a key. The answer is the only place where it is ever to be seen. */
  create(input: NewApiKey & { environment: Environment }): Promise<{ key: string; apiKey: ApiKey }>;
  /**
   * Stores a key chosen elsewhere (`SEED_FILE`). One already stored is left alone, revoked or not, but for its
   * environment, which former versions did not store.
   */
  keep(key: string, input: NewApiKey): Promise<void>;
  list(tenantId: string): Promise<ApiKey[]>;
  /** Revokes; undefined when there is no such key. Revoking again keeps the first time. */
  revoke(keyId: string): Promise<ApiKey | undefined>;
  /** Those of the keys that were revoked by that time; read from the database each time. */
  findRevoked(keyIds: readonly string[], by: Date): Promise<ReadonlySet<string>>;
  /**
   * Gives records of former versions their environment where the shown prefix proves it. The others get it with the
   * next use of the key, before that use is let in.
   */
  completeEnvironments(): Promise<void>;
}

interface ApiKeysDeps {
  model: Model<ApiKeyDocument>;
  /** Secret that the hashes are keyed with. */
  pepper: string;
  log: Logger;
}

type StoredKey = { hash: Buffer; principal: Principal; lastUsedAt: number };

/** By hash; a lookup has the whole key for its context. */
type KeyCache = LRUCache<string, StoredKey, string>;

/** The one key store behind `api_key`, `X-API-Key` and `connectionParams` (decisions, section 0). */
export function createApiKeys(deps: ApiKeysDeps): ApiKeys {
  const cache: KeyCache = new LRUCache({
    max: 10_000,
    ttl: FRESH_FOR_MS,
    // A read that leaves the cache before it ends still answers its call, and is not kept.
    ignoreFetchAbort: true,
    fetchMethod: (hash, _stale, { context }) => readActive(deps, hash, context),
  });
  return {
    authenticate: (key) => authenticate(deps, cache, key),
    create: (input) => createKey(deps, input),
    keep: (key, input) => keepKey(deps, key, input),
    list: async (tenantId) =>
      (await deps.model.find({ tenantId }).sort({ createdAt: 1 }).lean()).map(present),
    revoke: async (keyId) => {
      const revoked = await revokeKey(deps, keyId);
      cache.clear();
      return revoked;
    },
    findRevoked: async (keyIds, by) => {
      const revoked = deps.model.find({ _id: { $in: keyIds }, revokedAt: { $lte: by } }).select({ _id: 1 });
      return new Set((await revoked.lean()).map(({ _id }) => _id));
    },
    completeEnvironments: () => completeEnvironments(deps),
  };
}

function authenticate(
  deps: ApiKeysDeps,
  cache: KeyCache,
  key: string | undefined,
): Principal | null | Promise<Principal | null> {
  if (key === undefined || key === '' || key.length > LONGEST_KEY) {
    return null;
  }
  const hash = hashOf(deps.pepper, key);
  const name = hash.toString('hex');
  const holderOf = (stored: StoredKey | undefined) => {
    if (!stored || !timingSafeEqual(stored.hash, hash)) {
      return null;
    }
    touch(deps, stored);
    return stored.principal;
  };
  const fresh = cache.get(name);
  return fresh ? holderOf(fresh) : cache.fetch(name, { context: key }).then(holderOf);
}

async function completeEnvironments({ model }: ApiKeysDeps): Promise<void> {
  const incomplete = await model.find({ environment: { $exists: false } }).lean();
  for (const { _id, prefix } of incomplete) {
    const environment = provenEnvironment(prefix);
    if (environment !== undefined) {
      await model.updateOne({ _id, environment: { $exists: false } }, { environment });
    }
  }
}

async function readActive(deps: ApiKeysDeps, hash: string, key: string): Promise<StoredKey | undefined> {
  const found = await deps.model.findOne({ hash }).lean();
  if (!found || found.revokedAt) {
    return undefined;
  }
  const { _id: keyId, tenantId, scopes } = found;
  const environment = found.environment ?? (await decideEnvironment(deps, keyId, key));
  return {
    hash: Buffer.from(found.hash, 'hex'),
    principal: { keyId, tenantId, scopes, environment },
    lastUsedAt: found.lastUsedAt?.getTime() ?? 0,
  };
}

/** Of a record without its environment: only the whole key says it, and only here is the whole key known. Stored for the lists of keys. */
async function decideEnvironment(
  { model, log }: ApiKeysDeps,
  keyId: string,
  key: string,
): Promise<Environment> {
  const environment = environmentOf(key);
  await model
    .updateOne({ _id: keyId, environment: { $exists: false } }, { environment })
    .catch((err: unknown) => log.warn({ err, keyId }, 'apiKey.environment not stored'));
  return environment;
}

/** Notes the use, once a minute at most and beside the call: a call does not wait for its bookkeeping. */
function touch({ model, log }: ApiKeysDeps, stored: StoredKey): void {
  const now = Date.now();
  if (now - stored.lastUsedAt < LAST_USED_RESOLUTION_MS) {
    return;
  }
  stored.lastUsedAt = now;
  model
    .updateOne({ _id: stored.principal.keyId }, { lastUsedAt: new Date(now) })
    .exec()
    .catch((error: unknown) =>
      log.warn({ err: error, keyId: stored.principal.keyId }, 'apiKey.lastUsedAt not stored'),
    );
}

async function createKey(deps: ApiKeysDeps, input: NewApiKey & { environment: Environment }) {
  const key = `raas_${input.environment}_${randomBytes(32).toString('base64url')}`;
  const document = documentOf(deps, key, input);
  await deps.model.create(document);
  return { key, apiKey: present(document) };
}

async function keepKey(deps: ApiKeysDeps, key: string, input: NewApiKey): Promise<void> {
  const { environment, ...document } = documentOf(deps, key, input);
  const { hash } = document;
  await retryOnConflict(() =>
    deps.model
      .updateOne({ hash }, { $setOnInsert: document, $set: { environment } }, { upsert: true })
      .exec(),
  );
}

function documentOf(deps: ApiKeysDeps, key: string, input: NewApiKey): ApiKeyDocument {
  return {
    _id: `key_${randomBytes(15).toString('base64url')}`,
    tenantId: input.tenantId,
    hash: hashOf(deps.pepper, key).toString('hex'),
    prefix: key.slice(0, Math.min(SHOWN_PREFIX, Math.floor(key.length / 2))),
    environment: environmentOf(key),
    scopes: [...input.scopes],
    label: input.label,
    createdAt: new Date(),
  };
}

async function revokeKey({ model }: ApiKeysDeps, keyId: string): Promise<ApiKey | undefined> {
  await model.updateOne({ _id: keyId, revokedAt: { $exists: false } }, { revokedAt: new Date() });
  const found = await model.findById(keyId).lean();
  return found ? present(found) : undefined;
}

function present({ _id: keyId, hash: _hash, ...shown }: ApiKeyDocument): ApiKey {
  return { keyId, ...shown };
}

function hashOf(pepper: string, key: string): Buffer {
  return createHmac('sha256', pepper).update(key).digest();
}
