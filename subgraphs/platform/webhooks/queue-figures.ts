import type { Model } from 'mongoose';
import type { DeliveryDocument } from './model.ts';

/** Where a delivery that is to be sent stands: to be tried now, under a lease that lasts, or to be tried later. */
const QUEUE_STATES = ['due', 'leased', 'later'] as const;
export type QueueState = (typeof QUEUE_STATES)[number];

/** The deliveries of all processes in one state. Seconds are 0 where there are none. */
export interface QueueFigures {
  readonly depth: number;
  /** Since the oldest one was stored. */
  readonly oldestSeconds: number;
  /** For how long the one that is due first has been due; 0 for what is not due. */
  readonly overdueSeconds: number;
}

/** Deliveries that are counted at most: it bounds what a backlog costs the one that looks at it. */
const MOST_COUNTED = 100_000;
/** Metrics are collected by several, and each process is asked. */
const FRESH_MS = 15_000;

/** Reads how much there is to send; one read in 15 s, however many ask. @throws when the database cannot be reached */
export function createQueueFigures(
  deliveries: Model<DeliveryDocument>,
  clock: () => Date,
): () => Promise<Record<QueueState, QueueFigures>> {
  let read: { at: number; figures: Promise<Record<QueueState, QueueFigures>> } | undefined;
  return () => {
    const at = performance.now();
    if (!read || at - read.at > FRESH_MS) {
      const figures = readFigures(deliveries, clock());
      const started = { at, figures };
      read = started;
      figures.catch(() => {
        // Whoever awaits it has the error; the next one reads again.
        read = read === started ? undefined : read;
      });
    }
    return read.figures;
  };
}

interface Group {
  readonly _id: QueueState;
  readonly depth: number;
  readonly stored: Date;
  readonly due: Date;
}

/** The index of claims serves it. */
async function readFigures(
  deliveries: Model<DeliveryDocument>,
  now: Date,
): Promise<Record<QueueState, QueueFigures>> {
  const groups = await deliveries.aggregate<Group>([
    { $match: { status: 'PENDING' } },
    { $limit: MOST_COUNTED },
    {
      $group: {
        _id: {
          $cond: [
            { $lte: ['$nextAttemptAt', now] },
            'due',
            { $cond: [{ $gt: ['$leaseToken', null] }, 'leased', 'later'] },
          ],
        },
        depth: { $sum: 1 },
        stored: { $min: '$createdAt' },
        due: { $min: '$nextAttemptAt' },
      },
    },
  ]);
  const found = new Map(groups.map((group) => [group._id, group]));
  const figuresOf = (state: QueueState): QueueFigures => {
    const { depth, stored, due } = found.get(state) ?? { depth: 0, stored: now, due: now };
    return { depth, oldestSeconds: secondsFrom(stored, now), overdueSeconds: secondsFrom(due, now) };
  };
  return { due: figuresOf('due'), leased: figuresOf('leased'), later: figuresOf('later') };
}

function secondsFrom(since: Date, now: Date): number {
  return Math.max(0, now.getTime() - since.getTime()) / 1000;
}
