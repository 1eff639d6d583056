import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { pino } from 'pino';
import { openTestDatabase } from '../../../test/support/test-database.ts';
import { type AccountId, accountOf, type Environment, tenantOf } from '../../kernel/account.ts';
import { makeIndexes } from '../../kernel/database/indexes.ts';
import type { Database } from '../../kernel/database/open-database.ts';
import { createTransactions, type RunTransaction } from '../../kernel/database/transaction.ts';
import { type Principal, type Scope, withIncluded } from '../../kernel/principal.ts';
import { createBrowserTokenModel } from './browser-token-model.ts';
import { createBrowserTokens } from './browser-tokens.ts';
import { createApiKeyModel } from './model.ts';
import { createPartnerKeys, type PartnerKeys } from './partner-keys.ts';
import { type ApiKeys, createApiKeys } from './service.ts';

const log = pino({ level: 'silent' });
const pepper = 'p'.repeat(32);
const MINUTE_MS = 60_000;
let store: Database;
let model: ReturnType<typeof createApiKeyModel>;
let apiKeys: ApiKeys;
let transaction: RunTransaction;
let keys: PartnerKeys;
/** Added to the time of the partner's calls. */
let ahead: number;
let tenants = 0;

beforeAll(async () => {
  store = await openTestDatabase();
  transaction = createTransactions(store.connection);
  model = createApiKeyModel(store.connection);
  await makeIndexes(store.connection);
  apiKeys = createApiKeys({ model, pepper, log, transaction });
  keys = createPartnerKeys({
    model,
    pepper,
    log,
    apiKeys,
    transaction,
    clock: () => new Date(Date.now() + ahead),
  });
});
beforeEach(() => {
  ahead = 0;
});
afterAll(() => store.close());

const ALL: readonly Scope[] = ['partner', 'partner_full', 'partner_admin'];

/** A key of a new partner, and its holder. */
async function makeHolder(
  scopes: readonly Scope[] = ALL,
  environment: Environment = 'sandbox',
  accountId: AccountId = accountOf(`tenant-${tenants++}`, environment),
) {
  const { key, apiKey } = await apiKeys.create({ accountId, scopes, label: 'own' });
  return { key, apiKey, holder: (await apiKeys.authenticate(key)) as Principal };
}

function unwrap<T>(result: { ok: true; value: T } | { ok: false; failures: readonly unknown[] }): T {
  if (!result.ok) {
    throw new Error(JSON.stringify(result.failures));
  }
  return result.value;
}

describe('making', () => {
  test('a key has the environment of the calling key, and the scopes and label that were asked for', async () => {
    for (const environment of ['sandbox', 'live'] as const) {
      const { holder } = await makeHolder(ALL, environment);
      const made = unwrap(
        await keys.create(holder, { scopes: ['partner_full', 'partner'], label: 'Büro 2' }),
      );
      expect(made.key).toMatch(new RegExp(`^raas_${environment}_[\\w-]{43}$`));
      expect(made.apiKey).toMatchObject({
        scopes: ['partner', 'partner_full'],
        label: 'Büro 2',
        environment,
      });
      expect(await apiKeys.authenticate(made.key)).toEqual({
        accountId: holder.accountId,
        keyId: made.apiKey.keyId,
        scopes: withIncluded(['partner', 'partner_full']),
      });
    }
  });

  test.each([
    ['a scope that the calling key lacks', { scopes: ['partner', 'partner_full'] }, 'scopes'],
    ['the scope of the service itself', { scopes: ['partner', 'internal'] }, 'scopes'],
    ['an unknown scope', { scopes: ['partner', 'all'] }, 'scopes'],
    ['no scope', { scopes: [] }, 'scopes'],
    ['no scope that lets it call', { scopes: ['partner_admin'] }, 'scopes'],
    ['a label that is too long', { label: 'a'.repeat(101) }, 'label'],
    ['a label of two lines', { label: 'a\nb' }, 'label'],
    ['half a character', { label: 'a\ud83d' }, 'label'],
  ])('%s makes none', async (_what, input, name) => {
    const { holder } = await makeHolder(['partner', 'partner_admin']);
    const made = await keys.create(holder, { scopes: ['partner'], label: '', ...input });
    expect(made).toMatchObject({ ok: false, failures: [{ code: 'INVALID_REQUEST', path: [name] }] });
    expect(await keys.list(holder, true)).toHaveLength(1);
  });

  test('a partner has 100 keys in each environment; those that have ended do not count', async () => {
    const { holder } = await makeHolder();
    const { _id: _own, ...copy } = await model.findById(holder.keyId).lean().orFail();
    const more = Array.from({ length: 98 }, (_, index) => ({
      ...copy,
      _id: `key_of_${holder.accountId}_${index}`,
      hash: `${holder.accountId} ${index}`,
    }));
    await model.insertMany(more);
    const last = unwrap(await keys.create(holder, { scopes: ['partner'], label: 'last' }));
    const refused = await keys.create(holder, { scopes: ['partner'], label: 'more' });
    expect(refused).toMatchObject({ ok: false, failures: [{ code: 'API_KEY_LIMIT' }] });
    const live = await makeHolder(ALL, 'live', accountOf(tenantOf(holder.accountId), 'live'));
    unwrap(await keys.create(live.holder, { scopes: ['partner'], label: '' }));
    unwrap(await keys.revoke(holder, last.apiKey.keyId));
    unwrap(await keys.create(holder, { scopes: ['partner'], label: 'in its place' }));
  });
});

