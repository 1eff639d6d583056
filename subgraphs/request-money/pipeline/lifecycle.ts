/** How an accepted atomic call ends, or that it has not. */
export const REMITTANCE_STATUSES = ['IN_PROGRESS', 'SUCCEEDED', 'FAILED'] as const;
export type RemittanceStatus = (typeof REMITTANCE_STATUSES)[number];

/** The steps of the worker in their order (document 1, "What the service does"). */
export const PHASES = ['CIP', 'CONTACT', 'PAYMENT_METHOD', 'REQUEST_MONEY'] as const;
export type Phase = (typeof PHASES)[number];

/** What follows a phase that is done; undefined behind the last one. */
export function phaseAfter(phase: Phase): Phase | undefined {
  return PHASES[PHASES.indexOf(phase) + 1];
}

/** Longer than this in one phase, and a remittance counts as stuck. */
export const STUCK_AFTER_MS = 30_000;

/** What entered its phase before this time is stuck. */
export function stuckBefore(now: Date): Date {
  return new Date(now.getTime() - STUCK_AFTER_MS);
}
