import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { openTestDatabase } from '../../../test/support/test-database.ts';
import type { Database } from '../../kernel/database/open-database.ts';
import { createTransactions } from '../../kernel/database/transaction.ts';
import { createEventLog } from './log.ts';
import { createEventModels } from './model.ts';
import { newEvent, PARTITION } from './testing.ts';

let database: Database;
beforeAll(async () => {
  database = await openTestDatabase();
  await createEventModels(database.connection).events.createCollection();
});
afterAll(() => database.close());

test.each([
  ['however many there are', [[newEvent()], [newEvent({ entityId: 'o2' })]], 1],
  ['not for none', [[], []], 0],
])('events have the sequencer woken once behind the commit, %s', async (_what, appended, wakes) => {
  let woken = 0;
  const { events: model } = createEventModels(database.connection);
  const log = createEventLog({
    model,
    partitions: 64,
    wake: (partition) => {
      expect(partition).toBe(PARTITION);
      woken += 1;
    },
  });
  await createTransactions(database.connection)((unit) => {
    for (const events of appended) {
      log.append(events, unit);
    }
    expect(woken).toBe(0);
  });
  expect(woken).toBe(wakes);
});