describe('rotating', () => {
  test('100 replaced keys work at once: a chain of replacements makes no more', async () => {
    const { holder, apiKey } = await makeHolder();
    const { _id: _own, ...copy } = await model.findById(holder.keyId).lean().orFail();
    const replaced = Array.from({ length: 100 }, (_, index) => ({
      ...copy,
      _id: `key_before_${holder.accountId}_${index}`,
      hash: `${holder.accountId} before ${index}`,
      endsAt: new Date(Date.now() + (index + 1) * MINUTE_MS),
    }));
    await model.insertMany(replaced);
    const refused = await keys.rotate(holder, apiKey.keyId, 60);
    expect(refused).toMatchObject({ ok: false, failures: [{ code: 'API_KEY_LIMIT' }] });
    expect(await keys.list(holder, false)).toHaveLength(101);
    ahead = MINUTE_MS + 1_000;
    unwrap(await keys.rotate(holder, apiKey.keyId, 60));
  });

  test('both keys work during the overlap, then only the successor does', async () => {
    const { key, apiKey, holder } = await makeHolder();
    const { key: next, apiKey: made, former } = unwrap(await keys.rotate(holder, apiKey.keyId, 60));
    expect(made).toMatchObject({ scopes: ALL, label: 'own', environment: 'sandbox' });
    expect(former.keyId).toBe(apiKey.keyId);
    const left = Number(former.endsAt) - Date.now();
    expect(left).toBeGreaterThan(59 * MINUTE_MS);
    expect(left).toBeLessThanOrEqual(60 * MINUTE_MS);
    expect(await apiKeys.authenticate(key)).toMatchObject({ keyId: apiKey.keyId });
    expect(await apiKeys.authenticate(next)).toMatchObject({ keyId: made.keyId });

    await model.updateOne({ _id: apiKey.keyId }, { endsAt: new Date(Date.now() - 1) });
    apiKeys.forget();
    expect(await apiKeys.authenticate(key)).toBeNull();
    expect(await apiKeys.authenticate(next)).toMatchObject({ keyId: made.keyId });
  });

  test('a key that was read a moment ago ends at its time all the same', async () => {
    const { key, apiKey } = await makeHolder();
    await model.updateOne({ _id: apiKey.keyId }, { endsAt: new Date(Date.now() + 300) });
    apiKeys.forget();
    expect(await apiKeys.authenticate(key)).not.toBeNull();
    const { endsAt } = await model.findById(apiKey.keyId).lean().orFail();
    while (Date.now() < Number(endsAt)) {
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    expect(await apiKeys.authenticate(key)).toBeNull();
  });

  test("a replaced key's browser tokens end with it, not before", async () => {
    const { apiKey, holder } = await makeHolder();
    let now = new Date();
    const tokens = createBrowserTokens({
      model: createBrowserTokenModel(store.connection),
      keys: model,
      pepper,
      log,
      clock: () => now,
    });
    const { token } = await tokens.create(holder, { scopes: ['partner'], lifetimeSeconds: 3_600 });
    const { former } = unwrap(await keys.rotate(holder, apiKey.keyId, 5));
    expect(await tokens.authenticate(token)).toMatchObject({ keyId: apiKey.keyId });
    now = former.endsAt as Date;
    const other = createBrowserTokens({
      model: createBrowserTokenModel(store.connection),
      keys: model,
      pepper,
      log,
      clock: () => now,
    });
    expect(await other.authenticate(token)).toBeNull();
  });

  test('a key is replaced once, also by two calls at the same time', async () => {
    const { apiKey, holder } = await makeHolder();
    const both = await Promise.all([
      keys.rotate(holder, apiKey.keyId, 60),
      keys.rotate(holder, apiKey.keyId, 10),
    ]);
    expect(both.filter(({ ok }) => ok)).toHaveLength(1);
    expect(both.filter(({ ok }) => !ok)).toMatchObject([{ failures: [{ code: 'API_KEY_ENDS' }] }]);
    expect(await keys.list(holder, true)).toHaveLength(2);
    const again = await keys.rotate(holder, apiKey.keyId, 60);
    expect(again).toMatchObject({ ok: false, failures: [{ code: 'API_KEY_ENDS' }] });
  });

  test('a key with a scope more than the calling key is not replaced: the caller would get its scope', async () => {
    const { apiKey, holder } = await makeHolder();
    const admin = await makeHolder(['partner', 'partner_admin'], 'sandbox', holder.accountId);
    const rotated = await keys.rotate(admin.holder, apiKey.keyId, 60);
    expect(rotated).toMatchObject({ ok: false, failures: [{ code: 'API_KEY_HAS_OTHER_SCOPES' }] });
    expect(await keys.list(holder, true)).toHaveLength(2);
  });

  test.each([
    ['less than nothing', -1, false],
    ['more than a week', 7 * 24 * 60 + 1, false],
    ['part of a minute', 1.5, false],
    ['no overlap of the calling key, which would be lost with the answer', 0, true],
  ])('an overlap of %s is an error', async (_what, minutes, own) => {
    const { apiKey, holder } = await makeHolder();
    const other = await makeHolder(ALL, 'sandbox', holder.accountId);
    const rotated = await keys.rotate(holder, own ? apiKey.keyId : other.apiKey.keyId, minutes);
    const failures = [{ code: 'INVALID_REQUEST', path: ['overlapMinutes'] }];
    expect(rotated).toMatchObject({ ok: false, failures });
    expect(await apiKeys.authenticate(other.key)).not.toBeNull();
  });

  test('subgraphs are notified of an ended key as of a revoked one', async () => {
    const { apiKey, holder } = await makeHolder();
    const { former } = unwrap(await keys.rotate(holder, apiKey.keyId, 60));
    const end = Number(former.endsAt);
    const at = (time: number) =>
      createApiKeys({ model, pepper, log, transaction, clock: () => new Date(time) });
    expect(await at(end - 1).findRevoked([apiKey.keyId], 0)).toEqual(new Set());
    expect(await at(end).findRevoked([apiKey.keyId], 0)).toEqual(new Set([apiKey.keyId]));
  });

  test('without an overlap, another key ends at once', async () => {
    const { holder } = await makeHolder();
    const other = await makeHolder(ALL, 'sandbox', holder.accountId);
    unwrap(await keys.rotate(holder, other.apiKey.keyId, 0));
    expect(await apiKeys.authenticate(other.key)).toBeNull();
  });
});

describe('revoking', () => {
  test('a key ends at once in this process, and repeating the call has no effect', async () => {
    const { holder } = await makeHolder();
    const { key, apiKey } = unwrap(await keys.create(holder, { scopes: ['partner'], label: '' }));
    expect(await apiKeys.authenticate(key)).not.toBeNull();
    const revoked = unwrap(await keys.revoke(holder, apiKey.keyId));
    expect(revoked.revokedAt).toBeInstanceOf(Date);
    expect(await apiKeys.authenticate(key)).toBeNull();
    ahead = MINUTE_MS;
    // When it was last used is stored beside the calls, so at either of the two.
    const { lastUsedAt: _, ...again } = unwrap(await keys.revoke(holder, apiKey.keyId));
    const { lastUsedAt: __, ...first } = revoked;
    expect(again).toEqual(first);
  });

  test('a replaced key ends earlier when it is revoked', async () => {
    const { key, apiKey, holder } = await makeHolder();
    const { key: next } = unwrap(await keys.rotate(holder, apiKey.keyId, 60));
    const successor = (await apiKeys.authenticate(next)) as Principal;
    unwrap(await keys.revoke(successor, apiKey.keyId));
    expect(await apiKeys.authenticate(key)).toBeNull();
  });

  test('a key does not revoke itself', async () => {
    const { key, apiKey, holder } = await makeHolder();
    const revoked = await keys.revoke(holder, apiKey.keyId);
    expect(revoked).toMatchObject({ ok: false, failures: [{ code: 'API_KEY_IN_USE' }] });
    expect(await apiKeys.authenticate(key)).not.toBeNull();
  });
});

describe('whose keys', () => {
  test("another partner's keys, and those of another environment, do not exist for the caller", async () => {
    const { holder } = await makeHolder();
    const foreign = await makeHolder();
    const live = await makeHolder(ALL, 'live', accountOf(tenantOf(holder.accountId), 'live'));
    for (const { key, apiKey } of [foreign, live]) {
      for (const result of [
        await keys.rotate(holder, apiKey.keyId, 60),
        await keys.revoke(holder, apiKey.keyId),
      ]) {
        expect(result).toMatchObject({ ok: false, failures: [{ code: 'API_KEY_NOT_FOUND' }] });
      }
      apiKeys.forget();
      expect(await apiKeys.authenticate(key)).not.toBeNull();
    }
    expect((await keys.list(holder, true)).map(({ keyId }) => keyId)).toEqual([holder.keyId]);
  });

  test('the list has the newest first, and those that have ended only when asked for', async () => {
    const { holder } = await makeHolder();
    const made: string[] = [];
    for (const label of ['a', 'b', 'c']) {
      made.push(unwrap(await keys.create(holder, { scopes: ['partner'], label })).apiKey.keyId);
      await new Promise((resolve) => setTimeout(resolve, 2));
    }
    const [first, second, third] = made as [string, string, string];
    unwrap(await keys.revoke(holder, second));
    unwrap(await keys.rotate(holder, first, 60));
    const ids = async (withEnded: boolean) => (await keys.list(holder, withEnded)).map(({ keyId }) => keyId);
    expect((await ids(false)).slice(1)).toEqual([third, first, holder.keyId]);
    expect((await ids(true)).slice(1)).toEqual([third, second, first, holder.keyId]);
    expect(JSON.stringify(await keys.list(holder, true))).not.toContain('hash');
  });
});
