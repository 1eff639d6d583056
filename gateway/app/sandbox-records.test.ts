import { expect, test } from '@jest/globals';
import mongoose from 'mongoose';
import { createModels } from './models.ts';
import { createResetSources, KEPT_AT_RESET } from './sandbox-records.ts';

test('a reset covers every collection with records of accounts, or names the reason why not', () => {
  const connection = mongoose.createConnection();
  createModels(connection);
  const ofAccounts = connection
    .modelNames()
    .map((name) => connection.model(name))
    .filter(({ schema }) => schema.path('accountId'))
    .map(({ collection }) => collection.name);
  const covered = createResetSources(connection).flatMap(({ collections }) => collections);
  expect(new Set(covered).size).toBe(covered.length);
  expect(covered.filter((name) => name in KEPT_AT_RESET)).toEqual([]);
  // Their ids begin with the account, or are digests that name it.
  const byId = ['idempotencyKeys', 'operationIds', 'webhookOrders'];
  expect([...covered, ...Object.keys(KEPT_AT_RESET)].sort()).toEqual([...ofAccounts, ...byId].sort());
});
