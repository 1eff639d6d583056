import { Decimal } from 'decimal.js';
import type { ClientSession, Model } from 'mongoose';
import type { AccountId } from '../../kernel/account.ts';
import { toDocument } from '../../kernel/database/document.ts';
import type { RunTransaction } from '../../kernel/database/transaction.ts';
import { figureDayId } from '../events/figure-model.ts';
import type { FigureEntity } from '../events/figures.ts';
import type { EventModels } from '../events/model.ts';
import { partitionOf } from '../events/partitions.ts';
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
  readonly events: Pick<EventModels, 'events' | 'figures'>;
  /** How many partitions the event log has. */
  readonly partitions: number;
  readonly transaction: RunTransaction;
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

/**
 * Compares in one snapshot: an event is written with its record, and the turn that numbers it counts it. So the figures and the events
 * without a number together equal the records at any time.
 */
async function compareDay<Stored>(
  rules: FigureRules<Stored>,
  accountId: AccountId,
  day: Date,
): Promise<Audited> {
  return rules.transaction(async ({ session }) => {
    const groups = await readGroups(rules, accountId, day, session);
    const records = new Map<string, Decimal>();
    for (const { _id: of, count, amount: sum } of groups) {
      add(records, `${of.hour} ${of.status}`, count);
      add(records, `${of.hour} ${of.currency}`, sum.toString());
    }
    const counted = new Map<string, Decimal>();
    await addFigures(rules, accountId, day, counted, session);
    await addUnnumbered(rules, accountId, day, counted, session);
    const places = [...new Set([...records.keys(), ...counted.keys()])].toSorted();
    return {
      examined: groups.reduce((sum, { count }) => sum + count, 0),
      found: places.flatMap((record) => {
        const [own, figure] = [records.get(record) ?? NOTHING, counted.get(record) ?? NOTHING];
        const text = `The records give ${own.toFixed()}, the figures ${figure.toFixed()}`;
        return own.eq(figure) ? [] : [{ record, text }];
      }),
    };
  });
}

function readGroups<Stored>(
  { model, amount, currency }: FigureRules<Stored>,
  accountId: AccountId,
  day: Date,
  session: ClientSession,
): Promise<Group[]> {
  const hour = { $dateToString: { date: '$createdAt', format: '%Y-%m-%dT%H' } };
  return model
    .aggregate<Group>([
      { $match: { accountId, createdAt: { $gte: day, $lt: new Date(day.getTime() + DAY_MS) } } },
      {
        $group: {
          _id: { hour, status: '$status', currency: `$${currency}` },
          count: { $sum: 1 },
          amount: { $sum: { $toDecimal: `$${amount}` } },
        },
      },
    ])
    .session(session)
    .exec();
}

async function addFigures<Stored>(
  { entity, events: { figures } }: FigureRules<Stored>,
  accountId: AccountId,
  day: Date,
  counted: Map<string, Decimal>,
  session: ClientSession,
): Promise<void> {
  const found = await figures
    .findById(figureDayId(accountId, entity, day))
    .session(session)
    .lean();
  for (const [hour, { status = {}, money = {} }] of Object.entries(found?.counts ?? {})) {
    const at = hourOf(new Date(day.getTime() + Number(hour) * HOUR_MS));
    for (const [one, count] of Object.entries(status)) {
      add(counted, `${at} ${one}`, count);
    }
    for (const [one, { created }] of Object.entries(money)) {
      add(counted, `${at} ${one}`, created?.toString() ?? 0);
    }
  }
}

async function addUnnumbered<Stored>(
  { entity, events: { events }, partitions }: FigureRules<Stored>,
  accountId: AccountId,
  day: Date,
  counted: Map<string, Decimal>,
  session: ClientSession,
): Promise<void> {
  const found = await events
    .find({ pending: true, partition: partitionOf(accountId, partitions), accountId, entity })
    .session(session)
    .select({ figure: 1, status: 1, previousStatus: 1 })
    .lean();
  const ofDay = day.toISOString().slice(0, 10);
  for (const { figure, status, previousStatus } of found) {
    const at = figure && hourOf(figure.createdAt);
    if (at?.startsWith(ofDay)) {
      add(counted, `${at} ${status}`, 1);
      if (previousStatus !== null) {
        add(counted, `${at} ${previousStatus}`, -1);
      } else if (figure?.money) {
        add(counted, `${at} ${figure.money.currency}`, figure.money.amount);
      }
    }
  }
}

/** The hour of a time in UTC, such as `2026-11-20T08`. */
function hourOf(at: Date): string {
  return at.toISOString().slice(0, 13);
}

/** Sums have more digits than any amount. */
const Exact = Decimal.clone({ precision: 60 });
const NOTHING = new Exact(0);

function add(sums: Map<string, Decimal>, key: string, value: number | string): void {
  sums.set(key, (sums.get(key) ?? NOTHING).plus(value));
}
