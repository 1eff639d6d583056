import { describe, expect, test } from '@jest/globals';
import type { AccountId } from '../kernel/account.ts';
import type { UnitOfWork } from '../kernel/database/unit-of-work.ts';
import { unwrap, useEndpointsBench } from './testing-endpoints.ts';
import { testDelivery, times } from './testing-engine.ts';

const HOUR_MS = 3_600_000;

describe('paused endpoints of a partner', () => {
  const stage = useEndpointsBench();
  let accountId: AccountId;
  const isPaused = async (url: string) => {
    const [health] = await stage.engine.endpoints.health(accountId, [
      stage.engine.endpoints.identify(accountId, url),
    ]);
    return health?.pausedAt != null;
  };
  /** Pauses a URL that two endpoints of a new tenant have, as a seed file may give it. @returns the id of the second one */
  const pauseSharedUrl = async () => {
    accountId = await stage.newTenant();
    const { id } = unwrap(await stage.endpoints.create(accountId, { url: 'https://both.test/' })).endpoint;
    await stage.storeTenant(accountId, 'https://both.test/');
    unwrap(await stage.endpoints.pause(accountId, 'first'));
    return id;
  };

  test("are the tenant's own, first or further, and report what waits for them", async () => {
    accountId = await stage.newTenant();
    const victim = accountId;
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
    accountId = await stage.newTenant();
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

  test('have the URL that another process set a moment ago', async () => {
    accountId = await stage.newTenant();
    const { id } = unwrap(await stage.endpoints.create(accountId, { url: 'https://old.test/' })).endpoint;
    await stage.others.find(accountId);
    unwrap(await stage.endpoints.update(accountId, id, { url: 'https://new.test/' }));
    expect(unwrap(await stage.elsewhere.receiver(accountId, id)).url).toBe('https://new.test/');
    expect(unwrap(await stage.elsewhere.pause(accountId, id)).url).toBe('https://new.test/');
    expect([await isPaused('https://old.test/'), await isPaused('https://new.test/')]).toEqual([false, true]);
    unwrap(await stage.elsewhere.remove(accountId, id));
    expect(await isPaused('https://new.test/')).toBe(false);
  });

  test('stay paused at another URL, and hold no webhooks once they are removed', async () => {
    accountId = await stage.newTenant();
    const { id } = unwrap(await stage.endpoints.create(accountId, { url: 'https://old.test/' })).endpoint;
    unwrap(await stage.endpoints.pause(accountId, id));
    unwrap(await stage.endpoints.update(accountId, id, { url: 'https://new.test/' }));
    expect([await isPaused('https://old.test/'), await isPaused('https://new.test/')]).toEqual([false, true]);
    unwrap(await stage.endpoints.remove(accountId, id));
    expect(await isPaused('https://new.test/')).toBe(false);
  });

  test('keep the pause of a shared URL when one of the two is removed', async () => {
    const id = await pauseSharedUrl();
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

  test('stay paused at the URL that a seed file gives them, and are free without one', async () => {
    accountId = await stage.newTenant();
    await stage.applySeed(accountId, 'https://seeded.test/');
    unwrap(await stage.endpoints.pause(accountId, 'first'));
    await stage.applySeed(accountId, 'https://seeded.test/');
    expect(await isPaused('https://seeded.test/')).toBe(true);
    await stage.applySeed(accountId, 'https://moved.test/');
    expect([await isPaused('https://seeded.test/'), await isPaused('https://moved.test/')]).toEqual([
      false,
      true,
    ]);
    await stage.applySeed(accountId);
    expect(await isPaused('https://moved.test/')).toBe(false);
    expect(await stage.endpoints.list(accountId)).toEqual([]);
  });

  test('leave no pause at the URL of outcomes, which nobody could end', async () => {
    accountId = await stage.newTenant();
    const { id } = unwrap(await stage.endpoints.create(accountId, { url: 'https://outcome.test/' })).endpoint;
    await stage.storeTenant(accountId, 'https://first.test/', 'https://outcome.test/');
    unwrap(await stage.endpoints.pause(accountId, id));
    unwrap(await stage.endpoints.update(accountId, id, { url: 'https://new.test/' }));
    expect([await isPaused('https://outcome.test/'), await isPaused('https://new.test/')]).toEqual([
      false,
      true,
    ]);
    unwrap(await stage.endpoints.update(accountId, id, { url: 'https://outcome.test/' }));
    unwrap(await stage.endpoints.remove(accountId, id));
    expect(await isPaused('https://outcome.test/')).toBe(false);
  });

  test('leave the pause at a URL that another endpoint still has', async () => {
    const id = await pauseSharedUrl();
    unwrap(await stage.endpoints.update(accountId, id, { url: 'https://new.test/' }));
    expect([await isPaused('https://both.test/'), await isPaused('https://new.test/')]).toEqual([
      true,
      false,
    ]);
  });

  test.each(['https://new.test/', null])('move with their URL to %s in the same transaction', async (url) => {
    accountId = await stage.newTenant();
    unwrap(await stage.endpoints.pause(accountId, 'first'));
    await stage.tenants.changeWebhooks(accountId, { url }, (unit) =>
      stage.endpoints.move(accountId, 'first', url, unit),
    );
    // Nothing is left to do after the commit.
    expect([await isPaused('https://first.test/'), await isPaused('https://new.test/')]).toEqual([
      false,
      url !== null,
    ]);
  });

  test('follow a change of their URL that is made at the same time, and hold nothing once they are removed', async () => {
    accountId = await stage.newTenant();
    const { id } = unwrap(await stage.endpoints.create(accountId, { url: 'https://old.test/' })).endpoint;
    // The other process pauses after the change has read what it changes, and before it commits.
    const pauseMeanwhile = (unit: UnitOfWork) =>
      unit.beforeEnd(async () => {
        paused ??= stage.elsewhere.pause(accountId, id);
        await paused;
      });
    let paused: Promise<unknown> | undefined;
    unwrap(await stage.endpoints.update(accountId, id, { url: 'https://new.test/' }, pauseMeanwhile));
    expect([await isPaused('https://old.test/'), await isPaused('https://new.test/')]).toEqual([false, true]);
    unwrap(await stage.endpoints.resume(accountId, id));
    paused = undefined;
    unwrap(await stage.endpoints.remove(accountId, id, pauseMeanwhile));
    expect(await isPaused('https://new.test/')).toBe(false);
  });

  test('stay where they are when the change of their URL fails', async () => {
    accountId = await stage.newTenant();
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
