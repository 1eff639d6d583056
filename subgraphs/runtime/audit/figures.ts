import { Decimal } from 'decimal.js';
import type { ClientSession, Model } from 'mongoose';
import type { AccountId } from '../../kernel/account.ts';
import { toDocument } from '../../kernel/database/document.ts';
import type { RunTransaction } from '../../kernel/database/transaction.ts';
import { figureDayId } from '../events/figure-model.ts';
import type { FigureEntity } from '../events/figures.ts';
import type { EventModels } from '../events/model.ts';
import { partitionOf } from '../events/partitions.ts';
import type { Audited, Check } from './audit.ts';

const DAY_MS = 86_400_000;
/** Sums have more digits than any amount. */
const Exact = Decimal.clone({ precision: 60 });
const NOTHING = new Exact(0);

/** Records that figures count. */
interface FigureRules<Stored> {
  readonly name: string;
  readonly entity: FigureEntity;
  readonly model: Model<Stored>;
  /** The fields of the amount and the currency that the recipient gets. */
  readonly amount: string;
  readonly currency: string;
  readonly events: Pick<EventModels, 'events' | 'figures'>;
  /** How many partitions the event log has. */
  readonly partitions: number;
  readonly transaction: RunTransaction;
}

/** Counts by status and sums by currency of the hours of a day, such as `8 Completed` and `8 USD`. */
type Sums = Map<string, Decimal>;

/** A check that the figures of each day equal the records that were created on it: counts by status, and sums. */
export function checkFigures<Stored extends { readonly accountId: AccountId; readonly createdAt: Date }>(
  rules: FigureRules<Stored>,
): Check {
  return {
    name: rules.name,
    async *examine(accountId, { from, before }) {
      const first = await rules.model
        .findOne(toDocument({ accountId }))
        .sort({ createdAt: 1 })
        .select('createdAt')
        .lean<Stored>();
      const start = Math.max(from.getTime(), (first?.createdAt ?? before).getTime());
      for (let day = start - (start % DAY_MS); day < before.getTime(); day += DAY_MS) {
        yield await compareDay(rules, accountId, new Date(day));
      }
    },
  };
}

/**
 * Compares in one snapshot: an event is written with its record, and the turn that numbers it counts it. So the figures and the events
 * without a number together equal the records at any time.
 */
function compareDay<Stored>(rules: FigureRules<Stored>, accountId: AccountId, day: Date): Promise<Audited> {
  return rules.transaction(async ({ session }) => {
    const records: Sums = new Map();
    const examined = await addRecords(rules, accountId, day, records, session);
    const counted: Sums = new Map();
    await addFigures(rules, accountId, day, counted, session);
    await addUnnumbered(rules, accountId, day, counted, session);
    const found = [...new Set([...records.keys(), ...counted.keys()])].toSorted().flatMap((place) => {
      const [own, figure] = [records.get(place) ?? NOTHING, counted.get(place) ?? NOTHING];
      const record = `${day.toISOString().slice(0, 10)}, hour ${place}`;
      const text = `The records give ${own.toFixed()}, the figures ${figure.toFixed()}`;
      return own.eq(figure) ? [] : [{ record, text }];
    });
    return { examined, found };
  });
}

interface Group {
  readonly _id: { readonly hour: number; readonly status: string; readonly currency: string };
  readonly count: number;
  readonly amount: { toString(): string };
}

/** @returns how many records */
async function addRecords<Stored>(
  { model, amount, currency }: FigureRules<Stored>,
  accountId: AccountId,
  day: Date,
  sums: Sums,
  session: ClientSession,
): Promise<number> {
  const groups = await model
    .aggregate<Group>([
      { $match: { accountId, createdAt: { $gte: day, $lt: new Date(day.getTime() + DAY_MS) } } },
      {
        $group: {
          _id: { hour: { $hour: '$createdAt' }, status: '$status', currency: `$${currency}` },
          count: { $sum: 1 },
          amount: { $sum: { $toDecimal: `$${amount}` } },
        },
      },
    ])
    .session(session);
  for (const { _id: of, count, amount: sum } of groups) {
    add(sums, `${of.hour} ${of.status}`, count);
    add(sums, `${of.hour} ${of.currency}`, sum.toString());
  }
  return groups.reduce((sum, { count }) => sum + count, 0);
}

async function addFigures<Stored>(
  { entity, events: { figures } }: FigureRules<Stored>,
  accountId: AccountId,
  day: Date,
  sums: Sums,
  session: ClientSession,
): Promise<void> {
  const found = await figures
    .findById(figureDayId(accountId, entity, day))
    .session(session)
    .lean();
  for (const [hour, { status = {}, money = {} }] of Object.entries(found?.counts ?? {})) {
    for (const [one, count] of Object.entries(status)) {
      add(sums, `${hour} ${one}`, count);
    }
    for (const [one, { created }] of Object.entries(money)) {
      add(sums, `${hour} ${one}`, created?.toString() ?? 0);
    }
  }
}

async function addUnnumbered<Stored>(
  { entity, events: { events }, partitions }: FigureRules<Stored>,
  accountId: AccountId,
  day: Date,
  sums: Sums,
  session: ClientSession,
): Promise<void> {
  const found = await events
    .find({ pending: true, partition: partitionOf(accountId, partitions), accountId, entity })
    .session(session)
    .select({ figure: 1, status: 1, previousStatus: 1 })
    .lean();
  for (const { figure, status, previousStatus } of found) {
    if (figure && figureDayId(accountId, entity, figure.createdAt) === figureDayId(accountId, entity, day)) {
      const hour = figure.createdAt.getUTCHours();
      add(sums, `${hour} ${status}`, 1);
      if (previousStatus !== null) {
        add(sums, `${hour} ${previousStatus}`, -1);
      } else if (figure.money) {
        add(sums, `${hour} ${figure.money.currency}`, figure.money.amount);
      }
    }
  }
}

function add(sums: Sums, place: string, value: number | string): void {
  sums.set(place, (sums.get(place) ?? NOTHING).plus(value));
}
