import { LosslessNumber } from 'lossless-json';
import { type AccountId, tenantOf } from '../kernel/account.ts';
import { type JsonSchema, object, text, time } from '../kernel/json/json-schema.ts';
import type { Members } from '../kernel/json/shape.ts';
import { PAYOUT_METHODS, type PayoutMethod } from '../kernel/money/payout-methods.ts';
import { maskField } from '../kernel/person/mask-numbers.ts';
import { MONEY_REQUEST_STATUSES, type MoneyRequestStatus } from './values.ts';

/** The requester and the payout of a money request, as far as events change them. */
interface RequestData {
  readonly bankAccount?: { readonly accountNumber: string } | undefined;
  readonly card?: { readonly number: string } | undefined;
}

/** The parts of a money request that its events have. */
export interface MoneyRequest {
  readonly accountId: AccountId;
  readonly referenceId: string;
  readonly requestId: string;
  /** The fulfilling operation, once there is one. */
  readonly operationId?: string;
  readonly userReferenceId: string;
  /** Decimal digits. */
  readonly amount: string;
  readonly currency: string;
  readonly status: MoneyRequestStatus;
  readonly statusDetails: string;
  readonly waLink: string;
  readonly landingLink: string;
  /** With whole account and card numbers: events mask them. */
  readonly requestData: RequestData;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** A money request after a change of its status or details. */
export interface ChangedMoneyRequest extends MoneyRequest {
  readonly previousStatus: MoneyRequestStatus;
}

/** A create or a status update that was rejected. */
export interface RejectedCall {
  readonly partnerId: string;
  /** Undefined if the body has none. */
  readonly referenceId: string | undefined;
  readonly stage: 'create' | 'status_update';
  readonly httpStatus: number;
  readonly code: string;
  readonly message: string;
}

const partnerIdSchema = { ...text, description: 'Your partner id.' };
const referenceIdSchema = { ...text, description: 'Your 8-character reference of the money request.' };
const statusSchema = { ...text, enum: MONEY_REQUEST_STATUSES };

/** An object of texts. */
function texts(required: readonly string[], optional: readonly string[] = []) {
  return object(Object.fromEntries([...required, ...optional].map((name) => [name, text])), optional);
}

const ofMethod = (method: PayoutMethod, schema: JsonSchema) => ({
  ...schema,
  description: `Only with \`payoutMethod: ${method}\`.`,
});

/** The sent object in the form that the product keeps: without unknown members. */
const requestDataSchema = {
  ...object(
    {
      userReferenceId: text,
      name: texts(['firstName', 'lastName'], ['secondName', 'secondLastName']),
      address: texts(['country'], ['state', 'city', 'line1', 'postalCode']),
      dob: { ...text, description: 'YYYY-MM-DD.' },
      payoutMethod: { ...text, enum: PAYOUT_METHODS },
      bankAccount: ofMethod('bank_account', texts(['accountNumber'], ['bankCode'])),
      card: ofMethod('card', texts(['number'], ['nameOnCard', 'expirationDate'])),
      cash: ofMethod('cash', texts(['provider'])),
    },
    ['dob', 'bankAccount', 'card', 'cash'],
  ),
  description: 'The sent text; account and card numbers are masked to their last four characters.',
};

/** Account and card numbers leave the platform masked to their last four. */
function maskNumbers(requestData: RequestData): RequestData {
  const { bankAccount, card } = requestData;
  return {
    ...requestData,
    ...(bankAccount && {
      bankAccount: { ...bankAccount, accountNumber: maskField(bankAccount.accountNumber) },
    }),
    ...(card && { card: { ...card, number: maskField(card.number) } }),
  };
}

/** Document 2, "Create response fields" and "Envelope": the members that answers and events share. */
export const DETAILS_AND_LINKS = {
  statusDetails: [
    { ...text, description: 'Text detail of the status.' },
    ({ statusDetails }) => statusDetails,
  ],
  waLink: [
    { ...text, description: 'Messaging link; empty when messaging is not configured.' },
    ({ waLink }) => waLink,
  ],
  landingLink: [
    { ...text, description: 'Landing base URL plus `?ref=<referenceId>`.' },
    ({ landingLink }) => landingLink,
  ],
} satisfies Members<Pick<MoneyRequest, 'statusDetails' | 'waLink' | 'landingLink'>>;

const MEMBERS = {
  partnerId: [partnerIdSchema, ({ accountId }) => tenantOf(accountId)],
  referenceId: [referenceIdSchema, ({ referenceId }) => referenceId],
  id: [{ ...text, description: 'Same value as `referenceId`.' }, ({ referenceId }) => referenceId],
  requestId: [
    { ...text, description: "The platform's id of the money request." },
    ({ requestId }) => requestId,
  ],
  operationId: [
    { ...text, description: 'The fulfilling operation; present after it exists.' },
    ({ operationId }) => operationId,
    'optional',
  ],
  userReferenceId: [
    { ...text, description: 'Your id of the requester.' },
    ({ userReferenceId }) => userReferenceId,
  ],
  amount: [
    { type: 'number', description: 'Exact to the digits sent.' },
    ({ amount }) => new LosslessNumber(amount),
  ],
  currency: [{ ...text, description: 'ISO 4217.' }, ({ currency }) => currency],
  status: [statusSchema, ({ status }) => status],
  ...DETAILS_AND_LINKS,
  requestData: [requestDataSchema, ({ requestData }) => maskNumbers(requestData)],
  createdAt: [time, ({ createdAt }) => createdAt.toISOString()],
  updatedAt: [time, ({ updatedAt }) => updatedAt.toISOString()],
} satisfies Members<MoneyRequest>;
const { partnerId, referenceId, id, requestId, operationId, userReferenceId, createdAt, updatedAt } = MEMBERS;
const { amount, currency, status, statusDetails, waLink, landingLink, requestData } = MEMBERS;

/** Document 2, "Envelope": `operation_created`. */
export const CREATED: Members<MoneyRequest> = {
  ...{ partnerId, referenceId, id, userReferenceId, amount, currency, status, statusDetails },
  ...{ waLink, landingLink, requestData, createdAt, updatedAt },
};

/** Decisions, section 3, "Events": `request_money.created`. */
export const CREATED_SHORT: Members<MoneyRequest> = { partnerId, referenceId, requestId, status, createdAt };

/** Decisions, section 3, "Events": `operation_updated` and `operation.<status>`. */
export const CHANGED: Members<ChangedMoneyRequest> = {
  ...{ partnerId, referenceId, id, requestId, operationId, userReferenceId, amount, currency, status },
  previousStatus: [statusSchema, ({ previousStatus }) => previousStatus],
  ...{ statusDetails, createdAt, updatedAt },
};

const PARTNER_AND_REFERENCE: Members<Pick<RejectedCall, 'partnerId' | 'referenceId'>> = {
  partnerId: [partnerIdSchema, (call) => call.partnerId],
  referenceId: [
    { ...referenceIdSchema, description: 'The sent reference; absent where the body has none.' },
    (call) => call.referenceId,
    'optional',
  ],
};

const CODE_AND_MESSAGE: Members<Pick<RejectedCall, 'code' | 'message'>> = {
  code: [
    { ...text, description: 'Stable code; `VALIDATION_FAILED` for an invalid body.' },
    ({ code }) => code,
  ],
  message: [text, ({ message }) => message],
};

/** Decisions, section 3, "Events": `request_money.failed`. */
export const REJECTED_CREATE: Members<RejectedCall> = { ...PARTNER_AND_REFERENCE, ...CODE_AND_MESSAGE };

/** Decisions, section 3, "Events": `operation_error`. */
export const REJECTED: Members<RejectedCall> = {
  ...PARTNER_AND_REFERENCE,
  stage: [
    { ...text, enum: ['create', 'status_update'], description: 'The rejected call.' },
    ({ stage }) => stage,
  ],
  httpStatus: [
    { type: 'integer', description: 'HTTP status of the answer to the call.' },
    ({ httpStatus }) => httpStatus,
  ],
  ...CODE_AND_MESSAGE,
};
