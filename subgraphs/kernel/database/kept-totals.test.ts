import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { type Model, Schema } from 'mongoose';
import { openTestDatabase } from '../../../test/support/test-database.ts';
import type { AccountId } from '../account.ts';
import { closedSpans, createTotalsReader, type ReadTotals } from './kept-totals.ts';
import type { Database } from './open-database.ts';
import { readTotals, type TotalsDivision } from './totals.ts';

interface Sale {
  number: number;
  accountId: AccountId;
  status: string;
  sum: string;
  unit: string;
  createdAt: Date;
  updatedAt: Date;
}

const FIELDS = { amount: 'sum', currency: 'unit', sourceCountry: 'from', destinationCountry: 'to' };
const BY_STATUS: TotalsDivision = { byStatus: true, byCorridor: false };
const BY_DAY: TotalsDivision = {
  byStatus: false,
  byCorridor: false,
  byPeriod: { unit: 'day', timeZone: 'America/Mexico_City' },
};
const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
const NOW = Date.parse('2026-11-21T08:00:00.000Z');
const daysAgo = (days: number) => NOW - days * DAY_MS;

let database: Database;
let sales: Model<Sale>;
let now = NOW;
/** Spans that were read of the database. */
let reads = 0;
let read: ReadTotals<Sale>;
beforeAll(async () => {
  database = await openTestDatabase();
  sales = database.connection.model<Sale>('Sale', new Schema<Sale>({ accountId: String }), 'sales');
  await sales.createCollection();
  await sales.collection.createIndex({ accountId: 1, createdAt: -1 });
  await sales.collection.createIndex({ accountId: 1, updatedAt: -1 });
});
beforeEach(async () => {
  await sales.deleteMany({});
  now = NOW;
  reads = 0;
  const model = new Proxy(sales, {
    get: (target, name) => {
      const value = Reflect.get(target, name);
      return name === 'collection' ? new Proxy(value, { get: countReads }) : value;
    },
  });
  read = createTotalsReader({ model, fields: FIELDS, few: 0, clock: () => new Date(now) });
});
afterAll(() => database.close());

function countReads(collection: object, name: string | symbol): unknown {
  const value = Reflect.get(collection, name);
  if (name === 'aggregate') {
    reads += 1;
  }
  return typeof value === 'function' ? value.bind(collection) : value;
}

let next = 0;
const saleAt = (at: number, changes: Partial<Sale> = {}): Sale => {
  next += 1;
  const [createdAt, updatedAt] = [new Date(at), new Date(at)];
  return {
    number: next,
    accountId: 'acme/sandbox' as const,
    status: 'open',
    sum: '0.1',
    unit: 'MXN',
    createdAt,
    updatedAt,
    ...changes,
  };
};
const store = (...given: readonly Sale[]) => sales.collection.insertMany([...given]);
const change = ({ number }: Sale, status: string, at = now) =>
  sales.collection.updateOne({ number }, { $set: { status, updatedAt: new Date(at) } });
const countsOf = async (filter = {}) =>
  Object.fromEntries(
    ((await read({ ...filter, accountId: 'acme/sandbox' as const }, BY_STATUS)) ?? []).map(
      ({ status, count }) => [status, count],
    ),
  );
const readsOf = async (filter = {}) => {
  const before = reads;
  await countsOf(filter);
  return reads - before;
};

