// Texts about users, payers and their payments.

export const people = {
  payments: 'Payments',
  noPayments: 'No payment is stored for this user.',
  payer: 'Payer',
  kind: 'Type',
  lastActivity: 'Last activity',
  changed: 'Changed',
  blockedBy: 'Blocked by',
  /** Of callers without a name; keys have an id. */
  blockers: { API_KEY: 'API key', CONSOLE_SESSION: 'console session', OPERATOR: 'operator of the platform' },
  kinds: { MONEY_REQUEST: 'Money request', ATOMIC_CALL: 'Atomic call', REQUEST_V2: 'v2 request' },
  /** @param shown the number, as the reader writes numbers */
  count: (count: number, shown: string) => (count === 1 ? '1 payment' : `${shown} payments`),
  completed: 'completed',
  isPart: 'Only the newest 10,000 payments of each kind are counted.',
  failedRequest: 'Refused request',
  failedRequests: 'Refused requests',
  noRepeat: 'The same request would be refused again.',
};
