import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { openTestDatabase } from '../../../test/support/test-database.ts';
import { makeIndexes } from '../../kernel/database/indexes.ts';
import type { Database } from '../../kernel/database/open-database.ts';
import { readLogStatus } from './log-status.ts';
import { createEventModels, EVENT_HEAD, type EventModels } from './model.ts';

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
  expect(await readLogStatus(models, NOW)).toEqual({
    ...{ lastSeq: 0, numberedAt: null, unnumbered: 0, oldestAt: null, lagMs: 0 },
  });
  await models.head.create({ _id: EVENT_HEAD, lastSeq: 7, term: 1, keptUntil: NOW, numberedAt: ago(2) });
  const event = (version: number, seconds: number, more: object) => ({
    ...{ accountId: 'a/sandbox', entity: 'link', entityId: 'l', version, occurredAt: ago(seconds), ...more },
  });
  await database.connection
    .collection('events')
    .insertMany([event(1, 9, { seq: 7 }), event(2, 3, { pending: true }), event(3, 1, { pending: true })]);
  expect(await readLogStatus(models, NOW)).toEqual({
    ...{ lastSeq: 7, numberedAt: ago(2), unnumbered: 2, oldestAt: ago(3), lagMs: 3_000 },
  });
});
