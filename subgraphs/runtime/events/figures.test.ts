import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { Decimal } from 'decimal.js';
import fc from 'fast-check';
import { until } from '../../../test/support/until.ts';
import type { AccountId } from '../../kernel/account.ts';
import { groupItems } from '../../kernel/objects.ts';
import {
  createFigureReader,
  durationBound,
  durationBucket,
  type FigureEntity,
  type FigureHour,
} from './figures.ts';
import type { EventFigure, NewEvent } from './model.ts';
import { type EventsBench, openEventsBench } from './testing.ts';

const DAY = Date.parse('2026-11-20T00:00:00.000Z');
const HOUR_MS = 3_600_000;
const ACCOUNTS = ['acme/live', 'acme/sandbox'] as const;

let bench: EventsBench;
beforeEach(async () => {
  bench = await openEventsBench();
  bench.open().sequencer.start();
});
afterEach(() => bench.close());

/** A record with its statuses one after the other, as a slice has it. */
interface Sale {
  readonly id: string;
  readonly accountId: AccountId;
  readonly entity: FigureEntity;
  readonly createdAt: Date;
  readonly amount: string;
  readonly currency: string;
  readonly corridor: string;
  readonly statuses: readonly string[];
  readonly ms: number;
}

const OUTCOMES: Readonly<Record<string, EventFigure['outcome']>> = {
  Done: 'completed',
  Lost: 'failed',
  Off: 'cancelled',
};

const eventsOf = ({ id, accountId, entity, createdAt, amount, currency, corridor, statuses, ms }: Sale) =>
  statuses.map((status, index): NewEvent => {
    const outcome = OUTCOMES[status];
    return {
      accountId,
      entity,
      entityId: id,
      version: index + 1,
      type: 'sale.changed',
      previousStatus: statuses[index - 1] ?? null,
      status,
      occurredAt: new Date(createdAt.getTime() + index),
      figure: {
        createdAt,
        money: { amount, currency },
        corridor,
        ...(outcome && { outcome }),
        ...(outcome === 'failed' && { cause: statuses[index - 1] ?? 'none' }),
        ...(outcome === 'completed' && { ms }),
      },
    };
  });

const write = async (sales: readonly Sale[]) => {
  const events = sales.flatMap(eventsOf);
  // In several transactions, so that several turns count them.
  for (let from = 0; from < events.length; from += 7) {
    await bench.append(events.slice(from, from + 7));
  }
  await until(
    'all are numbered',
    async () => (await bench.models.events.countDocuments({ pending: true })) === 0,
  );
};

/** The counters of an hour by their paths, without those that are 0. */
function countersOf(counts: object, path = ''): [path: string, count: string][] {
  return Object.entries(counts).flatMap(([name, value]): [string, string][] => {
    if (typeof value === 'object' && value !== null && !('_bsontype' in value)) {
      return countersOf(value, `${path}${name}.`);
    }
    const count = new Decimal(String(value));
    return count.isZero() ? [] : [[`${path}${name}`, count.toFixed()]];
  });
}

/** The paths that a record counts in, and how much. */
function countersOfSale({ statuses, corridor, currency, amount, ms }: Sale): [path: string, by: string][] {
  const last = statuses.at(-1) ?? '';
  const outcome = OUTCOMES[last];
  const reached = ['created', ...(outcome ? [outcome] : [])];
  return [
    [`status.${last}`, '1'],
    ...reached.map((one): [string, string] => [`corridors.${corridor}.${one}`, '1']),
    ...reached
      .filter((one) => one === 'created' || one === 'completed')
      .map((one): [string, string] => [`money.${currency}.${one}`, amount]),
    ...(outcome === 'failed' ? [[`causes.${statuses.at(-2)}`, '1'] satisfies [string, string]] : []),
    ...(outcome === 'completed' ? [[`durations.${durationBucket(ms)}`, '1'] satisfies [string, string]] : []),
  ];
}

/** The counters of an hour, from its records one after the other. */
function countAll(sales: readonly Sale[]): Record<string, string> {
  const sums = new Map<string, Decimal>();
  for (const [path, by] of sales.flatMap(countersOfSale)) {
    sums.set(path, (sums.get(path) ?? new Decimal(0)).plus(by));
  }
  return Object.fromEntries([...sums].map(([path, sum]) => [path, sum.toFixed()]));
}

