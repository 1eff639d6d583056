import type { PipelineStage } from 'mongoose';
import { atOrBefore } from '../kernel/database/time-bounds.ts';
import { FIGURES_COUNT_TO, FIGURES_FRESH_MS, keepRecent } from '../kernel/recent.ts';
import { type QueueState, queueStateAt } from '../runtime/work/queue-state.ts';
import { HELD, heldDeliveries, MOST_HELD } from './held-endpoints.ts';
import type { WebhookModels } from './model.ts';

/** The deliveries of all processes in one state. Seconds are 0 where there are none. */
export interface QueueFigures {
  readonly depth: number;
  /** Time since the oldest one was stored. */
  readonly oldestSeconds: number;
  /** How long the longest due one has been due; 0 when none is due, and for `held`. */
  readonly overdueSeconds: number;
}

/** `held`: due, and kept because its endpoint is paused, or its breaker open and it was never tried. */
export type WebhookQueueState = QueueState | 'held';

type QueueModels = Pick<WebhookModels, 'deliveries' | 'endpointStates'>;

/**
 * Reads how much there is to send, at most once in 15 s, however many callers there are. @throws when the database cannot be
 * reached
 */
export function createQueueFigures(
  models: QueueModels,
  clock: () => Date,
): () => Promise<Record<WebhookQueueState, QueueFigures>> {
  return keepRecent(FIGURES_FRESH_MS, () => readFigures(models, clock()));
}

interface Group {
  readonly _id: WebhookQueueState;
  readonly depth: number;
  readonly stored: Date;
  readonly due: Date;
}

/** The index for claims serves it. */
async function readFigures(
  { deliveries, endpointStates }: QueueModels,
  now: Date,
): Promise<Record<WebhookQueueState, QueueFigures>> {
  const held = heldDeliveries(await endpointStates.find(HELD, { holds: 1 }).limit(MOST_HELD).lean());
  const count = ($match: PipelineStage.Match['$match'], _id: object | string) =>
    deliveries.aggregate<Group>([
      { $match: { status: 'PENDING', ...$match } },
      { $limit: FIGURES_COUNT_TO },
      {
        $group: {
          _id,
          depth: { $sum: 1 },
          stored: { $min: '$createdAt' },
          due: { $min: '$nextAttemptAt' },
        },
      },
    ]);
  const isDue = { nextAttemptAt: atOrBefore(now) };
  const groups = held
    ? await Promise.all([
        count({ $nor: [{ ...held, ...isDue }] }, queueStateAt(now)),
        count({ ...held, ...isDue }, { $literal: 'held' }),
      ])
    : [await count({}, queueStateAt(now))];
  const found = new Map(groups.flat().map((group) => [group._id, group]));
  const figuresOf = (state: WebhookQueueState): QueueFigures => {
    const { depth, stored, due } = found.get(state) ?? { depth: 0, stored: now, due: now };
    const overdueSeconds = state === 'held' ? 0 : secondsFrom(due, now);
    return { depth, oldestSeconds: secondsFrom(stored, now), overdueSeconds };
  };
  return {
    due: figuresOf('due'),
    leased: figuresOf('leased'),
    later: figuresOf('later'),
    held: figuresOf('held'),
  };
}

function secondsFrom(since: Date, now: Date): number {
  return Math.max(0, now.getTime() - since.getTime()) / 1000;
}
