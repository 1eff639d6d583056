import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { recordName, type TimelineRecord } from '../graph/timeline.ts';
import type { AccountId } from '../kernel/account.ts';
import { openTestBench, type TestBench, type TestEngine, testDelivery } from './testing-engine.ts';

const RECORD: TimelineRecord = { type: 'RequestMoney', id: 'AB12cd34' };

let bench: TestBench;
let webhooks: TestEngine;
beforeAll(async () => {
  bench = await openTestBench();
  webhooks = bench.start();
});
afterAll(async () => {
  await bench.reset();
  await bench.close();
});

const failed = (accountId: AccountId, minute: number, record = RECORD) =>
  testDelivery('https://hooks.test/', {
    accountId,
    event: 'operation_error',
    about: recordName(record),
    createdAt: new Date(Date.UTC(2026, 0, 1, 0, minute)),
  });

test('webhooks about the failed calls of a record are found by it: the newest, of its tenant alone', async () => {
  const [first = '', second = '', third = ''] = await bench.enqueue(
    webhooks,
    failed('acme/sandbox', 1),
    failed('acme/sandbox', 2),
    failed('acme/sandbox', 3),
    failed('acme/sandbox', 4, { ...RECORD, id: 'ZZ12cd34' }),
    testDelivery('https://hooks.test/', { event: 'operation_created' }),
    failed('globex/sandbox', 5),
  );
  const find = async (most: number) =>
    (await webhooks.deliveries.aboutFailures('acme/sandbox', RECORD, most)).map(({ id }) => id);
  expect(await find(10)).toEqual([third, second, first]);
  expect(await find(2)).toEqual([third, second]);
  expect(await webhooks.deliveries.aboutFailures('globex/sandbox', RECORD, 10)).toHaveLength(1);
  expect(await webhooks.deliveries.aboutFailures('soylent/sandbox', RECORD, 10)).toEqual([]);
});
