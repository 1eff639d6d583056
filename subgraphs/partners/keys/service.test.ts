import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { pino } from 'pino';
import { openTestDatabase } from '../../../test/support/test-database.ts';
import { until } from '../../../test/support/until.ts';
import { accountsOf } from '../../kernel/account.ts';
import { makeIndexes } from '../../kernel/database/indexes.ts';
import type { Database } from '../../kernel/database/open-database.ts';
import { createTransactions, type RunTransaction } from '../../kernel/database/transaction.ts';
import { createApiKeyModel } from './model.ts';
import { type ApiKeys, createApiKeys } from './service.ts';

const log = pino({ level: 'silent' });
const pepper = 'p'.repeat(32);
let store: Database;
let keys: ApiKeys;
let transaction: RunTransaction;
let model: ReturnType<typeof createApiKeyModel>;

beforeAll(async () => {
  store = await openTestDatabase();
  transaction = createTransactions(store.connection);
  model = createApiKeyModel(store.connection);
  await makeIndexes(store.connection);
  keys = createApiKeys({ model, pepper, log, transaction });
});
afterAll(() => store.close());

const input = {
  accountId: 'acme/sandbox' as const,
  scopes: ['partner'] as const,
  label: 'backend',
};

describe('API keys', () => {
  test('a key authenticates its tenant, by whatever process shares the pepper', async () => {
    const { key, apiKey } = await keys.create(input);
    const other = createApiKeys({ model, pepper, log, transaction });
    const scopes = ['partner', 'partner_contact', 'partner_write'];
    const expected = { keyId: apiKey.keyId, accountId: 'acme/sandbox' as const, scopes };
    expect(await keys.authenticate(key)).toEqual(expected);
    expect(await other.authenticate(key)).toEqual(expected);
  });

  test('the store has neither the key nor a value that reveals it', async () => {
    const { key } = await keys.create(input);
    const stored = JSON.stringify(await store.connection.collection('apiKeys').find().toArray());
    expect(stored).not.toContain(key);
    expect(stored).not.toContain(key.slice(-20));
    expect(
      await createApiKeys({
        model,
        pepper: 'q'.repeat(32),
        log,
        transaction,
      }).authenticate(key),
    ).toBeNull();
  });

  test.each([undefined, '', 'raas_sandbox_unknown', 'x'.repeat(10_000)])('%p is nobody', async (key) => {
    expect(await keys.authenticate(key)).toBeNull();
  });

  test('a call that is being authenticated while another key is revoked is answered', async () => {
    const { key, apiKey } = await keys.create(input);
    const { apiKey: other } = await keys.create(input);
    let goOn = () => {};
    const held = new Promise<void>((resolve) => {
      goOn = resolve;
    });
    const slow = {
      find: () => ({ lean: () => held.then(() => model.find({ _id: apiKey.keyId }).lean()) }),
      findById: (id: string) => model.findById(id),
      updateOne: model.updateOne.bind(model),
      bulkWrite: model.bulkWrite.bind(model),
    } as unknown as typeof model;
    const busy = createApiKeys({ model: slow, pepper, log, transaction });
    const authenticated = busy.authenticate(key);
    await keys.revoke(other.keyId);
    busy.forget();
    goOn();
    expect(await authenticated).toMatchObject({ keyId: apiKey.keyId });
  });

  test('keys that are shown in the same turn are looked up, and their use is noted, by one command each', async () => {
    const [one, other] = [await keys.create(input), await keys.create(input)];
    let reads = 0;
    const writes: number[] = [];
    const counted = {
      find: (filter: object) => {
        reads += 1;
        return model.find(filter);
      },
      collection: {
        bulkWrite: (updates: Parameters<typeof model.collection.bulkWrite>[0]) => {
          writes.push(updates.length);
          return model.collection.bulkWrite(updates);
        },
      },
    } as unknown as typeof model;
    const cold = createApiKeys({ model: counted, pepper, log, transaction });
    const found = await Promise.all([one.key, 'raas_sandbox_unknown', other.key].map(cold.authenticate));
    expect(found.map((principal) => principal?.keyId)).toEqual([
      one.apiKey.keyId,
      undefined,
      other.apiKey.keyId,
    ]);
    const used = { _id: { $in: [one, other].map(({ apiKey }) => apiKey.keyId) }, lastUsedAt: { $ne: null } };
    await until('their use is noted', async () => (await model.countDocuments(used)) === 2);
    expect([reads, writes]).toEqual([1, [2]]);
  });

  test('a revoked key is not accepted, and revoking it again keeps the first time', async () => {
    const { key, apiKey } = await keys.create(input);
    expect(await keys.authenticate(key)).not.toBeNull();
    const revoked = await keys.revoke(apiKey.keyId);
    expect(await keys.authenticate(key)).toBeNull();
    expect((await keys.revoke(apiKey.keyId))?.revokedAt).toEqual(revoked?.revokedAt);
    expect(await keys.revoke('key_none')).toBeUndefined();
  });

  test('another process forgets a revoked key', async () => {
    const { key, apiKey } = await keys.create(input);
    const other = createApiKeys({ model, pepper, log, transaction });
    expect(await other.authenticate(key)).not.toBeNull();
    await keys.revoke(apiKey.keyId);
    await until('the key is nobody', async () => (await other.authenticate(key)) === null);
  });

  test('keys are revoked, and found as revoked, by the time of the database, whatever the machine says', async () => {
    let now = Date.now() + 3_600_000;
    const timed = createApiKeys({ model, pepper, log, transaction, clock: () => new Date(now) });
    const [{ apiKey: gone }, { apiKey: kept }] = [await timed.create(input), await timed.create(input)];
    expect((await timed.revoke(gone.keyId))?.revokedAt).toEqual(new Date(now));
    now += 3_500;
    const found = (forMs: number) => timed.findRevoked([gone.keyId, kept.keyId, 'internal'], forMs);
    expect(await found(3_500)).toEqual(new Set([gone.keyId]));
    expect(await found(3_501)).toEqual(new Set());
  });

  test('a key of a seed file is stored once and stays revoked', async () => {
    const seeded = { tenantId: 'acme', scopes: ['partner'] as const, label: 'demo' };
    await Promise.all([1, 2, 3].map(() => keys.keep('raas_sandbox_acme_full', seeded)));
    const stored = (await keys.list('acme/sandbox')).filter(({ label }) => label === 'demo');
    expect(stored).toHaveLength(1);
    await keys.revoke(stored[0]!.keyId);
    await keys.keep('raas_sandbox_acme_full', seeded);
    expect(await keys.authenticate('raas_sandbox_acme_full')).toBeNull();
  });

  test('raas_live_ keys are live', async () => {
    const { key, apiKey } = await keys.create({ ...input, accountId: 'acme/live' });
    expect(key).toMatch(/^raas_live_/);
    expect((await keys.authenticate(key))?.accountId).toBe('acme/live');
    expect(apiKey.environment).toBe('live');
  });

  describe('the environment', () => {
    const seeded = { tenantId: 'env', scopes: ['partner'] as const, label: '' };
    const KEYS_OF_SEEDS = [
      ['raas_live_123456', 'live'],
      ['raas_live_acme_full', 'live'],
      ['raas_live_acme_full_0123456789', 'live'],
      ['raas_livery_123456', 'sandbox'],
      ['RAAS_LIVE_12345678', 'sandbox'],
      ['x_raas_live_acme_full', 'sandbox'],
    ] as const;
    const listed = async (key: string) =>
      (await Promise.all(accountsOf(['env']).map((accountId) => keys.list(accountId))))
        .flat()
        .find(({ prefix }) => prefix === key.slice(0, Math.min(16, key.length >> 1)));
    afterEach(() => model.deleteMany({ accountId: { $in: accountsOf(['env']) } }));

    test.each(KEYS_OF_SEEDS)('of %s is %s, however much of it is shown', async (key, environment) => {
      await keys.keep(key, seeded);
      expect((await keys.authenticate(key))?.accountId).toBe(`env/${environment}`);
      expect((await listed(key))?.environment).toBe(environment);
    });
  });

  test('notes the last use', async () => {
    const { key, apiKey } = await keys.create(input);
    await keys.authenticate(key);
    const lastUsedAt = async () =>
      (await keys.list('acme/sandbox')).find(({ keyId }) => keyId === apiKey.keyId)?.lastUsedAt;
    while ((await lastUsedAt()) === undefined) {
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    expect(await lastUsedAt()).toBeInstanceOf(Date);
  });
});
