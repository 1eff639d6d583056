import { randomBytes } from 'node:crypto';
import { expect, test } from '@jest/globals';
import mongoose from 'mongoose';
import { loadConfig } from '../../subgraphs/kernel/config/load.ts';
import { digestIndexes } from '../../subgraphs/kernel/database/indexes.ts';
import { createLogger } from '../../subgraphs/kernel/log/log.ts';
import { MIGRATIONS } from '../../subgraphs/runtime/migrations/list.ts';
import { createModels } from './models.ts';
import { createSubgraphs } from './subgraphs.ts';

const withModels = () => {
  const connection = mongoose.createConnection();
  createModels(connection);
  return connection;
};

test('every model of the product is registered on a connection', async () => {
  const served = mongoose.createConnection();
  const secret = randomBytes(32).toString('hex');
  const env = {
    ROLE: 'worker',
    MONGODB_URI: 'mongodb://h/d',
    ENCRYPTION_KEY: secret,
    API_KEY_PEPPER: secret,
  };
  const log = createLogger({ level: 'silent' });
  const subgraphs = await createSubgraphs({ config: loadConfig(env), connection: served, log });
  await subgraphs.stop();
  expect(withModels().modelNames()).toEqual(expect.arrayContaining(served.modelNames()));
});

test('the last migration creates all indexes of the models; a new index needs a new migration', () => {
  const last = MIGRATIONS.findLast(({ content }) => content !== undefined);
  expect(last?.content).toBe(digestIndexes(withModels()));
});

test('migrations are numbered from 1 and have unique names', () => {
  expect(MIGRATIONS.map(({ number }) => number)).toEqual(MIGRATIONS.map((_, index) => index + 1));
  expect(new Set(MIGRATIONS.map(({ name }) => name)).size).toBe(MIGRATIONS.length);
});
