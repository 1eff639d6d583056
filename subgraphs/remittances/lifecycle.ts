import { PHASES, type Phase } from '../webhook-events/values.ts';

export { PHASES, type Phase };

/** The status of an accepted atomic call: how it ended, or that it has not. */
export const REMITTANCE_STATUSES = ['IN_PROGRESS', 'SUCCEEDED', 'FAILED'] as const;
export type RemittanceStatus = (typeof REMITTANCE_STATUSES)[number];

/** The phase after another one; undefined after the last. */
export function phaseAfter(phase: Phase): Phase | undefined {
  return PHASES[PHASES.indexOf(phase) + 1];
}

/** A remittance counts as stuck after this time in one phase. */
const STUCK_AFTER_MS = 30_000;

/** Remittances that entered their phase before this time are stuck. */
export function stuckBefore(now: Date): Date {
  return new Date(now.getTime() - STUCK_AFTER_MS);
}
