import type { Tenant } from '../../partners/tenants/service.ts';
import type { NewEvent } from '../../runtime/events/index.ts';
import { REQUEST_MONEY_FULL_OUTCOME } from '../../webhook-events/atomic-calls.ts';
import { CONTRACTS } from '../../webhook-events/contracts.ts';
import { dataFor } from '../../webhook-events/versions.ts';
import type { NewDelivery } from '../../webhooks/queue.ts';
import type { RemittanceStatus } from '../lifecycle.ts';
import type { RemittanceDocument } from '../store/model.ts';

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
 * The outcome webhook of an ended remittance for the partner's status hook, serialised once. Its body has the version of the first
 * endpoint. Undefined for a partner without a hook.
 */
export function toOutcome(
  tenant: Pick<Tenant, 'operationStatusHook' | 'sharedSecret' | 'webhookEventVersion'>,
  remittance: RemittanceDocument,
): NewDelivery | undefined {
  const { operationStatusHook: url, sharedSecret: secret, webhookEventVersion } = tenant;
  const { accountId, correlationId, userId, status, phase, lastError, traceparent, updatedAt } = remittance;
  if (!url) {
    return undefined;
  }
  const error = status === 'FAILED' ? lastError : undefined;
  const body = REQUEST_MONEY_FULL_OUTCOME.body({ error, phase, correlationId, userId, endedAt: updatedAt });
  return {
    accountId,
    event: REQUEST_MONEY_FULL_OUTCOME.name,
    scheme: CONTRACTS[REQUEST_MONEY_FULL_OUTCOME.document].scheme,
    url,
    ...(secret === undefined ? {} : { secret }),
    body: JSON.stringify(dataFor(REQUEST_MONEY_FULL_OUTCOME, body, webhookEventVersion)),
    ...(traceparent === undefined ? {} : { traceparent }),
    createdAt: updatedAt,
  };
}
