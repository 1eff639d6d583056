import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { pino } from 'pino';
import { openTestDatabase } from '../../../test/support/test-database.ts';
import type { AccountId } from '../../kernel/account.ts';
import { makeIndexes } from '../../kernel/database/indexes.ts';
import type { Database } from '../../kernel/database/open-database.ts';
import { createTransactions } from '../../kernel/database/transaction.ts';
import { PARTNER_SCOPES, type Principal } from '../../kernel/principal.ts';
import { createApiKeyModel } from './model.ts';
import { createPartnerKeys, type PartnerKeys } from './partner-keys.ts';
import { type ApiKeys, createApiKeys } from './service.ts';

const MINUTE_MS = 60_000;
let store: Database;
let apiKeys: ApiKeys;
let keys: PartnerKeys;
let tenants = 0;

beforeAll(async () => {
  store = await openTestDatabase();
  const model = createApiKeyModel(store.connection);
  await makeIndexes(store.connection);
  const common = {
    model,
    pepper: 'p'.repeat(32),
    log: pino({ level: 'silent' }),
    transaction: createTransactions(store.connection),
  };
  apiKeys = createApiKeys(common);
  keys = createPartnerKeys({ ...common, apiKeys, clock: () => new Date() });
});
afterAll(() => store.close());

/** The holder of a key; without a tenant, of a new partner. */
async function makeHolder(accountId: AccountId = `tenant-${tenants++}/sandbox`): Promise<Principal> {
  const { key } = await apiKeys.create({
    accountId,
    scopes: PARTNER_SCOPES,
    label: 'own',
  });
  return (await apiKeys.authenticate(key)) as Principal;
}

function unwrap<T>(result: { ok: true; value: T } | { ok: false; failures: readonly unknown[] }): T {
  if (!result.ok) {
    throw new Error(JSON.stringify(result.failures));
  }
  return result.value;
}

describe('A key that a console session makes', () => {
  const inSession = (holder: Principal): Principal => ({
    ...holder,
    scopes: ['partner', 'partner_admin'],
    consoleSession: { sessionId: 'cse_1', label: 'Ana', access: 'admin', expiresAt: Date.now() + MINUTE_MS },
  });
  const make = async (maker: Principal) =>
    unwrap(await keys.create(maker, { scopes: ['partner', 'partner_admin'], label: '' }));
  const holderOf = async ({ key }: { key: string }) => (await apiKeys.authenticate(key)) as Principal;

  test('ends when the key of the session is revoked, and so do keys, tokens and successors that came of it', async () => {
    const holder = await makeHolder();
    const other = await makeHolder(holder.accountId);
    const child = await make(inSession(holder));
    const grandchild = await make(await holderOf(child));
    const inner = await make(inSession(await holderOf(grandchild)));
    const successor = unwrap(await keys.rotate(await holderOf(child), child.apiKey.keyId, 60));
    const foreign = unwrap(await keys.rotate(inSession(holder), (await make(other)).apiKey.keyId, 60));
    const own = await make(holder);
    const made = [child, grandchild, inner, successor, foreign];
    expect(inner.apiKey.endsWith).toEqual([holder.keyId, grandchild.apiKey.keyId]);
    unwrap(await keys.revoke(other, holder.keyId));
    for (const { key } of made) {
      expect(await apiKeys.authenticate(key)).toBeNull();
    }
    expect(await apiKeys.authenticate(own.key)).not.toBeNull();
    expect(await apiKeys.findRevoked([child.apiKey.keyId], 0)).toEqual(new Set([child.apiKey.keyId]));
  });

  test('ends when an operator revokes the key of the session', async () => {
    const holder = await makeHolder();
    const child = await make(inSession(holder));
    await apiKeys.revoke(holder.keyId);
    expect(await apiKeys.authenticate(child.key)).toBeNull();
  });

  test('ends no later than the key of the session that is replaced, before or after', async () => {
    const holder = await makeHolder();
    const before = await make(inSession(holder));
    const { former } = unwrap(await keys.rotate(holder, holder.keyId, 60));
    const after = await make(inSession(holder));
    expect(after.apiKey.endsAt).toEqual(former.endsAt);
    const listed = await keys.list(holder, true);
    expect(listed.find(({ keyId }) => keyId === before.apiKey.keyId)?.endsAt).toEqual(former.endsAt);
  });

  test('is not made when the key of the session ends at the same time', async () => {
    for (let round = 0; round < 5; round += 1) {
      const holder = await makeHolder();
      const [made] = await Promise.all([
        keys.create(inSession(holder), { scopes: ['partner'], label: '' }),
        apiKeys.revoke(holder.keyId),
      ]);
      apiKeys.forget();
      expect(made.ok ? await apiKeys.authenticate(made.value.key) : null).toBeNull();
    }
  });

  test('does not take the place of the key of the session', async () => {
    const holder = await makeHolder();
    const rotated = await keys.rotate(inSession(holder), holder.keyId, 60);
    expect(rotated).toMatchObject({ ok: false, failures: [{ code: 'API_KEY_IN_USE' }] });
  });

  test('has no scope that the session lacks', async () => {
    const holder = await makeHolder();
    const made = await keys.create(inSession(holder), { scopes: ['partner', 'partner_full'], label: '' });
    expect(made).toMatchObject({ ok: false, failures: [{ path: ['scopes'] }] });
  });
});
