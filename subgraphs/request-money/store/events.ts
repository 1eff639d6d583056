import { LosslessNumber } from 'lossless-json';
import { statusOf } from '../../platform/errors/catalogue.ts';
import { internalStatusOf } from '../../platform/errors/internal-status.ts';
import type { Refusal } from '../../platform/errors/refusal.ts';
import type { NewEvent } from '../../platform/events/index.ts';
import type { OutgoingEvent } from '../../platform/webhooks/publisher.ts';
import type { RequestData } from '../commands/create-command.ts';
import type { AskStatus } from '../lifecycle.ts';
import type { Ask } from './model.ts';

/** What a partner hears of a create, `data` in the documents' order (document 2 "Events", decisions section 3). */
export function createdEvents(ask: Ask): OutgoingEvent[] {
  return [
    { event: 'operation_created', data: createdData(ask) },
    {
      event: 'request_money.created',
      data: {
        partnerId: ask.tenantId,
        referenceId: ask.referenceId,
        requestId: ask.requestId,
        status: ask.status,
        createdAt: ask.createdAt.toISOString(),
      },
    },
  ];
}

function createdData(ask: Ask): Record<string, unknown> {
  return {
    partnerId: ask.tenantId,
    referenceId: ask.referenceId,
    id: ask.referenceId,
    userReferenceId: ask.userReferenceId,
    amount: new LosslessNumber(ask.amount),
    currency: ask.currency,
    status: ask.status,
    statusDetails: ask.statusDetails,
    waLink: ask.waLink,
    landingLink: ask.landingLink,
    requestData: maskAccounts(ask.requestData),
    createdAt: ask.createdAt.toISOString(),
    updatedAt: ask.updatedAt.toISOString(),
  };
}

/** What a partner hears of a status update; one that only changes the details has no `operation.<status>` event. */
export function updatedEvents(ask: Ask, previousStatus: AskStatus): OutgoingEvent[] {
  const data = {
    partnerId: ask.tenantId,
    referenceId: ask.referenceId,
    id: ask.referenceId,
    requestId: ask.requestId,
    ...(ask.operationId === undefined ? {} : { operationId: ask.operationId }),
    userReferenceId: ask.userReferenceId,
    amount: new LosslessNumber(ask.amount),
    currency: ask.currency,
    status: ask.status,
    previousStatus,
    statusDetails: ask.statusDetails,
    createdAt: ask.createdAt.toISOString(),
    updatedAt: ask.updatedAt.toISOString(),
  };
  const updated = { event: 'operation_updated', data };
  return ask.status === previousStatus ? [updated] : [updated, { event: `operation.${ask.status}`, data }];
}

/** What a partner hears of a refusal. A refused create makes two events, a refused update one. */
export function refusedEvents(input: {
  partnerId: string;
  referenceId: string | undefined;
  stage: 'create' | 'status_update';
  refusal: Pick<Refusal, 'code' | 'message'>;
}): OutgoingEvent[] {
  const { partnerId, stage } = input;
  const { code, message } = input.refusal;
  const reference = input.referenceId === undefined ? {} : { referenceId: input.referenceId };
  const httpStatus = stage === 'create' ? statusOf(code, 'requestMoney') : internalStatusOf(code);
  const error = {
    event: 'operation_error',
    data: { partnerId, ...reference, stage, httpStatus, code, message },
  };
  return stage === 'create'
    ? [error, { event: 'request_money.failed', data: { partnerId, ...reference, code, message } }]
    : [error];
}

/** The move of an ask for the event log, which live subscriptions follow. */
export function logEntry(ask: Ask, previousStatus: AskStatus | null): NewEvent {
  return {
    tenantId: ask.tenantId,
    entity: 'requestMoney',
    entityId: ask.referenceId,
    version: ask.version,
    type: previousStatus === null ? 'request_money.created' : 'request_money.status_changed',
    previousStatus,
    status: ask.status,
    statusDetails: ask.statusDetails,
    occurredAt: ask.updatedAt,
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
