/**
 * How a partner's webhooks follow each other. NONE: each is sent as soon as it is stored. PER_ENTITY: those of one entity to
 * one URL are sent one after the other.
 */
export const WEBHOOK_ORDERINGS = ['NONE', 'PER_ENTITY'] as const;
export type WebhookOrdering = (typeof WEBHOOK_ORDERINGS)[number];
