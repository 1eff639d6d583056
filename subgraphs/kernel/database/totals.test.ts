import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { Decimal } from 'decimal.js';
import fc from 'fast-check';
import { type Model, Schema } from 'mongoose';
import { openTestDatabase } from '../../../test/support/test-database.ts';
import type { AccountId } from '../account.ts';
import type { Database } from './open-database.ts';
import { MOST_TOTALS, readTotals, type Total, type TotalsDivision } from './totals.ts';

interface Sale {
  accountId: AccountId;
  status: string;
  sum: string;
  unit: string;
  way?: { from: string; to: string };
  createdAt: Date;
}

const FIELDS = { amount: 'sum', currency: 'unit', sourceCountry: 'way.from', destinationCountry: 'way.to' };
const WHOLE: TotalsDivision = { byStatus: false, byCorridor: false };
const AT = new Date('2026-11-21T08:00:00.000Z');

let database: Database;
let sales: Model<Sale>;
beforeAll(async () => {
  database = await openTestDatabase();
  const schema = new Schema<Sale>({ accountId: String });
  sales = database.connection.model<Sale>('Sale', schema, 'sales');
  await sales.createCollection();
});
beforeEach(() => sales.deleteMany({}));
afterAll(() => database.close());

const store = (changes: readonly Partial<Sale>[]) =>
  sales.collection.insertMany(
    changes.map((change) => ({
      ...{ accountId: 'acme/sandbox', status: 'open', sum: '1', unit: 'MXN', createdAt: AT },
      ...change,
    })),
  );
const read = (division: Partial<TotalsDivision> = {}, filter = {}) =>
  readTotals(sales, { ...filter, accountId: 'acme/sandbox' }, FIELDS, { ...WHOLE, ...division });
const none = { status: null, period: null, sourceCountry: null, destinationCountry: null };

test('are each of one currency, of one tenant, and of the documents that match the filter', async () => {
  await store([
    { sum: '0.1' },
    { sum: '0.2' },
    { sum: '7', unit: 'USD' },
    { sum: '100', accountId: 'globex/sandbox' },
    { sum: '100', status: 'gone' },
  ]);
  expect(await read({}, { status: 'open' })).toEqual([
    { ...none, currency: 'MXN', count: 2, amount: '0.3' },
    { ...none, currency: 'USD', count: 1, amount: '7' },
  ]);
});

test('are an empty list without documents', async () => {
  expect(await read({ byStatus: true })).toEqual([]);
});

test('by corridor: documents without countries have a total of their own', async () => {
  const way = { from: 'US', to: 'MX' };
  await store([{ way }, { way }, { way: { from: 'CA', to: 'MX' } }, {}]);
  const shown = (await read({ byCorridor: true }))?.map(({ sourceCountry, destinationCountry, count }) => [
    sourceCountry,
    destinationCountry,
    count,
  ]);
  expect(shown).toEqual([
    ['CA', 'MX', 1],
    ['US', 'MX', 2],
    [null, null, 1],
  ]);
});

describe('by period', () => {
  const periods = async (unit: 'day' | 'week' | 'month', timeZone: string) =>
    (await read({ byPeriod: { unit, timeZone } }))?.map(({ period, count }) => [period, count]);

  test('days are those of the time zone, also where its clocks change', async () => {
    await store(
      [
        // In New York the clocks go from 2:00 to 1:00 on 1 November: that day has 25 hours.
        '2026-11-01T03:59:59.999Z',
        '2026-11-01T04:00:00.000Z',
        '2026-11-02T04:59:59.999Z',
        '2026-11-02T05:00:00.000Z',
      ].map((at) => ({ createdAt: new Date(at) })),
    );
    expect(await periods('day', 'America/New_York')).toEqual([
      ['2026-10-31', 1],
      ['2026-11-01', 2],
      ['2026-11-02', 1],
    ]);
    expect(await periods('day', 'UTC')).toEqual([
      ['2026-11-01', 2],
      ['2026-11-02', 2],
    ]);
    expect(await periods('day', 'Asia/Kathmandu')).toEqual([
      ['2026-11-01', 2],
      ['2026-11-02', 2],
    ]);
  });

  test('weeks are named after their Monday, months after their first', async () => {
    await store(
      ['2027-01-03T23:59:59Z', '2027-01-04T00:00:00Z', '2026-12-28T00:00:00Z', '2026-12-27T00:00:00Z'].map(
        (at) => ({ createdAt: new Date(at) }),
      ),
    );
    expect(await periods('week', 'UTC')).toEqual([
      ['2026-12-21', 1],
      ['2026-12-28', 2],
      ['2027-01-04', 1],
    ]);
    expect(await periods('month', 'UTC')).toEqual([
      ['2026-12-01', 2],
      ['2027-01-01', 2],
    ]);
    // There it is 5:45 later.
    expect(await periods('week', 'Asia/Kathmandu')).toEqual([
      ['2026-12-21', 1],
      ['2026-12-28', 1],
      ['2027-01-04', 2],
    ]);
  });
});

