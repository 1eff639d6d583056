import { mongo } from 'mongoose';
import type { AccountId } from '../kernel/account.ts';
import { toDocument } from '../kernel/database/document.ts';
import { latencyBucket } from './endpoint-health.ts';
import {
  type AttemptOutcome,
  type EndpointStateDocument,
  type EndpointStateModel,
  hourOf,
  minuteOf,
  unknownEndpoint,
  WINDOW_HOURS,
  WINDOW_MINUTES,
} from './endpoint-state.ts';

/** The part of an attempt that its endpoint's counts need. */
export interface CountedAttempt {
  readonly endpoint: string;
  readonly accountId: AccountId;
  readonly outcome: AttemptOutcome;
  readonly statusCode?: number;
  /** Whether it was the delivery's first attempt, or the first since it was sent again. */
  readonly isFirst: boolean;
  /** When the attempt began. */
  readonly at: Date;
  readonly ms: number;
}

/** Unwritten counts of one endpoint. */
interface Pending {
  readonly accountId: AccountId;
  /** Counts by path. */
  readonly increments: Map<string, number>;
  lastError?: NonNullable<EndpointStateDocument['lastError']>;
  lastSuccessAt?: Date;
}

/**
 * Counts this process's attempts by endpoint, and writes them together from time to time. With a write for each attempt, all
 * attempts at an endpoint would wait for its document. A process that dies loses only the counts of some seconds.
 */
export interface EndpointCounts {
  add(attempt: CountedAttempt): void;
  /**
   * Writes the counts since the last time. Counts that another process keeps from being written, such as by a conflict over
   * one endpoint, stay for the next time; the others are not written again.
   * @returns the endpoints with failed attempts, as they are now
   * @throws when the database does not answer; all counts stay for the next time
   */
  write(): Promise<EndpointStateDocument[]>;
}

export function createEndpointCounts(states: EndpointStateModel, clock: () => Date): EndpointCounts {
  let pending = new Map<string, Pending>();
  return {
    add: (attempt) => add(pending, attempt),
    write: async () => {
      const written = pending;
      pending = new Map();
      try {
        const { left, failing } = await write(states, written, clock());
        pending = merge(left, pending);
        return failing;
      } catch (error) {
        pending = merge(written, pending);
        throw error;
      }
    },
  };
}

function add(pending: Map<string, Pending>, attempt: CountedAttempt): void {
  const { endpoint, accountId, outcome, statusCode, isFirst, at, ms } = attempt;
  const entry: Pending = pending.get(endpoint) ?? { accountId, increments: new Map() };
  pending.set(endpoint, entry);
  const isFailed = outcome !== 'delivered';
  const minute = `minutes.${minuteOf(at)}`;
  const hour = `hours.${hourOf(at)}`;
  const paths = [
    `${hour}.${isFailed ? 'failed' : 'delivered'}`,
    `${hour}.latency.${latencyBucket(ms)}`,
    `${minute}.outcomes.${outcome}`,
    `${minute}.latency.${latencyBucket(ms)}`,
    ...(isFirst ? [`${minute}.tried`] : []),
    ...(isFirst && isFailed ? [`${minute}.failed`] : []),
  ];
  for (const path of paths) {
    increment(entry, path, 1);
  }
  if (isFailed) {
    entry.lastError = { errorClass: outcome, ...(statusCode === undefined ? {} : { statusCode }), at };
  } else {
    entry.lastSuccessAt = at;
  }
}

function increment({ increments }: Pending, path: string, by: number): void {
  increments.set(path, (increments.get(path) ?? 0) + by);
}

/** Adds counts that could not be written to those that came meanwhile. */
function merge(older: Map<string, Pending>, newer: Map<string, Pending>): Map<string, Pending> {
  for (const [endpoint, entry] of newer) {
    const known = older.get(endpoint);
    if (known) {
      for (const [path, by] of entry.increments) {
        increment(known, path, by);
      }
      const { increments: _, ...latest } = entry;
      Object.assign(known, latest);
    } else {
      older.set(endpoint, entry);
    }
  }
  return older;
}

async function write(
  states: EndpointStateModel,
  pending: ReadonlyMap<string, Pending>,
  now: Date,
): Promise<{ left: Map<string, Pending>; failing: EndpointStateDocument[] }> {
  if (pending.size === 0) {
    return { left: new Map(), failing: [] };
  }
  const known = await states.find({ _id: { $in: [...pending.keys()] } }, { minutes: 1, hours: 1 }).lean();
  const old = new Map(known.map((state) => [state._id, oldCounts(state, now)]));
  const updates = [...pending].map(([endpoint, entry]) => ({
    updateOne: {
      filter: toDocument({ _id: endpoint }),
      update: toDocument(toUpdate(entry, old.get(endpoint) ?? [], now)),
      upsert: true,
    },
  }));
  const notWritten = await findNotWritten(states.collection.bulkWrite(updates, { ordered: false }));
  const failing = [...pending].filter(([, { lastError }]) => lastError).map(([endpoint]) => endpoint);
  return {
    left: new Map([...pending].filter((_, index) => notWritten.has(index))),
    failing: failing.length === 0 ? [] : await states.find({ _id: { $in: failing } }).lean(),
  };
}

/**
 * The places of updates that were rejected one by one, such as the second of two first counts of an endpoint; the others are
 * written. @throws an error that concerns all of them
 */
async function findNotWritten(writing: Promise<unknown>): Promise<ReadonlySet<number>> {
  try {
    await writing;
    return new Set();
  } catch (error) {
    if (!(error instanceof mongo.MongoBulkWriteError)) {
      throw error;
    }
    const rejected = [error.writeErrors].flat();
    if (rejected.length === 0) {
      throw error;
    }
    return new Set(rejected.map(({ index }) => index));
  }
}

/** The paths of the minutes and hours that have become too old. */
function oldCounts(
  { minutes, hours }: Pick<EndpointStateDocument, 'minutes' | 'hours'>,
  now: Date,
): string[] {
  const paths = [
    ...Object.keys(minutes ?? {}).map((minute) => `minutes.${minute}`),
    ...Object.keys(hours ?? {}).map((hour) => `hours.${hour}`),
  ];
  return paths.filter((path) => isOld(path, now));
}

/** @param path of a minute or an hour, or below one */
function isOld(path: string, now: Date): boolean {
  const [unit, number] = path.split('.');
  const first = unit === 'minutes' ? minuteOf(now) - WINDOW_MINUTES : hourOf(now) - WINDOW_HOURS;
  return Number(number) < first;
}

/**
 * Counts that waited out their window, such as during an outage, are left out: their minutes and hours are removed in this same update, and
 * MongoDB rejects an update that names a field twice.
 */
function toUpdate({ accountId, increments, ...latest }: Pending, old: readonly string[], now: Date) {
  const counted = [...increments].filter(([path]) => !isOld(path, now));
  return {
    $setOnInsert: unknownEndpoint(accountId, now),
    $set: latest,
    ...(counted.length > 0 ? { $inc: Object.fromEntries(counted) } : {}),
    ...(old.length > 0 ? { $unset: Object.fromEntries(old.map((path) => [path, 1])) } : {}),
  };
}
