import type { Model } from 'mongoose';
import { FIGURES_FRESH_MS, keepRecent } from '../recent.ts';
import { type QueueState, queueStateAt } from '../work/queue-state.ts';
import type { DeliveryDocument } from './model.ts';

/** The deliveries of all processes in one state. Seconds are 0 where there are none. */
export interface QueueFigures {
  readonly depth: number;
  /** Time since the oldest one was stored. */
  readonly oldestSeconds: number;
  /** How long the longest due one has been due; 0 when none is due. */
  readonly overdueSeconds: number;
}

/** Most deliveries that are counted: it limits the cost of counting a backlog. */
const MOST_COUNTED = 100_000;

/**
 * Reads how much there is to send, at most once in 15 s, however many callers there are. @throws when the database cannot be
 * reached
 */
export function createQueueFigures(
  deliveries: Model<DeliveryDocument>,
  clock: () => Date,
): () => Promise<Record<QueueState, QueueFigures>> {
  return keepRecent(FIGURES_FRESH_MS, () => readFigures(deliveries, clock()));
}

interface Group {
  readonly _id: QueueState;
  readonly depth: number;
  readonly stored: Date;
  readonly due: Date;
}

/** The index for claims serves it. */
async function readFigures(
  deliveries: Model<DeliveryDocument>,
  now: Date,
): Promise<Record<QueueState, QueueFigures>> {
  const groups = await deliveries.aggregate<Group>([
    { $match: { status: 'PENDING' } },
    { $limit: MOST_COUNTED },
    {
      $group: {
        _id: queueStateAt(now),
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
