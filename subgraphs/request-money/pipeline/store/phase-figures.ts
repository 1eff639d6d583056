import type { Model } from 'mongoose';
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