test('more than 1,000 are not shown at all', async () => {
  const of = (count: number) => Array.from({ length: count }, (_, index) => ({ status: `status ${index}` }));
  await store(of(MOST_TOTALS));
  expect(await read({ byStatus: true })).toHaveLength(MOST_TOTALS);
  await store([{ status: 'one more' }]);
  expect(await read({ byStatus: true })).toBeUndefined();
  expect(await read()).toHaveLength(1);
});

test('equal the sums of a scan, to the digit, however they are divided', async () => {
  const cents = fc.bigInt({ min: 1n, max: 99_999_999_999_999n });
  const sale = fc.record({
    sum: cents.map((value) => new Decimal(value.toString()).div(100).toFixed()),
    unit: fc.constantFrom('MXN', 'USD', 'JPY'),
    status: fc.constantFrom('open', 'paid', 'gone'),
    way: fc.constantFrom({ from: 'US', to: 'MX' }, { from: 'CA', to: 'MX' }, undefined),
    createdAt: fc.date({ min: new Date('2026-01-01Z'), max: new Date('2026-03-01Z'), noInvalidDate: true }),
  });
  const division = fc.record({ byStatus: fc.boolean(), byCorridor: fc.boolean(), byDay: fc.boolean() });
  await fc.assert(
    fc.asyncProperty(fc.array(sale, { maxLength: 60 }), division, async (given, { byDay, ...rest }) => {
      await sales.deleteMany({});
      const changes = given.map(({ way, ...plain }) => ({ ...plain, ...(way && { way }) }));
      if (changes.length > 0) {
        await store(changes);
      }
      const totals = await read({ ...rest, ...(byDay && { byPeriod: { unit: 'day', timeZone: 'UTC' } }) });
      expect(Object.fromEntries((totals ?? []).map(toEntry))).toEqual(scan(changes, { byDay, ...rest }));
    }),
    { numRuns: 25 },
  );
});

function toEntry({ amount, count, ...kind }: Total): [string, string] {
  const { currency, status, period, sourceCountry, destinationCountry } = kind;
  return [
    JSON.stringify([currency, status, period, sourceCountry, destinationCountry]),
    `${count}: ${amount}`,
  ];
}

function scan(
  changes: readonly Omit<Sale, 'accountId'>[],
  { byStatus, byCorridor, byDay }: { byStatus: boolean; byCorridor: boolean; byDay: boolean },
): Record<string, string> {
  const sums = new Map<string, Decimal[]>();
  for (const { unit, status, createdAt, way, sum } of changes) {
    const key = JSON.stringify([
      unit,
      byStatus ? status : null,
      byDay ? createdAt.toISOString().slice(0, 10) : null,
      (byCorridor && way?.from) || null,
      (byCorridor && way?.to) || null,
    ]);
    sums.set(key, [...(sums.get(key) ?? []), new Decimal(sum)]);
  }
  const Exact = Decimal.clone({ precision: 60 });
  return Object.fromEntries(
    [...sums].map(([key, all]) => [key, `${all.length}: ${Exact.sum(...all).toFixed()}`]),
  );
}
