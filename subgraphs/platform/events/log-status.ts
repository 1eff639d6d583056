import { EVENT_HEAD, type EventModels } from './model.ts';

/** Where the numbering of the event log stands. */
export interface LogStatus {
  /** The last number given; 0 before the first. */
  readonly lastSeq: number;
  /** When it was given; null: before the first, or by a former version. */
  readonly numberedAt: Date | null;
  /** Committed events without a number, counted up to {@link MOST_COUNTED}. */
  readonly unnumbered: number;
  /** When the oldest of them happened; null without any. */
  readonly oldestAt: Date | null;
  /** The age of the oldest of them, milliseconds; 0 without any. */
  readonly lagMs: number;
}

/** Most events without a number that are counted: it limits the cost of counting while nobody numbers. */
const MOST_COUNTED = 10_000;

/** Reads it from the database; an index has all events without a number. */
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
