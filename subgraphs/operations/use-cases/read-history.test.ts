import { beforeEach, describe, expect, test } from '@jest/globals';
import type { OperationDocument, OperationRecord } from '../store/model.ts';
import { newCorrelationId, principal, START, stranger, useBench } from '../testing.ts';

const bench = useBench();
let userId: string;

beforeEach(async () => {
  userId = await bench.newUser();
});

async function made(changes: Readonly<Record<string, unknown>> = {}): Promise<OperationRecord> {
  const result = await bench.request(userId, changes);
  if (!result.ok) {
    throw new Error(JSON.stringify(result.failures));
  }
  return result.value;
}

const historyOf = async (destinationPhone?: string) => {
  const read = await bench.service.history(principal, { userId, destinationPhone });
  return read.ok ? read.value.map(({ operationId }) => operationId) : read.failures[0]?.code;
};

describe('history', () => {
  test('is newest first, ties by _id', async () => {
    const tied = [await made(), await made(), await made()].sort((a, b) => (a._id < b._id ? 1 : -1));
    bench.now = new Date(START.getTime() - 1);
    const oldest = await made();
    bench.now = new Date(START.getTime() + 1);
    const newest = await made();
    const wanted = [newest, ...tied, oldest].map(({ operationId }) => operationId);
    expect(await historyOf()).toEqual(wanted);
    const page = await bench.service.list(principal, { filter: { userId } }, { first: 100 });
    expect(page.nodes.map(({ operationId }) => operationId)).toEqual(wanted);
  });

  test.each([
    ['E.164', '+13125550188'],
    ['national form', '(312) 555-0188'],
  ])('with one contact, by phone in %s', async (_name, phone) => {
    const wanted = await made();
    await made({ requestTo: '+14155550123' });
    expect(await historyOf(phone)).toEqual([wanted.operationId]);
  });

  test.each([
    ['nobody has', '+12125550100'],
    ['is none', 'nonsense'],
    ['is empty', ''],
  ])('with a phone that %s is empty', async (_name, phone) => {
    await made();
    expect(await historyOf(phone)).toEqual([]);
  });

  test("is of the tenant's own users alone", async () => {
    const request = { userId };
    expect(await bench.service.history(stranger, request)).toMatchObject({
      failures: [{ code: 'USER_TENANT_MISMATCH', message: 'User tenant does not match request tenant' }],
    });
    expect(await bench.service.history(principal, { userId: 'u_none' })).toMatchObject({
      failures: [{ code: 'ERROR_SUBSCRIBER_NOT_FOUND' }],
    });
  });

  test('ends after the newest 1,000', async () => {
    const { reason: _, failureReason: __, ...first } = await made();
    const copies = Array.from({ length: 1_000 }, (_, index): OperationDocument => {
      const operationId = newCorrelationId();
      const createdAt = new Date(START.getTime() + index + 1);
      return { ...first, _id: `o_${operationId}`, operationId, code: operationId, createdAt };
    });
    await bench.models.operations.insertMany(copies);
    expect(await historyOf()).toEqual(copies.map(({ operationId }) => operationId).reverse());
  });
});

test("other tenants' operations are not there", async () => {
  const { operationId } = await made();
  expect((await bench.service.findByIds(principal, [operationId])).size).toBe(1);
  expect((await bench.service.findByIds(stranger, [operationId])).size).toBe(0);
  expect((await bench.service.findMoves(stranger, [operationId])).size).toBe(0);
  expect((await bench.service.list(stranger, { filter: {} }, {})).nodes).toEqual([]);
});

test('moves of many operations are read together, those of each in order', async () => {
  const [one, two] = [await made(), await made()];
  await bench.update(one.operationId, { status: 'Accepted' });
  await bench.update(one.operationId, { status: 'Funded' });
  await bench.update(two.operationId, { status: 'Rejected' });
  const ids = [one, two].map(({ operationId }) => operationId);
  const moves = await bench.service.findMoves(principal, [...ids, 'none']);
  expect([...moves].map(([id, list]) => [id, list.map(({ status }) => status)])).toEqual([
    [ids[0], ['Sent', 'Accepted', 'Funded']],
    [ids[1], ['Sent', 'Rejected']],
  ]);
});
