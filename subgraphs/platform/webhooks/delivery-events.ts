import type { UnitOfWork } from '../database/unit-of-work.ts';
import type { EventLog } from '../events/log.ts';
import type { NewEvent } from '../events/model.ts';
import type { DeliveryError, DeliveryStatus } from './model.ts';
import { toPartnerError } from './partner-error.ts';

/** Where a delivery stands after something was written of it. */
export interface DeliveryChange {
  readonly deliveryId: string;
  readonly tenantId: string;
  readonly event: string;
  /** null for one that was just stored. */
  readonly previousStatus: DeliveryStatus | null;
  readonly status: DeliveryStatus;
  /** Of the delivery, after the change: one more when the status is another. */
  readonly version: number;
  /** Attempts recorded since it was stored or sent again. */
  readonly attempt: number;
  /** Of one that stays PENDING: when it is due again. */
  readonly nextAttemptAt?: Date;
  /** Why the last attempt failed, of one that is given up. */
  readonly errorClass?: DeliveryError;
  readonly occurredAt: Date;
  /** Set for one that is due and that no process has a lease of. */
  readonly unclaimed?: true | undefined;
}

/** The event log, as far as deliveries write to it. */
export type DeliveryEvents = Pick<EventLog, 'append'>;

/**
 * Tells the event log of the changes of status among `changes`, in the transaction that makes them. A failed attempt that
 * leaves its delivery PENDING is none.
 */
export function appendDeliveryEvents(
  { append }: DeliveryEvents,
  changes: readonly DeliveryChange[],
  unit: UnitOfWork,
): void {
  append(changes.filter(hasMoved).map(toEvent), unit);
}

/** Whether a change is one of status. */
function hasMoved({ previousStatus, status }: DeliveryChange): boolean {
  return previousStatus !== status;
}

function toEvent(change: DeliveryChange): NewEvent {
  const { tenantId, deliveryId, version, previousStatus, status, errorClass, event, occurredAt } = change;
  const { unclaimed } = change;
  return {
    tenantId,
    entity: 'webhookDelivery',
    entityId: deliveryId,
    version,
    type: previousStatus === null ? 'webhook_delivery.created' : 'webhook_delivery.status_changed',
    previousStatus,
    status,
    ...(errorClass === undefined ? {} : { statusDetails: toPartnerError(errorClass) }),
    data: { event },
    occurredAt,
    unclaimed,
  };
}
