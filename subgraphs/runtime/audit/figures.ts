import { Decimal } from 'decimal.js';
import type { Model } from 'mongoose';
import type { AccountId } from '../../kernel/account.ts';
import { toDocument } from '../../kernel/database/document.ts';
import type { FigureEntity, FigureReader } from '../events/figures.ts';
import { type Audited, type Check, confirmed } from './audit.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** Records that figures count. */
interface FigureRules<Stored> {
  readonly name: string;
  readonly entity: FigureEntity;
  readonly model: Model<Stored>;
  /** The paths of the amount and the currency that the recipient gets. */
  readonly amount: string;
  readonly currency: string;
  readonly figures: FigureReader;
}

interface Group {
  readonly _id: { readonly hour: string; readonly status: string; readonly currency: string };
  readonly count: number;
  readonly amount: { toString(): string };
}

/** A check that the figures of each day equal the records that were created on it: counts by status, and sums. */
export function checkFigures<Stored extends { readonly accountId: AccountId; readonly createdAt: Date }>(
  rules: FigureRules<Stored>,
): Check {
  const { name, model } = rules;
  return {
    name,
    async *examine(accountId, { from, before }, signal) {
      const first = await model
        .findOne(toDocument({ accountId }))
        .sort({ createdAt: 1 })
        .select('createdAt')
        .lean<Stored>();
      const start = first && Math.max(first.createdAt.getTime(), from.getTime());
      for (
        let day = Math.floor((start ?? before.getTime()) / DAY_MS) * DAY_MS;
        start && day < before.getTime();
        day += DAY_MS
      ) {
        let examined = 0;
        const found = await confirmed(async () => {
          const compared = await compareDay(rules, accountId, new Date(day));
          examined = compared.examined;
          return compared.found;
        }, signal);
        yield { examined, found };
      }
    },
  };
}

async function compareDay<Stored>(
  { model, entity, figures, amount, currency }: FigureRules<Stored>,
  accountId: AccountId,
  day: Date,
): Promise<Audited> {
  const next = new Date(day.getTime() + DAY_MS);
  const groups = await model.aggregate<Group>([
    { $match: { accountId, createdAt: { $gte: day, $lt: next } } },
    {
      $group: {
        _id: {
          hour: { $dateToString: { date: '$createdAt', format: '%Y-%m-%dT%H' } },
          status: '$status',
          currency: `$${currency}`,
        },
        count: { $sum: 1 },
        amount: { $sum: { $toDecimal: `$${amount}` } },
      },
    },
  ]);
  const records = new Map<string, Decimal>();
  for (const { _id: of, count, amount: sum } of groups) {
    add(records, `${of.hour} ${of.status}`, count);
    add(records, `${of.hour} ${of.currency}`, sum.toString());
  }
  const counted = new Map<string, Decimal>();
  for (const { at, status = {}, money = {} } of await figures.hours(accountId, entity, day, next)) {
    const hour = new Date(at).toISOString().slice(0, 13);
    for (const [one, count] of Object.entries(status)) {
      add(counted, `${hour} ${one}`, count);
    }
    for (const [one, { created }] of Object.entries(money)) {
      add(counted, `${hour} ${one}`, created?.toString() ?? 0);
    }
  }
  const places = [...new Set([...records.keys(), ...counted.keys()])].toSorted();
  return {
    examined: groups.reduce((sum, { count }) => sum + count, 0),
    found: places.flatMap((record) => {
      const [own, figure] = [records.get(record) ?? NOTHING, counted.get(record) ?? NOTHING];
      const text = `The records give ${own.toFixed()}, the figures ${figure.toFixed()}`;
      return own.eq(figure) ? [] : [{ record, text }];
    }),
  };
}

/** Sums have more digits than any amount. */
const Exact = Decimal.clone({ precision: 60 });
const NOTHING = new Exact(0);

function add(sums: Map<string, Decimal>, key: string, value: number | string): void {
  sums.set(key, (sums.get(key) ?? NOTHING).plus(value));
}
