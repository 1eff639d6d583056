import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { openTestDatabase } from '../../../test/support/test-database.ts';
import type { Database } from './open-database.ts';
import { createTransactions, type RunTransaction } from './transaction.ts';

let store: Database;
let transaction: RunTransaction;
beforeAll(async () => {
  store = await openTestDatabase();
  transaction = createTransactions(store.connection);
  await store.connection.collection('counters').insertOne({ name: 'hot', value: 0 });
});
afterAll(() => store.close());

const counters = () => store.connection.collection('counters');
let runs = 0;
const increase = (turn?: string) =>
  transaction(async (unit) => {
    runs += 1;
    await counters().updateOne({ name: 'hot' }, { $inc: { value: 1 } }, { session: unit.session });
  }, turn);

test('transactions of one turn do not conflict, and each is run once', async () => {
  await Promise.all(Array.from({ length: 12 }, () => increase('hot')));
  expect(runs).toBe(12);
  expect(await counters().findOne({ name: 'hot' })).toMatchObject({ value: 12 });
});

test('one that fails does not stop the next one, and only its own caller gets the error', async () => {
  const order: string[] = [];
  const failing = transaction(async () => {
    order.push('fails');
    throw new Error('no');
  }, 'a');
  const next = transaction(async () => {
    order.push('next');
    return 'done';
  }, 'a');
  await expect(failing).rejects.toThrow('no');
  expect(await next).toBe('done');
  expect(order).toEqual(['fails', 'next']);
});

test('other turns, and transactions without one, do not wait', async () => {
  let release: () => void = () => undefined;
  const held = transaction(() => new Promise<void>((resolve) => (release = resolve)), 'a');
  expect(await transaction(async () => 'b', 'b')).toBe('b');
  expect(await transaction(async () => 'none')).toBe('none');
  release();
  await held;
});
