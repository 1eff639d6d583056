import { Decimal } from 'decimal.js';
import type { ClientSession, Model } from 'mongoose';
import type { AccountId } from '../../kernel/account.ts';
import { toDocument } from '../../kernel/database/document.ts';
import { atOrAfter } from '../../kernel/database/time-bounds.ts';
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
  /** The status that figures count as completed. */
  readonly completed: string;
  readonly events: Pick<EventModels, 'events' | 'figures'>;
  /** How many partitions the event log has. */
  readonly partitions: number;
  readonly transaction: RunTransaction;
}

/** An hour with a status or a currency, such as `8 Completed` or `8 MXN completed`, and what it adds: a count or an amount. */
type Addend = readonly [place: string, value: number | string];

/** A check that the figures of each day equal the records that were created on it: counts by status, and the sums of all and of those that are completed. */
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
    const groups = await readGroups(rules, accountId, day, session);
    const records = sumUp(
      groups.flatMap(({ _id: { hour, status, currency }, count, amount }): Addend[] => [
        [`${hour} ${status}`, count],
        [`${hour} ${currency}`, amount.toString()],
        [`${hour} ${currency} completed`, status === rules.completed ? amount.toString() : 0],
      ]),
    );
    const figures = sumUp([
      ...(await readFigures(rules, accountId, day, session)),
      ...(await readUnnumbered(rules, accountId, day, session)),
    ]);
    const found = [...new Set([...records.keys(), ...figures.keys()])].toSorted().flatMap((place) => {
      const [own, figure] = [records.get(place) ?? NOTHING, figures.get(place) ?? NOTHING];
      const record = `${day.toISOString().slice(0, 10)}, hour ${place}`;
      const text = `The records give ${own.toFixed()}, the figures ${figure.toFixed()}`;
      return own.eq(figure) ? [] : [{ record, text }];
    });
    return { examined: groups.reduce((sum, { count }) => sum + count, 0), found };
  });
}

function sumUp(addends: readonly Addend[]): Map<string, Decimal> {
  const sums = new Map<string, Decimal>();
  for (const [place, value] of addends) {
    sums.set(place, (sums.get(place) ?? NOTHING).plus(value));
  }
  return sums;
}

interface Group {
  readonly _id: { readonly hour: number; readonly status: string; readonly currency: string };
  readonly count: number;
  readonly amount: { toString(): string };
}

async function readGroups<Stored>(
  { model, amount, currency }: FigureRules<Stored>,
  accountId: AccountId,
  day: Date,
  session: ClientSession,
): Promise<Group[]> {
  const createdAt = { ...atOrAfter(day), $lt: new Date(day.getTime() + DAY_MS) };
  const _id = { hour: { $hour: '$createdAt' }, status: '$status', currency: `$${currency}` };
  const sums = { count: { $sum: 1 }, amount: { $sum: { $toDecimal: `$${amount}` } } };
  return model
    .aggregate<Group>([{ $match: { accountId, createdAt } }, { $group: { _id, ...sums } }])
    .session(session);
}

async function readFigures<Stored>(
  { entity, events: { figures } }: FigureRules<Stored>,
  accountId: AccountId,
  day: Date,
  session: ClientSession,
): Promise<Addend[]> {
  const found = await figures
    .findById(figureDayId(accountId, entity, day))
    .session(session)
    .lean();
  return Object.entries(found?.counts ?? {}).flatMap(([hour, { status = {}, money = {} }]) => [
    ...Object.entries(status).map(([one, count]): Addend => [`${hour} ${one}`, count]),
    ...Object.entries(money).flatMap(([one, { created, completed }]): Addend[] => [
      [`${hour} ${one}`, `${created ?? 0}`],
      [`${hour} ${one} completed`, `${completed ?? 0}`],
    ]),
  ]);
}

async function readUnnumbered<Stored>(
  { entity, events: { events }, partitions }: FigureRules<Stored>,
  accountId: AccountId,
  day: Date,
  session: ClientSession,
): Promise<Addend[]> {
  const found = await events
    .find({ pending: true, partition: partitionOf(accountId, partitions), accountId, entity })
    .session(session)
    .select({ figure: 1, status: 1, previousStatus: 1 })
    .lean();
  const id = figureDayId(accountId, entity, day);
  return found.flatMap(({ figure, status, previousStatus }): Addend[] => {
    if (!figure || figureDayId(accountId, entity, figure.createdAt) !== id) {
      return [];
    }
    const hour = figure.createdAt.getUTCHours();
    const { money, outcome } = figure;
    const sum = `${hour} ${money?.currency}`;
    return [
      [`${hour} ${status}`, 1],
      ...(previousStatus === null ? [] : [[`${hour} ${previousStatus}`, -1] as const]),
      ...(previousStatus === null && money ? [[sum, money.amount] as const] : []),
      ...(outcome === 'completed' && money ? [[`${sum} completed`, money.amount] as const] : []),
    ];
  });
}
