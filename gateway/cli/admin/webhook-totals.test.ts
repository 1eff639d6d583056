import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { makeIndexes } from '../../../subgraphs/kernel/database/indexes.ts';
import type { Database } from '../../../subgraphs/kernel/database/open-database.ts';
import {
  createDeliveryTotalsModel,
  type DeliveryTotalsModel,
  readDeliveryTotals,
} from '../../../subgraphs/webhooks/totals.ts';
import { openTestDatabase } from '../../../test/support/test-database.ts';
import { type AdminDeps, runCommand } from './commands.ts';

describe('webhooks totals', () => {
  let store: Database;
  let totals: DeliveryTotalsModel;
  beforeAll(async () => {
    store = await openTestDatabase();
    totals = createDeliveryTotalsModel(store.connection);
    await makeIndexes(store.connection);
  });
  afterAll(() => store.close());

  const run = (...args: string[]) => {
    const deps = {
      tenants: { find: async (tenantId: string) => ({ tenantId }) },
      webhookTotals: (tenantId: string, since: Date) => readDeliveryTotals(totals, tenantId, since),
    } as unknown as AdminDeps;
    return runCommand(deps, args);
  };
  const daysAgo = (days: number) => new Date(Math.floor(Date.now() / 86_400_000 - days) * 86_400_000);
  const dayOf = (date: Date) => date.toISOString().slice(0, 10);
  const total = (tenantId: string, days: number, endpoint = 'e1') => ({
    _id: `${tenantId}|${endpoint}|${days}`,
    tenantId,
    endpoint,
    day: daysAgo(days),
    delivered: days,
    deadLettered: 1,
    attempts: days + 5,
  });

  test("shows the tenant's counts, newest day first, 90 days back or as many as --days says", async () => {
    await totals.insertMany([
      total('counted', 40),
      total('counted', 90),
      total('counted', 31, 'e2'),
      total('counted', 31),
      total('counted', 91),
      total('another', 31),
    ]);
    const { rows } = await run('webhooks', 'totals', '--tenant', 'counted');
    expect(rows.map(({ day, endpoint }) => [day, endpoint])).toEqual([
      [dayOf(daysAgo(31)), 'e1'],
      [dayOf(daysAgo(31)), 'e2'],
      [dayOf(daysAgo(40)), 'e1'],
      [dayOf(daysAgo(90)), 'e1'],
    ]);
    expect(rows[2]).toMatchObject({ delivered: 40, deadLettered: 1, attempts: 45 });
    expect((await run('webhooks', 'totals', '--tenant', 'counted', '--days', '91')).rows).toHaveLength(5);
  });

  test.each(['0', '-1', '1.5', 'x', '100000'])('does not go back %s days', async (days) => {
    await expect(run('webhooks', 'totals', '--tenant', 'counted', `--days=${days}`)).rejects.toThrow(
      '--days takes a number of days.',
    );
  });
});
