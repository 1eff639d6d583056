/** Every event that the partner's webhook URL may get, by name (documents 2 and 3, decisions section 3). */
export const WEBHOOK_EVENTS = [
  'operation_created',
  'operation_updated',
  'operation_error',
  'request_money.created',
  'request_money.failed',
  'operation.processing',
  'operation.completed',
  'operation.rejected',
  'operation.cancelled',
  'user.data_request',
] as const;
type WebhookEvent = (typeof WEBHOOK_EVENTS)[number];

/** Events that a tenant gets when it names none (decisions, section 3). */
export const DEFAULT_WEBHOOK_EVENTS = [
  'operation_created',
  'operation_updated',
  'operation_error',
  'request_money.created',
  'request_money.failed',
] as const satisfies readonly WebhookEvent[];
