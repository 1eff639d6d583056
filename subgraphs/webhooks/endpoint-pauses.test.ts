import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { AccountId } from '../kernel/account.ts';
import { createBox } from '../kernel/crypto/box.ts';
import { makeIndexes } from '../kernel/database/indexes.ts';
import { createTransactions } from '../kernel/database/transaction.ts';
import type { Result } from '../kernel/errors/result.ts';
import { createTenantModels } from '../partners/tenants/model.ts';
import { createTenants, type TenantInput, type Tenants } from '../partners/tenants/service.ts';
import { createPartnerEndpoints, type PartnerEndpoints } from './partner-endpoints.ts';
import { openTestBench, type TestBench, type TestEngine, testDelivery, times } from './testing-engine.ts';

const HOUR_MS = 3_600_000;

describe('paused endpoints of a partner', () => {
  let bench: TestBench;
  let engine: TestEngine;
  let tenants: Tenants;
  let others: Tenants;
  let endpoints: PartnerEndpoints;
  let elsewhere: PartnerEndpoints;
  let accountId: AccountId;
  let number = 0;
  const box = createBox(randomBytes(32));
  const now = new Date('2026-11-21T08:00:00.000Z');
  beforeAll(async () => {
    bench = await openTestBench();
    const { connection } = bench.store;
    const models = createTenantModels(connection);
    await makeIndexes(connection);
    engine = bench.start();
    tenants = createTenants({ models, box, transaction: createTransactions(connection) });
    others = createTenants({ models, box, transaction: createTransactions(connection) });
    const deps = { endpoints: engine.endpoints, deliveries: engine.deliveries, clock: () => now };
    endpoints = createPartnerEndpoints({ ...deps, tenants });
    elsewhere = createPartnerEndpoints({ ...deps, tenants: others });
  });
  afterAll(async () => {
    await bench.reset();
    await bench.close();
  });

  /** A new tenant with the documented pair. */
  async function newTenant(): Promise<AccountId> {
    number += 1;
    accountId = `tenant${number}/sandbox`;
    await storeTenant('https://first.test/');
    return accountId;
  }
  async function storeTenant(webhookUrl: string): Promise<void> {
    const lists = { countries: [], dialCodes: [], features: [], flows: [], mtlsClientCertSha256: [] };
    await tenants.upsert({
      ...{ accountId, name: 'Some', fee: { fixed: '0', percent: '0' }, ...lists, webhookUrl },
      webhookSecret: 'whsec_first_01',
      webhookEvents: ['operation_created'],
    } as TenantInput);
  }
  const unwrap = <T>(result: Result<T>): T => {
    if (!result.ok) {
      throw new Error(result.failures[0]?.message);
    }
    return result.value;
  };
  const isPaused = async (url: string) => {
    const [health] = await engine.endpoints.health(accountId, [engine.endpoints.identify(accountId, url)]);
    return health?.pausedAt != null;
  };

  test("are the tenant's own, first or further, and report what waits for them", async () => {
    const victim = await newTenant();
    const { id } = unwrap(await endpoints.create(victim, { url: 'https://more.test/' })).endpoint;
    const createdAt = new Date(now.getTime() - HOUR_MS);
    const waiting = { accountId, url: 'https://more.test/', createdAt };
    await bench.enqueue(engine, ...times(3, () => testDelivery('', waiting)));
    unwrap(await endpoints.pause(victim, id));
    const views = await endpoints.list(victim);
    expect(await endpoints.report(victim, views)).toEqual([
      { pending: 0, oldestDueAt: null, health: null },
      {
        pending: 3,
        oldestDueAt: expect.any(Date),
        health: expect.objectContaining({ pausedAt: expect.any(Date) }),
      },
    ]);
    await newTenant();
    expect(await endpoints.resume(accountId, id)).toMatchObject({
      failures: [{ code: 'WEBHOOK_ENDPOINT_NOT_FOUND' }],
    });
    const [, stolen] = await endpoints.report(accountId, views);
    expect(stolen).toEqual({ pending: 0, oldestDueAt: null, health: null });
    unwrap(await endpoints.pause(accountId, 'first'));
    expect(await isPaused('https://first.test/')).toBe(true);
    unwrap(await endpoints.resume(accountId, 'first'));
    expect(await isPaused('https://first.test/')).toBe(false);
  });

  test('are those of the URL that another process has set a moment ago', async () => {
    await newTenant();
    const { id } = unwrap(await endpoints.create(accountId, { url: 'https://old.test/' })).endpoint;
    await others.find(accountId);
    unwrap(await endpoints.update(accountId, id, { url: 'https://new.test/' }));
    expect(unwrap(await elsewhere.receiver(accountId, id)).url).toBe('https://new.test/');
    expect(unwrap(await elsewhere.pause(accountId, id)).url).toBe('https://new.test/');
    expect([await isPaused('https://old.test/'), await isPaused('https://new.test/')]).toEqual([false, true]);
    unwrap(await elsewhere.remove(accountId, id));
    expect(await isPaused('https://new.test/')).toBe(false);
  });

  test('stay so at another URL, and keep nothing back once they are gone', async () => {
    await newTenant();
    const { id } = unwrap(await endpoints.create(accountId, { url: 'https://old.test/' })).endpoint;
    unwrap(await endpoints.pause(accountId, id));
    unwrap(await endpoints.update(accountId, id, { url: 'https://new.test/' }));
    expect([await isPaused('https://old.test/'), await isPaused('https://new.test/')]).toEqual([false, true]);
    unwrap(await endpoints.remove(accountId, id));
    expect(await isPaused('https://new.test/')).toBe(false);
  });

  test('keep the pause of a URL that another endpoint has too', async () => {
    await newTenant();
    const { id } = unwrap(await endpoints.create(accountId, { url: 'https://both.test/' })).endpoint;
    // As a seed file may have it.
    await storeTenant('https://both.test/');
    unwrap(await endpoints.pause(accountId, 'first'));
    unwrap(await endpoints.remove(accountId, id));
    expect(await isPaused('https://both.test/')).toBe(true);
    await others.find(accountId);
    await tenants.changeWebhooks(accountId, { url: 'https://alone.test/' }, (unit) =>
      elsewhere.move(accountId, 'first', 'https://alone.test/', unit),
    );
    expect([await isPaused('https://both.test/'), await isPaused('https://alone.test/')]).toEqual([
      false,
      true,
    ]);
    await tenants.changeWebhooks(accountId, { url: null }, (unit) =>
      endpoints.move(accountId, 'first', null, unit),
    );
    expect(await isPaused('https://alone.test/')).toBe(false);
  });

  test('keep the pause of a URL that they leave to another endpoint', async () => {
    await newTenant();
    const { id } = unwrap(await endpoints.create(accountId, { url: 'https://both.test/' })).endpoint;
    // As a seed file may have it.
    await storeTenant('https://both.test/');
    unwrap(await endpoints.pause(accountId, 'first'));
    unwrap(await endpoints.update(accountId, id, { url: 'https://new.test/' }));
    expect([await isPaused('https://both.test/'), await isPaused('https://new.test/')]).toEqual([
      true,
      false,
    ]);
  });

  test.each(['https://new.test/', null])(
    'move with their URL to %s, though the process is killed then',
    async (url) => {
      await newTenant();
      unwrap(await endpoints.pause(accountId, 'first'));
      await tenants.changeWebhooks(accountId, { url }, (unit) =>
        endpoints.move(accountId, 'first', url, unit),
      );
      // Nothing is left to do after the commit.
      expect([await isPaused('https://first.test/'), await isPaused('https://new.test/')]).toEqual([
        false,
        url !== null,
      ]);
    },
  );

  test('stay where they are when the change of their URL fails', async () => {
    await newTenant();
    const { id } = unwrap(await endpoints.create(accountId, { url: 'https://old.test/' })).endpoint;
    unwrap(await endpoints.pause(accountId, id));
    const change = { url: 'https://new.test/' };
    const fails = () => {
      throw new Error('the database is away');
    };
    await expect(endpoints.update(accountId, id, change, fails)).rejects.toThrow('away');
    expect(await endpoints.update(accountId, id, { url: 'https://first.test/' })).toMatchObject({
      failures: [{ code: 'WEBHOOK_ENDPOINT_EXISTS' }],
    });
    expect([await isPaused('https://old.test/'), await isPaused('https://new.test/')]).toEqual([true, false]);
    expect(await isPaused('https://both.test/')).toBe(false);
  });
});
