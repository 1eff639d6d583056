import type { AccountId } from '../kernel/account.ts';
import type { UnitOfWork } from '../kernel/database/unit-of-work.ts';
import type { EventLog } from '../runtime/events/log.ts';
import type { NewEvent } from '../runtime/events/model.ts';
import type { DeliveryError, DeliveryStatus } from './model.ts';
import { toPartnerError } from './partner-error.ts';

/** The state of a delivery after a write. */
export interface DeliveryChange {
  readonly deliveryId: string;
  readonly accountId: AccountId;
  readonly event: string;
  /** null for a new delivery. */
  readonly previousStatus: DeliveryStatus | null;
  readonly status: DeliveryStatus;
  /** The delivery's version after the change: one more when the status changed. */
  readonly version: number;
  /** Attempts recorded since it was stored or sent again. */
  readonly attempt: number;
  /** When a delivery that stays PENDING is due again. */
  readonly nextAttemptAt?: Date;
  /** The wait until then; only after a failure. Milliseconds. */
  readonly waitMs?: number;
  /** Why the last attempt of a dead-lettered delivery failed. */
  readonly errorClass?: DeliveryError;
  readonly occurredAt: Date;
  /** When the delivery was stored. */
  readonly createdAt: Date;
  /** Set for a due delivery that no process has a lease of. */
  readonly unclaimed?: true | undefined;
}

/** The part of the event log that deliveries write to. */
export type DeliveryEvents = Pick<EventLog, 'append'>;

/**
 * Appends the changes of status among `changes` to the event log, in the transaction that makes them. A failed attempt that
 * leaves its delivery PENDING is no change of status.
 */
export function appendDeliveryEvents(
  { append }: DeliveryEvents,
  changes: readonly DeliveryChange[],
  unit: UnitOfWork,
): void {
  append(changes.filter(hasMoved).map(toEvent), unit);
}

/** Whether the status changes. */
function hasMoved({ previousStatus, status }: DeliveryChange): boolean {
  return previousStatus !== status;
}

function toEvent(change: DeliveryChange): NewEvent {
  const { accountId, deliveryId, version, previousStatus, status, errorClass, event, occurredAt } = change;
  const { unclaimed } = change;
  return {
    accountId,
    entity: 'webhookDelivery',
    entityId: deliveryId,
    version,
    type: previousStatus === null ? 'webhook_delivery.created' : 'webhook_delivery.status_changed',
    previousStatus,
    status,
    ...(errorClass === undefined ? {} : { statusDetails: toPartnerError(errorClass) }),
    data: { event },
    occurredAt,
    figure: figureOf(change),
    unclaimed,
  };
}

/** The time of a success counts if the delivery was neither dead-lettered nor sent again before. */
function figureOf({
  status,
  version,
  createdAt,
  occurredAt,
}: DeliveryChange): NonNullable<NewEvent['figure']> {
  const isFirstSuccess = status === 'DELIVERED' && version === 2;
  return {
    createdAt,
    ...(isFirstSuccess && { ms: Math.max(0, occurredAt.getTime() - createdAt.getTime()) }),
  };
}
