import { beforeAll, describe, expect, test } from '@jest/globals';
import { findUnserved, recordQueries, type StoreQuery } from '../../../test/support/query-shapes.ts';
import { OPERATION_STATUSES, type OperationStatus, PARTNER_STATUSES, statusesBehind } from '../lifecycle.ts';
import { newCorrelationId, principal, START, stranger, useBench } from '../testing.ts';
import type { OperationPageQuery } from './page-operations.ts';

const bench = useBench('file');
let queries: readonly StoreQuery[];
/** In the order in which they were made, a minute apart: one of each status, the odd ones of the second user. */
const ids: string[] = [];
const references: string[] = [];

beforeAll(async () => {
  const users = [await bench.newUser(), await bench.newUser()];
  const stored = bench.database.connection.collection<{ _id: string; referenceId?: string }>('users');
  for (const userId of users) {
    references.push(String((await stored.findOne({ _id: userId }))?.referenceId));
  }
  for (const [index, status] of OPERATION_STATUSES.entries()) {
    bench.now = new Date(START.getTime() + index * 60_000);
    const correlationId = newCorrelationId();
    await bench.request(users[index % 2] ?? '', { correlationId });
    await bench.models.operations.updateOne({ operationId: correlationId }, { $set: { status } });
    ids.push(correlationId);
  }
  queries = recordQueries(bench.database.connection);
});

async function page(query: OperationPageQuery, by = principal) {
  const found = await bench.service.page(by, query);
  if (!found.ok) {
    return found.failures.map(({ code, path, message }) => `${code} ${path?.join('.')} ${message}`);
  }
  const { items, ...rest } = found.value;
  return { ...rest, numbers: items.map(({ operationId }) => ids.indexOf(operationId)) };
}

const at = (index: number) => new Date(START.getTime() + index * 60_000).toISOString();
const numbersOf = (...statuses: OperationStatus[]) =>
  OPERATION_STATUSES.flatMap((status, index) => (statuses.includes(status) ? [index] : [])).toReversed();

describe('operations by page', () => {
  test('have five statuses in the words of document 3', async () => {
    expect(Object.fromEntries(PARTNER_STATUSES.map((status) => [status, statusesBehind(status)]))).toEqual({
      pending: ['Sent', 'Funding', 'Accepted'],
      processing: ['Funded', 'ReadyForPickup', 'OnHold', 'InTransit'],
      completed: ['Completed'],
      failed: ['Rejected', 'Failed'],
      cancelled: ['Cancelled'],
    });
    for (const status of PARTNER_STATUSES) {
      const numbers = numbersOf(...statusesBehind(status));
      expect(await page({ status })).toMatchObject({ numbers, total: numbers.length });
      const [first] = references;
      expect(await page({ status, referenceId: first as string })).toMatchObject({
        numbers: numbers.filter((number) => number % 2 === 0),
      });
    }
  });

  test.each<[OperationPageQuery, object]>([
    [
      { status: null, page: undefined },
      { page: 1, limit: 20, total: 11, totalPages: 1, numbers: numbersOf(...OPERATION_STATUSES) },
    ],
    [{ limit: '1' }, { limit: 1, totalPages: 11, numbers: [10] }],
    [
      { limit: '4', page: '3' },
      { page: 3, totalPages: 3, numbers: [2, 1, 0] },
    ],
    [
      { limit: '100', page: '2' },
      { page: 2, limit: 100, total: 11, totalPages: 1, numbers: [] },
    ],
    [
      { createdFrom: at(3), createdTo: at(5) },
      { total: 3, numbers: [5, 4, 3] },
    ],
    [{ createdFrom: at(2), status: 'pending' }, { numbers: [3] }],
    [{ createdTo: '2026-11-20' }, { total: 0, totalPages: 0, numbers: [] }],
    [
      { referenceId: 'nobody', page: '2', limit: '7' },
      { page: 2, limit: 7, total: 0, totalPages: 0, numbers: [] },
    ],
  ])('the page of %j', async (query, expected) => {
    expect(await page(query)).toMatchObject(expected);
  });

  test('of a user, alone and with everything else', async () => {
    const [first = '', second = ''] = references;
    expect(await page({ referenceId: first })).toMatchObject({ total: 6, numbers: [10, 8, 6, 4, 2, 0] });
    expect(await page({ referenceId: second, createdTo: at(5) })).toMatchObject({ numbers: [5, 3, 1] });
    expect(
      await page({ referenceId: second, status: 'pending', createdFrom: at(0), createdTo: '2026-11-21' }),
    ).toMatchObject({ total: 2, numbers: [3, 1] });
  });

  test.each<[OperationPageQuery, string]>([
    [{ page: '0' }, 'page must be an integer of at least 1'],
    [{ limit: '101' }, 'limit must be an integer of 1 to 100'],
    [{ createdFrom: '1' }, 'createdFrom must be an ISO 8601 date or date-time'],
    [{ status: 'Sent' }, 'status must be one of pending, processing, completed, failed, cancelled'],
    [{ referenceId: '' }, 'referenceId must not be empty'],
  ])('fails for %j', async (query, issue) => {
    expect(await page(query)).toEqual([`INVALID_REQUEST ${issue}`]);
  });

  test('names every bad value, and reads nothing from the database', async () => {
    const before = queries.length;
    expect(await page({ page: 'x', limit: 'x', status: 'x', referenceId: '' })).toHaveLength(4);
    expect(queries.length).toBe(before);
  });

  test("has nothing of another partner's", async () => {
    expect(await page({}, stranger)).toMatchObject({ total: 0 });
    expect(await page({ referenceId: references[0] as string }, stranger)).toEqual(
      await page({ referenceId: 'nobody' }, stranger),
    );
  });
});

test('a declared index serves every query, filter and sort together', () => {
  expect(findUnserved(bench.database.connection, queries)).toEqual([]);
  expect(queries.filter(({ collection }) => collection === 'operations').length).toBeGreaterThan(30);
});
