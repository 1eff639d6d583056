/** The documents whose text the page sends, because the live client reads it. */
export const LIVE_DOCUMENTS = [
  'operations',
  'operationChanges',
  'moneyRequests',
  'moneyRequestChanges',
  'remittances',
  'remittanceChanges',
  'deliveries',
  'deliveryChanges',
] as const;

export type LiveDocument = (typeof LIVE_DOCUMENTS)[number];
