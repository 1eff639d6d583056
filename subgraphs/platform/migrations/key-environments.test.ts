import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import type { Model } from 'mongoose';
import { openTestDatabase } from '../../../test/support/test-database.ts';
import { makeIndexes } from '../database/indexes.ts';
import type { Database } from '../database/open-database.ts';
import { type ApiKeyDocument, createApiKeyModel } from '../keys/model.ts';
import { keyEnvironments } from './0002-key-environments.ts';

let database: Database;
let keys: Model<ApiKeyDocument>;
beforeAll(async () => {
  database = await openTestDatabase();
  keys = createApiKeyModel(database.connection);
  await makeIndexes(database.connection);
});
beforeEach(async () => {
  await keys.deleteMany();
});
afterAll(() => database.close());

const key = (_id: string, prefix: string) => ({ _id, prefix, hash: _id, tenantId: 'a', label: '' });
const environments = async () =>
  (await keys.find().sort({ _id: 1 }).lean()).map(({ environment }) => environment);
const run = async (progress?: unknown) => {
  const saved: unknown[] = [];
  const save = async (one: unknown) => void saved.push(one);
  const { signal } = new AbortController();
  await keyEnvironments.run({ connection: database.connection, progress, save, signal });
  return saved;
};

test('keys are told by prefixes that prove it, and left open elsewhere', async () => {
  const prefixes = ['raas_live_123456', 'raas_li', 'raas_sandbox_env'];
  await keys.collection.insertMany(prefixes.map((prefix, index) => key(String(index), prefix)) as never[]);
  await run();
  expect(await environments()).toEqual(['live', undefined, 'sandbox']);
});

test('many keys are read page by page, and a run that takes over begins after the saved one', async () => {
  const ids = Array.from({ length: 450 }, (_, index) => String(index).padStart(4, '0'));
  await keys.collection.insertMany(ids.map((id) => key(id, 'raas_live_123456')) as never[]);
  expect(await run('0199')).toEqual(['0399']);
  expect(await environments()).toEqual(ids.map((id) => (id > '0199' ? 'live' : undefined)));
  expect(await run()).toEqual(['0199', '0399']);
  expect(new Set(await environments())).toEqual(new Set(['live']));
});
