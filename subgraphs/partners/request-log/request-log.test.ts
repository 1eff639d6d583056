import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { pino } from 'pino';
import { openTestDatabase } from '../../../test/support/test-database.ts';
import { makeIndexes } from '../../kernel/database/indexes.ts';
import type { Database } from '../../kernel/database/open-database.ts';
import { createRequestLog } from './index.ts';
import { createRequestLogModel } from './model.ts';

let store: Database;
beforeAll(async () => {
  store = await openTestDatabase();
  createRequestLogModel(store.connection);
  await makeIndexes(store.connection);
});
afterAll(() => store.close());

test('a request is recorded by the time of its beginning on the clock of the database, whatever the machine says', async () => {
  const now = new Date(Date.now() + 3_600_000);
  const { connection } = store;
  const requestLog = createRequestLog({ connection, log: pino({ level: 'silent' }), clock: () => now });
  requestLog.record({
    ...{ _id: 'req_1', accountId: 'acme/sandbox', keyId: 'key_1', requestId: 'r1', keys: ['r1'] },
    ...{ surface: 'GRAPHQL', isMutation: true, outcome: 'SUCCESS', ms: 1_500 },
  });
  await requestLog.close();
  const stored = await createRequestLogModel(connection).findById('req_1').lean();
  expect(stored?.createdAt).toEqual(new Date(now.getTime() - 1_500));
});
