import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { openTestDatabase } from '../../../test/support/test-database.ts';
import type { AccountId } from '../../kernel/account.ts';
import { createBox } from '../../kernel/crypto/box.ts';
import { makeIndexes } from '../../kernel/database/indexes.ts';
import type { Database } from '../../kernel/database/open-database.ts';
import { createTransactions } from '../../kernel/database/transaction.ts';
import { fail, succeed } from '../../kernel/errors/result.ts';
import { createTenantModels, type TenantModels } from './model.ts';
import { createTenants, type TenantInput, type Tenants } from './service.ts';

const ACCOUNT: AccountId = 'acme/sandbox';
const OPS_URL = 'https://ops.acme.test/in';

describe('the receivers of operational events', () => {
  let store: Database;
  let models: TenantModels;
  /** Two processes on one database. */
  let one: Tenants;
  let other: Tenants;
  const box = createBox(randomBytes(32));
  const start = () => createTenants({ models, box, transaction: createTransactions(store.connection) });

  beforeAll(async () => {
    store = await openTestDatabase();
    models = createTenantModels(store.connection);
    await makeIndexes(store.connection);
  });
  beforeEach(async () => {
    await models.tenants.deleteMany({});
    [one, other] = [start(), start()];
    const input: TenantInput = {
      ...{ accountId: ACCOUNT, name: 'Acme', fee: { fixed: '0', percent: '0' }, webhookEvents: [] },
      ...{ countries: [], dialCodes: [], features: [], flows: [], mtlsClientCertSha256: [] },
    };
    await one.upsert(input);
  });
  afterAll(() => store.close());

  const configOf = async (tenants: Tenants) => (await tenants.find(ACCOUNT))?.operationalEvents;

  test('keep the change that another process has just made, although this one has an older partner', async () => {
    expect(await configOf(other)).toBeUndefined();
    await one.changeOperationalEvents(ACCOUNT, (before) => succeed({ ...before, url: OPS_URL }));
    const emails = ['ops@acme.test'];
    const changed = await other.changeOperationalEvents(ACCOUNT, (before) => succeed({ ...before, emails }));
    expect(changed).toMatchObject({
      value: { operationalEvents: { url: OPS_URL, emails, timeZone: 'UTC' } },
    });
    expect(await configOf(other)).toEqual({ url: OPS_URL, emails, timeZone: 'UTC' });
  });

  test('have both of two changes at once', async () => {
    const emails = ['ops@acme.test'];
    await Promise.all([
      one.changeOperationalEvents(ACCOUNT, (before) => succeed({ ...before, url: OPS_URL })),
      other.changeOperationalEvents(ACCOUNT, (before) => succeed({ ...before, emails })),
    ]);
    expect(await configOf(start())).toEqual({ url: OPS_URL, emails, timeZone: 'UTC' });
  });

  test('stay as they are after a change that fails, and are not made for an unknown partner', async () => {
    const failed = await one.changeOperationalEvents(ACCOUNT, () => fail('INVALID_REQUEST'));
    expect(failed).toMatchObject({ ok: false });
    expect(await configOf(one)).toBeUndefined();
    expect(await one.changeOperationalEvents('other/sandbox', succeed)).toBeUndefined();
    expect(await models.tenants.countDocuments()).toBe(1);
  });

  test('are an endpoint while they have a URL, also one that another process has set or removed', async () => {
    const exists = () => other.endpoints.exists(ACCOUNT, 'operational');
    expect([await configOf(other), await exists()]).toEqual([undefined, false]);
    await one.changeOperationalEvents(ACCOUNT, (before) => succeed({ ...before, url: OPS_URL }));
    expect([await configOf(other), await exists()]).toEqual([undefined, true]);
    await one.changeOperationalEvents(ACCOUNT, ({ url: _, ...before }) => succeed(before));
    expect(await exists()).toBe(false);
    expect(await other.endpoints.exists('other/sandbox', 'operational')).toBe(false);
  });
});