describe('Totals that are kept', () => {
  test('are read once; after that only those of today are', async () => {
    await store(saleAt(daysAgo(400)), saleAt(daysAgo(40)), saleAt(daysAgo(1)), saleAt(NOW - MINUTE_MS));
    expect(await countsOf()).toEqual({ open: 4 });
    // The first question has shown how many there are.
    expect(reads).toBe(1);
    expect(await countsOf()).toEqual({ open: 4 });
    await store(saleAt(NOW));
    expect([await readsOf(), await countsOf()]).toEqual([1, { open: 5 }]);
    // Another question about the same days is another sum.
    expect(await readsOf({ status: 'open' })).toBeGreaterThan(1);
  });

  test('are read again for the days whose documents have changed, and only for them', async () => {
    const [old, recent] = [saleAt(daysAgo(300)), saleAt(daysAgo(3))];
    await store(old, recent);
    await countsOf();
    await countsOf();
    now += 10 * MINUTE_MS;
    await change(old, 'paid');
    expect([await readsOf(), await countsOf()]).toEqual([2, { open: 1, paid: 1 }]);
    await change(recent, 'paid');
    expect(await countsOf()).toEqual({ paid: 2 });
    now += 10 * MINUTE_MS;
    await readsOf();
    expect(await readsOf()).toBe(1);
  });

  test('have a change that shows only a minute and a half after its time', async () => {
    const sale = saleAt(daysAgo(3));
    await store(sale);
    await countsOf();
    now += 10 * MINUTE_MS;
    await countsOf();
    await change(sale, 'paid', now - 90_000);
    expect(await countsOf()).toEqual({ paid: 1 });
  });

  test('are summed as a whole when very many documents have changed', async () => {
    const many = Array.from({ length: 1_001 }, () => saleAt(daysAgo(2), { updatedAt: new Date(NOW) }));
    await store(...many);
    const lately = { createdAt: { $gt: new Date(daysAgo(4)) } };
    await countsOf(lately);
    expect(await readsOf(lately)).toBeGreaterThan(1);
    expect([await readsOf(lately), await countsOf(lately)]).toEqual([1, { open: 1_001 }]);
  });

  test('are a tenant’s own, and not kept for other filters', async () => {
    await store(saleAt(daysAgo(3)), saleAt(daysAgo(3), { accountId: 'globex/sandbox', status: 'paid' }));
    for (let time = 0; time < 3; time += 1) {
      expect(await countsOf()).toEqual({ open: 1 });
      expect(await read({ accountId: 'globex/sandbox' }, BY_STATUS)).toMatchObject([
        { status: 'paid', count: 1 },
      ]);
    }
    expect([await readsOf({ unit: 'MXN' }), await readsOf({ unit: 'MXN' })]).toEqual([1, 1]);
  });

  test('are not kept of few documents', async () => {
    const sale = saleAt(daysAgo(3));
    await store(sale);
    read = createTotalsReader({ model: sales, fields: FIELDS, clock: () => new Date(now) });
    await countsOf();
    await countsOf();
    // Not even what no process of the product does: a change that says to be old.
    await change(sale, 'paid', 0);
    expect(await countsOf()).toEqual({ paid: 1 });
  });

  test('equal the sums of a scan, whatever changes between the questions', async () => {
    const step = fc.record({
      minutes: fc.constantFrom(0, 1, 5, 60, 1_440, 50_000),
      made: fc.array(fc.nat({ max: 120 }), { maxLength: 4 }),
      changed: fc.array(fc.tuple(fc.nat(), fc.constantFrom('paid', 'gone'), fc.nat({ max: 110 })), {
        maxLength: 4,
      }),
      from: fc.option(fc.nat({ max: 100 }), { nil: undefined }),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 5 }), async (steps) => {
        await sales.deleteMany({});
        now = NOW;
        const fresh = createTotalsReader({
          model: sales,
          fields: FIELDS,
          few: 0,
          clock: () => new Date(now),
        });
        const made = [saleAt(daysAgo(90)), saleAt(daysAgo(30))];
        await store(...made);
        for (const { minutes, made: more, changed, from } of steps) {
          now += minutes * MINUTE_MS;
          // A new record is of now, but for an import.
          const added = more.map((ago) => saleAt(now - ago * DAY_MS, { updatedAt: new Date(now) }));
          made.push(...added);
          await store(...added, saleAt(now));
          for (const [index, status, late] of changed) {
            await change(made[index % made.length] as Sale, status, now - late * 1_000);
          }
          const createdAt = from === undefined ? {} : { createdAt: { $gt: new Date(now - from * DAY_MS) } };
          for (const division of [BY_STATUS, BY_DAY]) {
            const filter = { ...createdAt, accountId: 'acme/sandbox' as const };
            expect(await fresh(filter, division)).toEqual(await readTotals(sales, filter, FIELDS, division));
          }
        }
      }),
      { numRuns: 5 },
    );
  });
});

describe('Spans that are kept', () => {
  const day = (text: string) => Date.parse(`${text}T00:00:00.000Z`);

  test('are whole days, the older ones in longer spans, one behind the other up to today', () => {
    const spans = closedSpans([-Infinity, Infinity], NOW);
    expect(spans[0]?.[0]).toBe(-Infinity);
    expect(spans.at(-1)?.[1]).toBe(day('2026-11-21'));
    for (const [index, [from]] of spans.slice(1).entries()) {
      expect(from).toBe(spans[index]?.[1]);
    }
    const lengths = spans.slice(1).map(([from, before]) => (before - from) / DAY_MS);
    expect(new Set(lengths)).toEqual(new Set([32, 1]));
    expect(lengths.filter((days) => days === 1).length).toBeGreaterThanOrEqual(14);
    expect(spans.length).toBeLessThanOrEqual(72);
  });

  test('are the same for every time that holds them, and the same a day later', () => {
    const all = closedSpans([-Infinity, Infinity], NOW).map(String);
    const some = closedSpans([daysAgo(200), NOW], NOW).map(String);
    expect(some.filter((span) => !all.includes(span)).every((span) => /^\d+,\d+$/.test(span))).toBe(true);
    expect(some.filter((span) => all.includes(span)).length).toBeGreaterThan(15);
    const later = closedSpans([-Infinity, Infinity], NOW + DAY_MS).map(String);
    expect(all.filter((span) => !later.includes(span)).length).toBeLessThanOrEqual(33);
  });

  test('are not more for a time that begins long ago, or that ends far ahead', () => {
    const [longAgo, farAhead] = [new Date('0001-01-01Z').getTime(), new Date('9999-12-31Z').getTime()];
    for (const from of [longAgo, 0, daysAgo(900), daysAgo(800), daysAgo(790)]) {
      const spans = closedSpans([from, farAhead], NOW);
      expect(spans.length).toBeLessThanOrEqual(105);
      expect(spans.at(-1)?.[1]).toBe(day('2026-11-21'));
      for (const [index, [begin]] of spans.slice(1).entries()) {
        expect(begin).toBe(spans[index]?.[1]);
      }
    }
    expect(closedSpans([longAgo, day('1990-01-01')], NOW).length).toBeLessThanOrEqual(75);
    expect(closedSpans([longAgo, farAhead], NOW)[0]?.[0]).toBe(longAgo);
  });

  test('are none where no whole day is over', () => {
    expect(closedSpans([NOW - DAY_MS, NOW], NOW)).toEqual([]);
    // A day that is over for a minute only may still show changes.
    expect(closedSpans([day('2026-11-20'), Infinity], day('2026-11-21') + MINUTE_MS)).toEqual([]);
    expect(closedSpans([day('2026-11-20'), Infinity], day('2026-11-21') + 3 * MINUTE_MS)).toHaveLength(1);
  });
});
