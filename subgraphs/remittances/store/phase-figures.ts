import type { Model } from 'mongoose';
import type { AccountId } from '../../kernel/account.ts';
import { unlessTooMany, WITHIN_TIME } from '../../kernel/database/count-by-account.ts';
import { toDocument } from '../../kernel/database/document.ts';
import { recordOf } from '../../kernel/objects.ts';
import { FIGURES_COUNT_TO } from '../../kernel/recent.ts';
import { QUEUE_STATES, type QueueState, queueStateAt } from '../../runtime/work/queue-state.ts';
import { PHASES, type Phase, stuckBefore } from '../lifecycle.ts';
import type { RemittanceDocument } from './model.ts';

/** Figures of all accounts' remittances in a phase. Seconds are 0 without any. */
export interface PhaseFigures extends Readonly<Record<QueueState, number>> {
  /** All of them: due, leased and later. */
  readonly inProgress: number;
  /** Remittances in the phase for over 30 s. */
  readonly stuck: number;
  /** How long the oldest of them has been in the phase. */
  readonly oldestSeconds: number;
  /** How long the longest due of them has been due. */
  readonly overdueSeconds: number;
}

interface Group {
  readonly _id: { readonly phase: Phase; readonly state: QueueState };
  readonly count: number;
  readonly stuck: number;
  readonly oldest: Date;
  readonly due: Date;
}

/** Reads the remittances in progress, up to {@link FIGURES_COUNT_TO}, from the index of due steps alone. */
export async function readPhaseFigures(
  model: Model<RemittanceDocument>,
  now: Date,
): Promise<Record<Phase, PhaseFigures>> {
  const groups = await model.aggregate<Group>([
    { $match: { isOpen: true, status: 'IN_PROGRESS' } },
    { $sort: { nextAttemptAt: 1 } },
    { $limit: FIGURES_COUNT_TO },
    {
      $group: {
        _id: { phase: '$phase', state: queueStateAt(now) },
        count: { $sum: 1 },
        stuck: { $sum: { $cond: [{ $lt: ['$phaseSince', stuckBefore(now)] }, 1, 0] } },
        oldest: { $min: '$phaseSince' },
        due: { $min: '$nextAttemptAt' },
      },
    },
  ]);
  return recordOf(PHASES, (phase) =>
    figuresOf(
      groups.filter(({ _id }) => _id.phase === phase),
      now,
    ),
  );
}

function figuresOf(groups: readonly Group[], now: Date): PhaseFigures {
  const sum = (read: (group: Group) => number) => groups.reduce((total, group) => total + read(group), 0);
  const secondsSince = (times: readonly Date[]) =>
    Math.max(0, ...times.map((time) => now.getTime() - time.getTime())) / 1000;
  const ofState = (state: QueueState) => groups.filter(({ _id }) => _id.state === state);
  return {
    inProgress: sum(({ count }) => count),
    ...recordOf(QUEUE_STATES, (state) => ofState(state).reduce((total, { count }) => total + count, 0)),
    stuck: sum(({ stuck }) => stuck),
    oldestSeconds: secondsSince(groups.map(({ oldest }) => oldest)),
    overdueSeconds: secondsSince(ofState('due').map(({ due }) => due)),
  };
}

/** The remittances of an account in progress. */
export interface TenantProgress {
  readonly inProgress: number;
  /** Remittances in their phase for over 30 s. */
  readonly stuck: number;
  /** Since when the longest stuck has been in its phase; null: none is stuck. */
  readonly stuckSince: Date | null;
}

interface TenantGroup extends Omit<TenantProgress, 'stuckSince'> {
  readonly _id: AccountId;
  readonly oldest: Date;
}

/**
 * Reads the remittances in progress of some accounts, by an index that has only those. An account without any is absent.
 * @returns undefined when there are more than the database counts in 2 s
 */
export async function readTenantProgress(
  model: Model<RemittanceDocument>,
  accountIds: readonly AccountId[],
  now: Date,
): Promise<ReadonlyMap<AccountId, TenantProgress> | undefined> {
  const groups = await unlessTooMany(
    model
      .aggregate<TenantGroup>([
        { $match: toDocument({ accountId: { $in: [...accountIds] }, status: 'IN_PROGRESS' }) },
        {
          $group: {
            _id: '$accountId',
            inProgress: { $sum: 1 },
            stuck: { $sum: { $cond: [{ $lt: ['$phaseSince', stuckBefore(now)] }, 1, 0] } },
            oldest: { $min: '$phaseSince' },
          },
        },
      ])
      .option(WITHIN_TIME),
  );
  return (
    groups &&
    new Map(
      groups.map(({ _id, inProgress, stuck, oldest }) => [
        _id,
        { inProgress, stuck, stuckSince: stuck > 0 ? oldest : null },
      ]),
    )
  );
}
