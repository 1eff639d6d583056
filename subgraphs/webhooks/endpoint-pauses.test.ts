import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { AccountId } from '../kernel/account.ts';
import { type EndpointsBench, openEndpointsBench, unwrap } from './testing-endpoints.ts';
import { testDelivery, times } from './testing-engine.ts';

const HOUR_MS = 3_600_000;

describe('paused endpoints of a partner', () => {
  let stage: EndpointsBench;
  let accountId: AccountId;
  beforeAll(async () => {
    stage = await openEndpointsBench();
  });
  afterAll(() => stage.close());
  const newTenant = async () => {
    accountId = await stage.newTenant();
    return accountId;
  };
  const isPaused = async (url: string) => {
    const [health] = await stage.engine.endpoints.health(accountId, [
      stage.engine.endpoints.identify(accountId, url),
    ]);
    return health?.pausedAt != null;
  };

  test("are the tenant's own, first or further, and report what waits for them", async () => {
    const victim = await newTenant();
    const { id } = unwrap(await stage.endpoints.create(victim, { url: 'https://more.test/' })).endpoint;
    const createdAt = new Date(stage.now.getTime() - HOUR_MS);
    const waiting = { accountId, url: 'https://more.test/', createdAt };
    await stage.bench.enqueue(stage.engine, ...times(3, () => testDelivery('', waiting)));
    unwrap(await stage.endpoints.pause(victim, id));
    const views = await stage.endpoints.list(victim);
    expect(await stage.endpoints.report(victim, views)).toEqual([
      { pending: 0, oldestDueAt: null, health: null },
      {
        pending: 3,
        oldestDueAt: expect.any(Date),
        health: expect.objectContaining({ pausedAt: expect.any(Date) }),
      },
    ]);
    await newTenant();
    expect(await stage.endpoints.resume(accountId, id)).toMatchObject({
      failures: [{ code: 'WEBHOOK_ENDPOINT_NOT_FOUND' }],
    });
    const [, stolen] = await stage.endpoints.report(accountId, views);
    expect(stolen).toEqual({ pending: 0, oldestDueAt: null, health: null });
    unwrap(await stage.endpoints.pause(accountId, 'first'));
    expect(await isPaused('https://first.test/')).toBe(true);
    unwrap(await stage.endpoints.resume(accountId, 'first'));
    expect(await isPaused('https://first.test/')).toBe(false);
  });

  test('are those of the URL that another process has set a moment ago', async () => {
    await newTenant();
    const { id } = unwrap(await stage.endpoints.create(accountId, { url: 'https://old.test/' })).endpoint;
    await stage.others.find(accountId);
    unwrap(await stage.endpoints.update(accountId, id, { url: 'https://new.test/' }));
    expect(unwrap(await stage.elsewhere.receiver(accountId, id)).url).toBe('https://new.test/');
    expect(unwrap(await stage.elsewhere.pause(accountId, id)).url).toBe('https://new.test/');
    expect([await isPaused('https://old.test/'), await isPaused('https://new.test/')]).toEqual([false, true]);
    unwrap(await stage.elsewhere.remove(accountId, id));
    expect(await isPaused('https://new.test/')).toBe(false);
  });

  test('stay so at another URL, and keep nothing back once they are gone', async () => {
    await newTenant();
    const { id } = unwrap(await stage.endpoints.create(accountId, { url: 'https://old.test/' })).endpoint;
    unwrap(await stage.endpoints.pause(accountId, id));
    unwrap(await stage.endpoints.update(accountId, id, { url: 'https://new.test/' }));
    expect([await isPaused('https://old.test/'), await isPaused('https://new.test/')]).toEqual([false, true]);
    unwrap(await stage.endpoints.remove(accountId, id));
    expect(await isPaused('https://new.test/')).toBe(false);
  });

  test('keep the pause of a URL that another endpoint has too', async () => {
    await newTenant();
    const { id } = unwrap(await stage.endpoints.create(accountId, { url: 'https://both.test/' })).endpoint;
    // As a seed file may have it.
    await stage.storeTenant(accountId, 'https://both.test/');
    unwrap(await stage.endpoints.pause(accountId, 'first'));
    unwrap(await stage.endpoints.remove(accountId, id));
    expect(await isPaused('https://both.test/')).toBe(true);
    await stage.others.find(accountId);
    await stage.tenants.changeWebhooks(accountId, { url: 'https://alone.test/' }, (unit) =>
      stage.elsewhere.move(accountId, 'first', 'https://alone.test/', unit),
    );
    expect([await isPaused('https://both.test/'), await isPaused('https://alone.test/')]).toEqual([
      false,
      true,
    ]);
    await stage.tenants.changeWebhooks(accountId, { url: null }, (unit) =>
      stage.endpoints.move(accountId, 'first', null, unit),
    );
    expect(await isPaused('https://alone.test/')).toBe(false);
  });

  test('keep the pause of a URL that they leave to another endpoint', async () => {
    await newTenant();
    const { id } = unwrap(await stage.endpoints.create(accountId, { url: 'https://both.test/' })).endpoint;
    // As a seed file may have it.
    await stage.storeTenant(accountId, 'https://both.test/');
    unwrap(await stage.endpoints.pause(accountId, 'first'));
    unwrap(await stage.endpoints.update(accountId, id, { url: 'https://new.test/' }));
    expect([await isPaused('https://both.test/'), await isPaused('https://new.test/')]).toEqual([
      true,
      false,
    ]);
  });

  test.each(['https://new.test/', null])(
    'move with their URL to %s, though the process is killed then',
    async (url) => {
      await newTenant();
      unwrap(await stage.endpoints.pause(accountId, 'first'));
      await stage.tenants.changeWebhooks(accountId, { url }, (unit) =>
        stage.endpoints.move(accountId, 'first', url, unit),
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
    const { id } = unwrap(await stage.endpoints.create(accountId, { url: 'https://old.test/' })).endpoint;
    unwrap(await stage.endpoints.pause(accountId, id));
    const change = { url: 'https://new.test/' };
    const fails = () => {
      throw new Error('the database is away');
    };
    await expect(stage.endpoints.update(accountId, id, change, fails)).rejects.toThrow('away');
    expect(await stage.endpoints.update(accountId, id, { url: 'https://first.test/' })).toMatchObject({
      failures: [{ code: 'WEBHOOK_ENDPOINT_EXISTS' }],
    });
    expect([await isPaused('https://old.test/'), await isPaused('https://new.test/')]).toEqual([true, false]);
    expect(await isPaused('https://both.test/')).toBe(false);
  });
});
