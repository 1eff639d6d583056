/** How recipients are paid out, in document 2 and in routes. */
export const PAYOUT_METHODS = ['bank_account', 'card', 'cash'] as const;

export type PayoutMethod = (typeof PAYOUT_METHODS)[number];
