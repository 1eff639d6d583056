import { EVENT_LOG, type EventHeadDocument, type EventLogDocument, type EventModels } from './model.ts';
import { partitionsOf } from './partitions.ts';
import { livingOf } from './shares.ts';

/** State of the numbering of the event log. */
export interface LogStatus {
  /** How many events have got a number since the log began, in all partitions. */
  readonly numbered: number;
  /** When the last event was numbered; null before the first. */
  readonly numberedAt: Date | null;
  /** Committed events without a number, counted up to {@link MOST_COUNTED}. */
  readonly unnumbered: number;
  /** When the oldest event without a number happened; null if there is none. */
  readonly oldestAt: Date | null;
  /** Age of the oldest event without a number, in milliseconds; 0 if there is none. */
  readonly lagMs: number;
  /** How many partitions the log has. */
  readonly partitions: number;
  /** Partitions that no process numbers. */
  readonly withoutProcess: number;
}

/** Counting of events without a number stops here, which limits its cost while no process numbers events. */
const MOST_COUNTED = 10_000;

interface LogStatusDeps {
  readonly models: EventModels;
  /** How many partitions the log has. */
  readonly partitions: number;
}

/** Reads the state from the database. An index has all events without a number. */
export async function readLogStatus({ models, partitions }: LogStatusDeps, now: Date): Promise<LogStatus> {
  const { events, heads, log } = models;
  const all = partitionsOf(partitions);
  const [places, division, unnumbered, oldest] = await Promise.all([
    heads.find({ _id: { $in: all } }).lean(),
    log.findById(EVENT_LOG).lean(),
    events.countDocuments({ pending: true }, { limit: MOST_COUNTED }),
    events
      .findOne({ pending: true, partition: { $in: all } }, { _id: 0, occurredAt: 1 })
      .sort({ occurredAt: 1, _id: 1 })
      .lean(),
  ]);
  const times = places.flatMap(({ numberedAt }) => numberedAt ?? []);
  const living = new Set(division && livingOf(division, now).map(({ token }) => token));
  const held = division?.holders.filter((holder) => holder !== null && living.has(holder.token)) ?? [];
  return {
    numbered: division ? countNumbered(division, places) : 0,
    numberedAt: times.length > 0 ? new Date(Math.max(...times.map(Number))) : null,
    unnumbered,
    oldestAt: oldest?.occurredAt ?? null,
    lagMs: oldest ? Math.max(0, now.getTime() - oldest.occurredAt.getTime()) : 0,
    partitions,
    withoutProcess: partitions - held.length,
  };
}

/** How many events have got a number since the log began. */
export function countNumbered(
  { startsAfter, numberedBefore }: Pick<EventLogDocument, 'startsAfter' | 'numberedBefore'>,
  heads: readonly Pick<EventHeadDocument, 'lastSeq'>[],
): number {
  return heads.reduce((sum, { lastSeq }) => sum + lastSeq - startsAfter, numberedBefore);
}
