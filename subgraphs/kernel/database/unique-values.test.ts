import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { openTestDatabase } from '../../../test/support/test-database.ts';
import type { Database } from './open-database.ts';
import { createTransactions, isDuplicateKey, type RunTransaction } from './transaction.ts';
import { createUniqueValueModel, createUniqueValues, type UniqueValues } from './unique-values.ts';

let database: Database;
let transaction: RunTransaction;
let unique: UniqueValues;
beforeAll(async () => {
  database = await openTestDatabase();
  transaction = createTransactions(database.connection);
  unique = createUniqueValues(database.connection);
  await createUniqueValueModel(database.connection).createCollection();
});
afterEach(async () => {
  await createUniqueValueModel(database.connection).deleteMany({});
});
afterAll(() => database.close());

const code = { accountId: 'acme/sandbox', kind: 'code', value: 'A|1' } as const;
const take = (value = code) => transaction((unit) => unique.take([value], unit));
const duplicateKey = (error: unknown) => isDuplicateKey(error);

test('a value is taken once in an account, for each kind', async () => {
  await take();
  expect(await take().catch(duplicateKey)).toBe(true);
  const others = [
    { ...code, accountId: 'acme/live' },
    { ...code, kind: 'name' },
    { ...code, value: 'A|2' },
  ] as const;
  await transaction((unit) => unique.take(others.slice(0, 2), unit));
  expect(await unique.takenOf([code, ...others])).toEqual([code, ...others.slice(0, 2)]);
  expect(await unique.isTaken(others[2])).toBe(false);
});

test('of transactions that take a value at once, one commits, and the others end with a duplicate key', async () => {
  const outcomes = await Promise.all(
    Array.from({ length: 8 }, () => take().then(() => 'taken' as const, isDuplicateKey)),
  );
  expect(outcomes.filter((outcome) => outcome === 'taken')).toEqual(['taken']);
  expect(outcomes.filter((outcome) => outcome === true)).toHaveLength(7);
});

test('a transaction that fails takes and frees nothing', async () => {
  const other = { ...code, value: 'B' };
  await take();
  const failed = transaction(async (unit) => {
    unique.release([code], unit);
    unique.take([other], unit);
    await unit.flush();
    throw new Error('later');
  });
  await expect(failed).rejects.toThrow('later');
  expect(await unique.takenOf([code, other])).toEqual([code]);
});

test('a value that was released can be taken again, in the same transaction too', async () => {
  await take();
  await transaction((unit) => unique.release([code, { ...code, value: 'free' }], unit));
  expect(await transaction((unit) => unique.isTaken(code, unit))).toBe(false);
  await take();
  await transaction((unit) => {
    unique.release([code], unit);
    unique.take([code], unit);
  });
  expect(await unique.isTaken(code)).toBe(true);
});
