import { Decimal } from 'decimal.js';
import { mongo } from 'mongoose';
import type { AccountId } from '../../kernel/account.ts';
import { toDocument } from '../../kernel/database/document.ts';
import { findPlain } from '../../kernel/database/plain-reads.ts';
import type { UnitOfWork } from '../../kernel/database/unit-of-work.ts';
import { type FigureCounts, type FigureModel, figureDayId } from './figure-model.ts';
import type { EventDocument, EventEntity } from './model.ts';

/** The entities that the figures count. */
export type FigureEntity = Extract<EventEntity, 'operation' | 'requestMoney' | 'webhookDelivery'>;

/** The part of an event that the figures need. */
type CountedEvent = Pick<EventDocument, 'accountId' | 'entity' | 'previousStatus' | 'status' | 'figure'>;

/** The figures of the entities that were created in one hour. */
export interface FigureHour extends FigureCounts {
  /** The beginning of the hour, in milliseconds. */
  readonly at: number;
}

const HOUR_MS = 3_600_000;
/** Each bucket of durations ends this many times later than the one before it. */
const BUCKETS_IN_A_DOUBLING = 8;
/** Sums have more digits than any amount. */
const Exact = Decimal.clone({ precision: 60 });

/** Additions of one turn to the figures of a day. */
interface Additions {
  readonly accountId: AccountId;
  readonly counts: Map<string, number>;
  readonly sums: Map<string, Decimal>;
}

/**
 * Adds events to the figures, in the transaction that numbers them, so each exactly once. They are part of the figures as soon as
 * subscriptions get them. It is one write for each account, kind and day of creation among the events, in the command that numbers them
 * where the server knows `bulkWrite`, and else one command more.
 */
export function countEvents(model: FigureModel, events: readonly CountedEvent[], unit: UnitOfWork): void {
  const days = new Map<string, Additions>();
  for (const event of events) {
    if (event.figure) {
      const id = figureDayId(event.accountId, event.entity, event.figure.createdAt);
      const day = days.get(id) ?? { accountId: event.accountId, counts: new Map(), sums: new Map() };
      days.set(id, day);
      addEvent(day, { ...event, figure: event.figure });
    }
  }
  for (const [_id, { accountId, counts, sums }] of days) {
    const $inc = Object.fromEntries([
      ...[...counts].filter(([, count]) => count !== 0),
      ...[...sums].map(([path, sum]) => [path, mongo.Decimal128.fromStringWithRounding(sum.toFixed())]),
    ]);
    if (Object.keys($inc).length > 0) {
      unit.upsert(model, { filter: { _id }, update: toDocument({ $setOnInsert: { accountId }, $inc }) });
    }
  }
}

function addEvent(
  { counts, sums }: Additions,
  { previousStatus, status, figure }: CountedEvent & { readonly figure: NonNullable<CountedEvent['figure']> },
): void {
  const { createdAt, money, corridor, outcome, cause, ms } = figure;
  const hour = `counts.${createdAt.getUTCHours()}`;
  const count = (path: string, by: number) =>
    counts.set(`${hour}.${path}`, (counts.get(`${hour}.${path}`) ?? 0) + by);
  const reached = [...(previousStatus === null ? ['created'] : []), ...(outcome ? [outcome] : [])];
  count(`status.${status}`, 1);
  if (previousStatus !== null) {
    count(`status.${previousStatus}`, -1);
  }
  for (const one of reached) {
    if (corridor !== undefined) {
      count(`corridors.${corridor}.${one}`, 1);
    }
    if (money && (one === 'created' || one === 'completed')) {
      const path = `${hour}.money.${money.currency}.${one}`;
      sums.set(path, (sums.get(path) ?? new Exact(0)).plus(money.amount));
    }
  }
  if (cause !== undefined) {
    count(`causes.${cause}`, 1);
  }
  if (ms !== undefined) {
    count(`durations.${durationBucket(ms)}`, 1);
  }
}

/** The bucket of a duration. Bucket n is up to `durationBound(n)`, and 0 up to a millisecond. */
export function durationBucket(ms: number): number {
  return ms <= 1 ? 0 : Math.ceil(Math.log2(ms) * BUCKETS_IN_A_DOUBLING - 1e-9);
}

/** The longest duration of a bucket, in milliseconds: 9 % longer than that of the bucket before it. */
export function durationBound(bucket: number): number {
  return 2 ** (bucket / BUCKETS_IN_A_DOUBLING);
}

/** Reads figures. */
export interface FigureReader {
  /**
   * The figures of an account's entities of one kind by the hour of their creation, oldest first. Hours in which nothing was created are
   * absent. It is one read, of a document for each day.
   * @param from and `before`: whole hours in UTC
   */
  hours(accountId: AccountId, entity: FigureEntity, from: Date, before: Date): Promise<FigureHour[]>;
}

export function createFigureReader(model: FigureModel): FigureReader {
  return {
    hours: async (accountId, entity, from, before) => {
      const last = new Date(before.getTime() - 1);
      const ofDays = {
        $gte: figureDayId(accountId, entity, from),
        $lte: figureDayId(accountId, entity, last),
      };
      const days = await findPlain(model, { _id: ofDays }, {});
      return days
        .flatMap(({ _id, counts: byHour }) => {
          const midnight = Date.parse(_id.slice(_id.lastIndexOf('|') + 1));
          return Object.entries(byHour).map(([hour, counts]) => ({
            at: midnight + Number(hour) * HOUR_MS,
            ...counts,
          }));
        })
        .filter(({ at }) => at >= from.getTime() && at < before.getTime())
        .toSorted((one, other) => one.at - other.at);
    },
  };
}
