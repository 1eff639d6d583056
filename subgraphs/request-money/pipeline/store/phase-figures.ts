import type { Model } from 'mongoose';
import { unlessTooMany, WITHIN_TIME } from '../../../platform/database/count-by-tenant.ts';
import { toDocument } from '../../../platform/database/document.ts';
import { recordOf } from '../../../platform/objects.ts';
import { PHASES, type Phase, stuckBefore } from '../lifecycle.ts';
import type { RemittanceDocument } from './model.ts';

/** Figures of all tenants' remittances in a phase. */
export interface PhaseFigures {
  readonly inProgress: number;
  /** Remittances in the phase for over 30 s. */
  readonly stuck: number;
  /** How long the oldest of them has been in the phase, seconds; 0 without any. */
  readonly oldestSeconds: number;
}

interface Group {
  _id: Phase;
  inProgress: number;
  stuck: number;
  oldest: Date;
}

/** Reads all remittances in progress by an index that has only those. */
export async function readPhaseFigures(
  model: Model<RemittanceDocument>,
  now: Date,
): Promise<Record<Phase, PhaseFigures>> {
  const groups = await model.aggregate<Group>([
    { $match: { status: 'IN_PROGRESS' } },
    {
      $group: {
        _id: '$phase',
        inProgress: { $sum: 1 },
        stuck: { $sum: { $cond: [{ $lt: ['$phaseSince', stuckBefore(now)] }, 1, 0] } },
        oldest: { $min: '$phaseSince' },
      },
    },
  ]);
  const byPhase = new Map(groups.map((group) => [group._id, group]));
  const figuresOf = (phase: Phase): PhaseFigures => {
    const group = byPhase.get(phase);
    return group
      ? {
          inProgress: group.inProgress,
          stuck: group.stuck,
          oldestSeconds: Math.max(now.getTime() - group.oldest.getTime(), 0) / 1000,
        }
      : { inProgress: 0, stuck: 0, oldestSeconds: 0 };
  };
  return recordOf(PHASES, figuresOf);
}

/** The remittances of a tenant in progress. */
export interface TenantProgress {
  readonly inProgress: number;
  /** Remittances in their phase for over 30 s. */
  readonly stuck: number;
  /** Since when the longest stuck has been in its phase; null: none is stuck. */
  readonly stuckSince: Date | null;
}

interface TenantGroup extends Omit<TenantProgress, 'stuckSince'> {
  readonly _id: string;
  readonly oldest: Date;
}

/**
 * Reads the remittances in progress of some tenants, by an index that has only those. A tenant without any is absent.
 * @returns undefined when there are more than the database counts in 2 s
 */
export async function readTenantProgress(
  model: Model<RemittanceDocument>,
  tenantIds: readonly string[],
  now: Date,
): Promise<ReadonlyMap<string, TenantProgress> | undefined> {
  const groups = await unlessTooMany(
    model
      .aggregate<TenantGroup>([
        { $match: toDocument({ tenantId: { $in: [...tenantIds] }, status: 'IN_PROGRESS' }) },
        {
          $group: {
            _id: '$tenantId',
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
