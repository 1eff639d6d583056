import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { makeIndexes } from '../../subgraphs/kernel/database/indexes.ts';
import type { Database } from '../../subgraphs/kernel/database/open-database.ts';
import { createTransactions } from '../../subgraphs/kernel/database/transaction.ts';
import { findUnserved, recordQueries } from '../../test/support/query-shapes.ts';
import { openTestDatabase } from '../../test/support/test-database.ts';
import { createModels } from './models.ts';
import { createResetSources, KEPT_AT_RESET } from './sandbox-records.ts';

let store: Database;

beforeAll(async () => {
  store = await openTestDatabase();
  createModels(store.connection);
  await makeIndexes(store.connection);
});
afterAll(() => store.close());

test('a reset covers every collection with records of accounts, or names the reason why not', () => {
  const { connection } = store;
  const ofAccounts = connection
    .modelNames()
    .map((name) => connection.model(name))
    .filter(({ schema }) => schema.path('accountId'))
    .map(({ collection }) => collection.name);
  const covered = createResetSources(connection).flatMap(({ collections }) => collections);
  expect(new Set(covered).size).toBe(covered.length);
  expect(covered.filter((name) => name in KEPT_AT_RESET)).toEqual([]);
  // Their ids begin with the account, or are digests that name it.
  const byId = ['idempotencyKeys', 'uniqueValues', 'webhookOrders'];
  expect([...covered, ...Object.keys(KEPT_AT_RESET)].sort()).toEqual([...ofAccounts, ...byId].sort());
});

test('an index of the account serves every read and removal of a reset', async () => {
  const { connection } = store;
  const queries = recordQueries(connection);
  const sources = createResetSources(connection);
  for (const { count, remove } of sources) {
    await count('acme/sandbox');
    await createTransactions(connection)((unit) => remove('acme/sandbox', 100, unit));
  }
  expect(queries.length).toBeGreaterThan(2 * sources.length);
  // Attempts are those of a hundred deliveries at most; of an account's events, all but the newest have a number.
  const selective = { webhookAttempts: ['deliveryId'], events: ['accountId'] };
  expect(findUnserved(connection, queries, selective)).toEqual([]);
});
