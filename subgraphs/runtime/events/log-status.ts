import { EVENT_HEAD, type EventModels } from './model.ts';

/** State of the numbering of the event log. */
export interface LogStatus {
  /** Number of the last numbered event; 0 before the first. */
  readonly lastSeq: number;
  /** When the last event was numbered; null before the first. */
  readonly numberedAt: Date | null;
  /** Committed events without a number, counted up to {@link MOST_COUNTED}. */
  readonly unnumbered: number;
  /** When the oldest event without a number happened; null if there is none. */
  readonly oldestAt: Date | null;
  /** Age of the oldest event without a number, in milliseconds; 0 if there is none. */
  readonly lagMs: number;
}

/** Counting of events without a number stops here, which limits its cost while no process numbers events. */
const MOST_COUNTED = 10_000;

/** Reads the state from the database. An index has all events without a number. */
export async function readLogStatus({ events, head }: EventModels, now: Date): Promise<LogStatus> {
  const [last, [unnumbered]] = await Promise.all([
    head.findOne({ _id: EVENT_HEAD }).lean(),
    events.aggregate<{ count: number; oldestAt: Date }>([
      { $match: { pending: true } },
      { $sort: { occurredAt: 1, _id: 1 } },
      { $limit: MOST_COUNTED },
      { $group: { _id: null, count: { $sum: 1 }, oldestAt: { $min: '$occurredAt' } } },
    ]),
  ]);
  return {
    lastSeq: last?.lastSeq ?? 0,
    numberedAt: last?.numberedAt ?? null,
    unnumbered: unnumbered?.count ?? 0,
    oldestAt: unnumbered?.oldestAt ?? null,
    lagMs: unnumbered ? Math.max(0, now.getTime() - unnumbered.oldestAt.getTime()) : 0,
  };
}
