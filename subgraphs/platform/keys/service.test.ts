import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { pino } from 'pino';
import { until } from '../../../test/support/until.ts';
import { makeIndexesOf } from '../store/indexes.ts';
import { openTestStore } from '../store/testing.ts';
import type { Store } from '../store/types.ts';
import { createApiKeyModel } from './model.ts';
import { type ApiKeys, createApiKeys } from './service.ts';

const log = pino({ level: 'silent' });
const pepper = 'p'.repeat(32);
let store: Store;
let keys: ApiKeys;
let model: ReturnType<typeof createApiKeyModel>;

beforeAll(async () => {
  store = await openTestStore();
  model = createApiKeyModel(store.connection);
  await makeIndexesOf(model);
  keys = createApiKeys({ model, pepper, log });
});
afterAll(() => store.close());

const input = {
  tenantId: 'acme',
  scopes: ['partner'] as const,
  label: 'backend',
  environment: 'sandbox' as const,
};

describe('API keys', () => {
  test('a key authenticates its tenant, by whatever process shares the pepper', async () => {
    const { key, apiKey } = await keys.create(input);
    const other = createApiKeys({ model, pepper, log });
    const expected = { keyId: apiKey.keyId, tenantId: 'acme', scopes: ['partner'], environment: 'sandbox' };
    expect(await keys.authenticate(key)).toEqual(expected);
    expect(await other.authenticate(key)).toEqual(expected);
  });

  test('the store holds neither the key nor anything that it could be told from', async () => {
    const { key } = await keys.create(input);
    const stored = JSON.stringify(await store.connection.collection('apiKeys').find().toArray());
    expect(stored).not.toContain(key);
    expect(stored).not.toContain(key.slice(-20));
    expect(
      await createApiKeys({
        model,
        pepper: 'q'.repeat(32),
        log,
      }).authenticate(key),
    ).toBeNull();
  });

  test.each([undefined, '', 'raas_sandbox_unknown', 'x'.repeat(10_000)])('%p is nobody', async (key) => {
    expect(await keys.authenticate(key)).toBeNull();
  });

  test('a revoked key is nobody; revoking again keeps the first time', async () => {
    const { key, apiKey } = await keys.create(input);
    expect(await keys.authenticate(key)).not.toBeNull();
    const revoked = await keys.revoke(apiKey.keyId);
    expect(await keys.authenticate(key)).toBeNull();
    expect((await keys.revoke(apiKey.keyId))?.revokedAt).toEqual(revoked?.revokedAt);
    expect(await keys.revoke('key_none')).toBeUndefined();
  });

  test('another process forgets a revoked key', async () => {
    const { key, apiKey } = await keys.create(input);
    const other = createApiKeys({ model, pepper, log });
    expect(await other.authenticate(key)).not.toBeNull();
    await keys.revoke(apiKey.keyId);
    await until('the key is nobody', async () => (await other.authenticate(key)) === null);
  });

  test('a key of a seed file is stored once and stays revoked', async () => {
    const seeded = { tenantId: 'acme', scopes: ['partner'] as const, label: 'demo' };
    await Promise.all([1, 2, 3].map(() => keys.keep('raas_sandbox_acme_full', seeded)));
    const stored = (await keys.list('acme')).filter(({ label }) => label === 'demo');
    expect(stored).toHaveLength(1);
    await keys.revoke(stored[0]!.keyId);
    await keys.keep('raas_sandbox_acme_full', seeded);
    expect(await keys.authenticate('raas_sandbox_acme_full')).toBeNull();
  });

  test('raas_live_ keys are live', async () => {
    const { key } = await keys.create({ ...input, environment: 'live' });
    expect(key).toMatch(/^raas_live_/);
    expect((await keys.authenticate(key))?.environment).toBe('live');
  });

  test('notes the last use', async () => {
    const { key, apiKey } = await keys.create(input);
    await keys.authenticate(key);
    const lastUsedAt = async () =>
      (await keys.list('acme')).find(({ keyId }) => keyId === apiKey.keyId)?.lastUsedAt;
    while ((await lastUsedAt()) === undefined) {
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    expect(await lastUsedAt()).toBeInstanceOf(Date);
  });
});
