import { recordName } from '../../graph/timeline.ts';
import { retryOnConflict } from '../../kernel/database/transaction.ts';
import type { UnitOfWork } from '../../kernel/database/unit-of-work.ts';
import { statusOrInternalError } from '../../kernel/errors/catalogue.ts';
import { internalStatusOf } from '../../kernel/errors/internal-status.ts';
import type { Failure } from '../../kernel/errors/result.ts';
import type { Tenant } from '../../partners/tenants/service.ts';
import { deliveriesData, type NewEvent } from '../../runtime/events/index.ts';
import {
  OPERATION_CREATED,
  OPERATION_ERROR,
  OPERATION_UPDATED,
  REQUEST_MONEY_CREATED,
  REQUEST_MONEY_FAILED,
  STATUS_EVENTS,
} from '../../webhook-events/money-requests.ts';
import { type OutgoingEvent, toDeliveries } from '../../webhooks/publisher.ts';
import { identify } from '../../webhooks/queue.ts';
import { REFERENCE } from '../commands/create-request-money.ts';
import type { RequestMoneyDeps } from '../deps.ts';
import { summarizeFailures } from '../errors.ts';
import type { MoneyRequestStatus } from '../lifecycle.ts';
import type { MoneyRequest } from '../store/model.ts';

/**
 * Saves the event of a move for the event log, and its webhooks for the partner, in the caller's transaction.
 * @param moneyRequest the money request after the move
 * @param previousStatus its status before the move; null when the move has created it
 */
export function publishMove(
  { events, webhooks }: Pick<RequestMoneyDeps, 'webhooks' | 'events'>,
  tenant: Tenant,
  moneyRequest: MoneyRequest,
  previousStatus: MoneyRequestStatus | null,
  unit: UnitOfWork,
): void {
  const forPartner =
    previousStatus === null ? createdEvents(moneyRequest) : updatedEvents(moneyRequest, previousStatus);
  const deliveries = identify(toDeliveries(tenant, forPartner, moneyRequest.updatedAt));
  events.append([logEntry(moneyRequest, previousStatus, deliveriesData(deliveries))], unit);
  webhooks.enqueue(deliveries, unit);
}

/** Saves the events of a failed call for the partner, before the call answers (document 2, `operation_error`). */
export async function publishFailure(
  deps: Pick<RequestMoneyDeps, 'webhooks' | 'transaction' | 'accountClock'>,
  tenant: Tenant,
  failed: {
    referenceId: string | undefined;
    stage: 'create' | 'status_update';
    failures: readonly Failure[];
  },
): Promise<void> {
  const events = failedEvents({
    partnerId: tenant.tenantId,
    referenceId: failed.referenceId,
    stage: failed.stage,
    failure: summarizeFailures(failed.failures),
  });
  const about = aboutOf(failed.referenceId);
  const deliveries = toDeliveries(
    tenant,
    events.map((event) => ({ ...event, ...about })),
    deps.accountClock(tenant.accountId),
  );
  if (deliveries.length > 0) {
    // Two failures of one reference at once may both create the order of its webhooks. The later one finds it on its retry.
    await retryOnConflict(() => deps.transaction(async (unit) => deps.webhooks.enqueue(deliveries, unit)));
  }
}

/** The money request that a failed call names, if its reference could be one: there it is in the timeline. */
function aboutOf(id: string | undefined): Pick<OutgoingEvent, 'about'> {
  return id !== undefined && REFERENCE.test(id) ? { about: recordName({ type: 'RequestMoney', id }) } : {};
}

/** The events of a create for a partner (document 2 "Events", decisions section 3). */
function createdEvents(moneyRequest: MoneyRequest): OutgoingEvent[] {
  return [OPERATION_CREATED.of(moneyRequest), REQUEST_MONEY_CREATED.of(moneyRequest)];
}

/** The events of a status update for a partner. One that changes only the details has no `operation.<status>` event. */
function updatedEvents(moneyRequest: MoneyRequest, previousStatus: MoneyRequestStatus): OutgoingEvent[] {
  const { status } = moneyRequest;
  const changed = { ...moneyRequest, previousStatus };
  const updated = OPERATION_UPDATED.of(changed);
  return status === previousStatus || status === 'pending'
    ? [updated]
    : [updated, STATUS_EVENTS[status].of(changed)];
}

/** The events of a failure for a partner: two of a create, one of an update. */
function failedEvents(input: {
  partnerId: string;
  referenceId: string | undefined;
  stage: 'create' | 'status_update';
  failure: Pick<Failure, 'code' | 'message'>;
}): OutgoingEvent[] {
  const { partnerId, referenceId, stage } = input;
  const { code, message } = input.failure;
  const httpStatus =
    stage === 'create' ? statusOrInternalError(code, 'requestMoney') : internalStatusOf(code);
  const call = { partnerId, referenceId, stage, httpStatus, code, message };
  return stage === 'create'
    ? [OPERATION_ERROR.of(call), REQUEST_MONEY_FAILED.of(call)]
    : [OPERATION_ERROR.of(call)];
}

/** The move of a money request for the event log, which live subscriptions follow. */
function logEntry(
  moneyRequest: MoneyRequest,
  previousStatus: MoneyRequestStatus | null,
  data: NonNullable<NewEvent['data']>,
): NewEvent {
  return {
    accountId: moneyRequest.accountId,
    entity: 'requestMoney',
    entityId: moneyRequest.referenceId,
    version: moneyRequest.version,
    type: previousStatus === null ? 'request_money.created' : 'request_money.status_changed',
    previousStatus,
    status: moneyRequest.status,
    statusDetails: moneyRequest.statusDetails,
    data,
    occurredAt: moneyRequest.updatedAt,
    figure: figureOfMove(moneyRequest),
  };
}

const OUTCOMES = { completed: 'completed', rejected: 'failed', cancelled: 'cancelled' } as const;

/** The figure of a move of a money request. */
function figureOfMove({
  status,
  createdAt,
  updatedAt,
  amount,
  currency,
  resolved,
  failureCause: cause,
}: MoneyRequest): NonNullable<NewEvent['figure']> {
  const isOpen = status === 'pending' || status === 'processing';
  return {
    createdAt,
    money: { amount, currency },
    corridor: `${resolved.sourceCountry}-${resolved.destinationCountry}`,
    ...(!isOpen && { outcome: OUTCOMES[status] }),
    ...(cause && { cause }),
    ...(status === 'completed' && { ms: Math.max(0, updatedAt.getTime() - createdAt.getTime()) }),
  };
}
