import { randomBytes } from 'node:crypto';
import { expect, test } from '@jest/globals';
import mongoose from 'mongoose';
import { loadConfig } from '../../subgraphs/platform/config/load.ts';
import { digestIndexes } from '../../subgraphs/platform/database/indexes.ts';
import { createLogger } from '../../subgraphs/platform/log/log.ts';
import { MIGRATIONS } from '../../subgraphs/platform/migrations/list.ts';
import { createModels } from './models.ts';
import { createSubgraphs } from './subgraphs.ts';

const withModels = () => {
  const connection = mongoose.createConnection();
  createModels(connection);
  return connection;
};

test('every model that the product uses is brought to a connection', async () => {
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

test('the last migration of indexes makes all that the models declare; another index needs another migration', () => {
  const last = MIGRATIONS.findLast(({ content }) => content !== undefined);
  expect(last?.content).toBe(digestIndexes(withModels()));
});

test('migrations have the numbers from 1 on, and names of their own', () => {
  expect(MIGRATIONS.map(({ number }) => number)).toEqual(MIGRATIONS.map((_, index) => index + 1));
  expect(new Set(MIGRATIONS.map(({ name }) => name)).size).toBe(MIGRATIONS.length);
});
