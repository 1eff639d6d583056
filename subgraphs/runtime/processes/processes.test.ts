import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Model } from 'mongoose';
import { openTestDatabase } from '../../../test/support/test-database.ts';
import { until } from '../../../test/support/until.ts';
import { type Config, loadConfig } from '../../kernel/config/load.ts';
import { makeIndexes } from '../../kernel/database/indexes.ts';
import type { Database } from '../../kernel/database/open-database.ts';
import { createLogger } from '../../kernel/log/log.ts';
import { recordProcess } from './index.ts';
import { createProcessModel, type ProcessDocument } from './model.ts';

let measured = 0;
const CLOCK = {
  now: () => new Date(),
  measure: async () => {
    measured += 1;
  },
};

let dataDir: string;
let database: Database;
let model: Model<ProcessDocument>;
let config: Config;
beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'remitgraph-processes-'));
  database = await openTestDatabase(process.env);
  model = createProcessModel(database.connection);
  await makeIndexes(database.connection);
  config = loadConfig({ DATA_DIR: dataDir, LOG_LEVEL: 'warn' });
});
afterAll(async () => {
  await database.close();
  rmSync(dataDir, { recursive: true });
});

const start = () => {
  const { connection } = database;
  const record = recordProcess({
    ...{ connection, config, log: createLogger({ level: 'silent' }), clock: CLOCK },
    check: async () => undefined,
    onRefused: () => undefined,
  });
  record.start();
  return record;
};
const recorded = (count: number) =>
  until(`${count} records`, async () => (await model.countDocuments()) === count);

test('two processes have a record each; the one that stops takes its own away', async () => {
  const one = start();
  await recorded(1);
  const [first] = await model.find().lean();
  const other = start();
  await recorded(2);
  await one.stop();
  const [left, ...none] = await model.find().lean();
  expect(none).toEqual([]);
  expect(left?._id).not.toBe(first?._id);
  expect(left).toMatchObject({
    role: 'all',
    pid: process.pid,
    version: expect.stringMatching(/^\d+\.\d+\.\d+/),
  });
  expect(left?.settings.find(({ name }) => name === 'LOG_LEVEL')).toEqual({
    ...{ name: 'LOG_LEVEL', value: 'warn', source: 'GIVEN', isSecret: false },
  });
  expect(left?.settings.find(({ name }) => name === 'ENCRYPTION_KEY')).toEqual({
    ...{ name: 'ENCRYPTION_KEY', value: null, source: 'GENERATED', isSecret: true },
  });
  await other.stop();
  await recorded(0);
});

test("the clock is compared with the database's whenever the process is recorded", async () => {
  const before = measured;
  const record = start();
  await recorded(1);
  expect(measured).toBe(before + 1);
  await record.stop();
});

test('the record of a process that was killed is removed five minutes after it was seen last', async () => {
  const indexes = await model.collection.indexes();
  expect(indexes).toContainEqual(expect.objectContaining({ key: { seenAt: 1 }, expireAfterSeconds: 300 }));
});
