import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type AccountId, ENVIRONMENTS } from '../../../subgraphs/kernel/account.ts';
import { makeIndexes } from '../../../subgraphs/kernel/database/indexes.ts';
import type { Database } from '../../../subgraphs/kernel/database/open-database.ts';
import {
  createDeliveryTotalsModel,
  type DeliveryTotalsModel,
  readDeliveryTotals,
} from '../../../subgraphs/webhooks/totals.ts';
import { findUnserved, recordQueries } from '../../../test/support/query-shapes.ts';
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
      tenants: { environments: ENVIRONMENTS, findStored: async (accountId: AccountId) => ({ accountId }) },
      webhookTotals: (accountId: AccountId, since: Date) => readDeliveryTotals(totals, accountId, since),
    } as unknown as AdminDeps;
    return runCommand(deps, args);
  };
  const daysAgo = (days: number) => new Date(Math.floor(Date.now() / 86_400_000 - days) * 86_400_000);
  const dayOf = (date: Date) => date.toISOString().slice(0, 10);
  const total = (accountId: AccountId, days: number, endpoint = 'e1') => ({
    _id: `${accountId}|${endpoint}|${days}`,
    accountId,
    endpoint,
    day: daysAgo(days),
    delivered: days,
    deadLettered: 1,
    attempts: days + 5,
  });

  test("shows the tenant's counts, newest day first, 90 days back or as many as --days says", async () => {
    await totals.insertMany([
      total('counted/sandbox', 40),
      total('counted/sandbox', 90),
      total('counted/sandbox', 31, 'e2'),
      total('counted/sandbox', 31),
      total('counted/sandbox', 91),
      total('another/sandbox', 31),
    ]);
    const { rows } = await run('webhooks', 'totals', '--tenant', 'counted');
    expect(rows.map(({ day, endpoint }) => [day, endpoint])).toEqual([
      [dayOf(daysAgo(31)), 'e1'],
      [dayOf(daysAgo(31)), 'e2'],
      [dayOf(daysAgo(40)), 'e1'],
      [dayOf(daysAgo(90)), 'e1'],
    ]);
    expect(rows[2]).toMatchObject({ delivered: 40, deadLettered: 1, attempts: 45 });
    const queries = recordQueries(store.connection);
    expect((await run('webhooks', 'totals', '--tenant', 'counted', '--days', '91')).rows).toHaveLength(5);
    expect([queries.length > 0, findUnserved(store.connection, queries)]).toEqual([true, []]);
  });

  test.each(['0', '-1', '1.5', 'x', '100000'])('does not go back %s days', async (days) => {
    await expect(run('webhooks', 'totals', '--tenant', 'counted', `--days=${days}`)).rejects.toThrow(
      '--days takes a number of days.',
    );
  });
});
