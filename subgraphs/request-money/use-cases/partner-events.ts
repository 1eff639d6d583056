import { LosslessNumber } from 'lossless-json';
import { statusOrInternalError } from '../../platform/errors/catalogue.ts';
import { internalStatusOf } from '../../platform/errors/internal-status.ts';
import type { Failure } from '../../platform/errors/result.ts';
import type { NewEvent } from '../../platform/events/index.ts';
import type { OutgoingEvent } from '../../platform/webhooks/publisher.ts';
import type { RequestData } from '../commands/create-request-money.ts';
import type { MoneyRequestStatus } from '../lifecycle.ts';
import type { MoneyRequest } from '../store/model.ts';

/** The events of a create for a partner, `data` in the documents' order (document 2 "Events", decisions section 3). */
export function createdEvents(moneyRequest: MoneyRequest): OutgoingEvent[] {
  return [
    { event: 'operation_created', data: createdData(moneyRequest) },
    {
      event: 'request_money.created',
      data: {
        partnerId: moneyRequest.tenantId,
        referenceId: moneyRequest.referenceId,
        requestId: moneyRequest.requestId,
        status: moneyRequest.status,
        createdAt: moneyRequest.createdAt.toISOString(),
      },
    },
  ];
}

function createdData(moneyRequest: MoneyRequest): Record<string, unknown> {
  return {
    partnerId: moneyRequest.tenantId,
    referenceId: moneyRequest.referenceId,
    id: moneyRequest.referenceId,
    userReferenceId: moneyRequest.userReferenceId,
    amount: new LosslessNumber(moneyRequest.amount),
    currency: moneyRequest.currency,
    status: moneyRequest.status,
    statusDetails: moneyRequest.statusDetails,
    waLink: moneyRequest.waLink,
    landingLink: moneyRequest.landingLink,
    requestData: maskAccounts(moneyRequest.requestData),
    createdAt: moneyRequest.createdAt.toISOString(),
    updatedAt: moneyRequest.updatedAt.toISOString(),
  };
}

/** The events of a status update for a partner. One that changes only the details has no `operation.<status>` event. */
export function updatedEvents(
  moneyRequest: MoneyRequest,
  previousStatus: MoneyRequestStatus,
): OutgoingEvent[] {
  const data = {
    partnerId: moneyRequest.tenantId,
    referenceId: moneyRequest.referenceId,
    id: moneyRequest.referenceId,
    requestId: moneyRequest.requestId,
    ...(moneyRequest.operationId === undefined ? {} : { operationId: moneyRequest.operationId }),
    userReferenceId: moneyRequest.userReferenceId,
    amount: new LosslessNumber(moneyRequest.amount),
    currency: moneyRequest.currency,
    status: moneyRequest.status,
    previousStatus,
    statusDetails: moneyRequest.statusDetails,
    createdAt: moneyRequest.createdAt.toISOString(),
    updatedAt: moneyRequest.updatedAt.toISOString(),
  };
  const updated = { event: 'operation_updated', data };
  return moneyRequest.status === previousStatus
    ? [updated]
    : [updated, { event: `operation.${moneyRequest.status}`, data }];
}

/** The events of a failure for a partner: two of a create, one of an update. */
export function failedEvents(input: {
  partnerId: string;
  referenceId: string | undefined;
  stage: 'create' | 'status_update';
  failure: Pick<Failure, 'code' | 'message'>;
}): OutgoingEvent[] {
  const { partnerId, stage } = input;
  const { code, message } = input.failure;
  const reference = input.referenceId === undefined ? {} : { referenceId: input.referenceId };
  const httpStatus =
    stage === 'create' ? statusOrInternalError(code, 'requestMoney') : internalStatusOf(code);
  const error = {
    event: 'operation_error',
    data: { partnerId, ...reference, stage, httpStatus, code, message },
  };
  return stage === 'create'
    ? [error, { event: 'request_money.failed', data: { partnerId, ...reference, code, message } }]
    : [error];
}

/** The move of a money request for the event log, which live subscriptions follow. */
export function logEntry(moneyRequest: MoneyRequest, previousStatus: MoneyRequestStatus | null): NewEvent {
  return {
    tenantId: moneyRequest.tenantId,
    entity: 'requestMoney',
    entityId: moneyRequest.referenceId,
    version: moneyRequest.version,
    type: previousStatus === null ? 'request_money.created' : 'request_money.status_changed',
    previousStatus,
    status: moneyRequest.status,
    statusDetails: moneyRequest.statusDetails,
    occurredAt: moneyRequest.updatedAt,
  };
}

/** Account and card numbers leave the platform masked to their last four. */
function maskAccounts(requestData: RequestData): RequestData {
  const { bankAccount, card } = requestData;
  return {
    ...requestData,
    ...(bankAccount && { bankAccount: { ...bankAccount, accountNumber: mask(bankAccount.accountNumber) } }),
    ...(card && { card: { ...card, number: mask(card.number) } }),
  };
}

function mask(number: string): string {
  return number.slice(-4).padStart(number.length, '*');
}