const read = (accountId: AccountId, entity: FigureEntity, from = DAY, before = DAY + 72 * HOUR_MS) =>
  createFigureReader(bench.models.figures).hours(accountId, entity, new Date(from), new Date(before));

const sale: fc.Arbitrary<Omit<Sale, 'id'>> = fc.record({
  accountId: fc.constantFrom(...ACCOUNTS),
  entity: fc.constantFrom<FigureEntity>('operation', 'requestMoney'),
  createdAt: fc.integer({ min: DAY, max: DAY + 72 * HOUR_MS - 1 }).map((at) => new Date(at)),
  amount: fc.integer({ min: 1, max: 999_999_999 }).map((cents) => new Decimal(cents).div(100).toFixed(2)),
  currency: fc.constantFrom('MXN', 'GTQ'),
  corridor: fc.constantFrom('US-MX', 'CA-MX', 'US-GT'),
  statuses: fc.constantFrom(
    ['Open'],
    ['Open', 'Open', 'Paid'],
    ['Open', 'Paid', 'Done'],
    ['Open', 'Lost'],
    ['Open', 'Off'],
  ),
  ms: fc.integer({ min: 0, max: 3_000_000_000 }),
});

describe('Figures', () => {
  test('are those of the records, exactly, for each account, kind and hour of creation', async () => {
    const [sales = []] = fc
      .sample(fc.array(sale, { minLength: 120, maxLength: 120 }), 1)
      .map((all) => all.map((one, index): Sale => ({ ...one, id: `s${index}` })));
    await write(sales);
    for (const accountId of ACCOUNTS) {
      for (const entity of ['operation', 'requestMoney'] as const) {
        const own = sales.filter((one) => one.accountId === accountId && one.entity === entity);
        const hours = groupItems(own, ({ createdAt }) => Math.floor(createdAt.getTime() / HOUR_MS) * HOUR_MS);
        const expected = [...hours].sort(([a], [b]) => a - b).map(([at, all]) => [at, countAll(all)]);
        const found = (await read(accountId, entity)).map(({ at, ...counts }) => [
          at,
          Object.fromEntries(countersOf(counts)),
        ]);
        expect(expected.length).toBeGreaterThan(2);
        expect(found).toEqual(expected);
      }
    }
    const left = await bench.models.events.countDocuments({ figure: { $exists: true } });
    expect(left).toBe(0);
  });

  test('are of whole hours in the range, in order', async () => {
    const at = (hour: number): Sale => ({
      ...{ id: `h${hour}`, accountId: 'acme/live', entity: 'operation', amount: '1', currency: 'MXN' },
      ...{ corridor: 'US-MX', statuses: ['Open'], ms: 0, createdAt: new Date(DAY + hour * HOUR_MS + 1) },
    });
    await write([30, 2, 11, 9, 1].map(at));
    const hoursOf = (found: readonly FigureHour[]) => found.map(({ at: time }) => (time - DAY) / HOUR_MS);
    expect(hoursOf(await read('acme/live', 'operation'))).toEqual([1, 2, 9, 11, 30]);
    const part = await read('acme/live', 'operation', DAY + 2 * HOUR_MS, DAY + 11 * HOUR_MS);
    expect(hoursOf(part)).toEqual([2, 9]);
    expect(await read('acme/sandbox', 'operation')).toEqual([]);
    expect(await read('acme/live', 'requestMoney')).toEqual([]);
  });

  test('have no document of events without a figure', async () => {
    await bench.change('acme/live', 'o1');
    await until('it is numbered', async () => (await bench.numbered()).length === 1);
    expect(await bench.models.figures.countDocuments()).toBe(0);
  });

  test('put a duration in the first bucket whose bound it does not exceed', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 2 ** 40 }), (ms) => {
        const bucket = durationBucket(ms);
        expect(ms).toBeLessThanOrEqual(durationBound(bucket) * (1 + 1e-6));
        if (bucket > 0) {
          expect(ms).toBeGreaterThan(durationBound(bucket - 1) * (1 - 1e-6));
        }
      }),
    );
  });
});
