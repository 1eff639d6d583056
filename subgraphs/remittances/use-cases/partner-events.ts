import type { NewEvent } from '../../runtime/events/index.ts';
import type { NewDelivery } from '../../webhooks/queue.ts';
import type { RemittanceStatus } from '../lifecycle.ts';
import type { RemittanceDocument } from '../store/model.ts';

/** The event of the webhook, and its `eventType` (document 1, "Events"). */
const OUTCOME = 'request_money_full_outcome';
/** `reason` of a success (decisions, section 6). */
const CREATED = 'Request created';

/**
 * The event of a remittance's move for the event log, which live subscriptions follow; the phase is in its details.
 * @param data further parts of the move: its webhooks
 */
export function logEntry(
  remittance: RemittanceDocument,
  previousStatus: RemittanceStatus | null,
  data: NonNullable<NewEvent['data']> = {},
): NewEvent {
  const { accountId, correlationId, version, status, phase, updatedAt, leaseToken } = remittance;
  return {
    accountId,
    entity: 'remittance',
    entityId: correlationId,
    version,
    type: previousStatus === null ? 'remittance.accepted' : TYPES[status],
    previousStatus,
    status,
    statusDetails: phase,
    data,
    occurredAt: updatedAt,
    unclaimed: previousStatus === null && leaseToken === undefined ? true : undefined,
  };
}

const TYPES: Readonly<Record<RemittanceStatus, string>> = {
  IN_PROGRESS: 'remittance.phase_changed',
  SUCCEEDED: 'remittance.succeeded',
  FAILED: 'remittance.failed',
};

/**
 * The outcome webhook of an ended remittance for the partner's status hook: serialised once, keys in the order of decisions,
 * section 2. Undefined for a partner without a hook.
 */
export function toOutcome(
  { operationStatusHook: url, sharedSecret: secret }: { operationStatusHook?: string; sharedSecret?: string },
  remittance: RemittanceDocument,
): NewDelivery | undefined {
  const { accountId, correlationId, userId, status, phase, lastError, traceparent, updatedAt } = remittance;
  if (!url) {
    return undefined;
  }
  const outcome =
    lastError && status === 'FAILED'
      ? { status: 'Failed', errorCode: lastError.code, reason: lastError.message }
      : { status: 'Accepted', reason: CREATED };
  const body = {
    eventType: OUTCOME,
    ...outcome,
    phase,
    correlationId,
    operationId: correlationId,
    userId,
    timestamp: updatedAt.toISOString(),
  };
  return {
    accountId,
    event: OUTCOME,
    scheme: 'outcome',
    url,
    ...(secret === undefined ? {} : { secret }),
    body: JSON.stringify(body),
    ...(traceparent === undefined ? {} : { traceparent }),
    createdAt: updatedAt,
  };
}
