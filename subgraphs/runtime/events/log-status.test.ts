import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { openTestDatabase } from '../../../test/support/test-database.ts';
import { makeIndexes } from '../../kernel/database/indexes.ts';
import type { Database } from '../../kernel/database/open-database.ts';
import { readLogStatus } from './log-status.ts';
import { createEventModels, type EventModels } from './model.ts';
import { openLog } from './partitions.ts';

const NOW = new Date('2026-11-23T08:00:00.000Z');
const ago = (seconds: number) => new Date(NOW.getTime() - seconds * 1_000);

let database: Database;
let models: EventModels;
beforeAll(async () => {
  database = await openTestDatabase(process.env);
  models = createEventModels(database.connection);
  await makeIndexes(database.connection);
});
afterAll(() => database.close());

test('the event log stands where it is numbered; the oldest event without a number is its lag', async () => {
  const read = () => readLogStatus({ models, partitions: 4 }, NOW);
  expect(await read()).toEqual({
    ...{ numbered: 0, numberedAt: null, unnumbered: 0, oldestAt: null, lagMs: 0 },
    ...{ partitions: 4, withoutProcess: 4 },
  });
  await models.heads.create([
    { _id: 0, lastSeq: 7, term: 1, keptUntil: NOW, numberedAt: ago(2) },
    { _id: 3, lastSeq: 2, term: 1, keptUntil: NOW, numberedAt: ago(8) },
  ]);
  await openLog(models.log, 4);
  await models.log.updateOne(
    {},
    {
      $set: {
        processes: [
          { token: 'alive', until: ago(-3) },
          { token: 'killed', until: ago(3) },
        ],
        holders: [
          { token: 'alive', term: 1 },
          { token: 'killed', term: 1 },
          null,
          { token: 'alive', term: 2 },
        ],
      },
    },
  );
  const event = (version: number, seconds: number, more: object) => ({
    ...{
      partition: 0,
      accountId: 'a/sandbox',
      entity: 'link',
      entityId: 'l',
      version,
      occurredAt: ago(seconds),
      ...more,
    },
  });
  await database.connection
    .collection('events')
    .insertMany([
      event(1, 9, { seq: 7 }),
      event(2, 3, { pending: true }),
      event(3, 5, { partition: 3, pending: true }),
    ]);
  expect(await read()).toEqual({
    ...{ numbered: 9, numberedAt: ago(2), unnumbered: 2, oldestAt: ago(5), lagMs: 5_000 },
    ...{ partitions: 4, withoutProcess: 2 },
  });
});
