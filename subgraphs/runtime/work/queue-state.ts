/** The state of queued work: to be done now, being done, or to be done later. */
export const QUEUE_STATES = ['due', 'leased', 'later'] as const;
export type QueueState = (typeof QUEUE_STATES)[number];

/** The state of a queued document, as an expression of an aggregation: a claim moves `nextAttemptAt` to the end of its lease. */
export function queueStateAt(now: Date): object {
  const isLeased = { $gt: ['$leaseToken', null] };
  return { $cond: [{ $lte: ['$nextAttemptAt', now] }, 'due', { $cond: [isLeased, 'leased', 'later'] }] };
}
