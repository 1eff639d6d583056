import { EXAMPLE_TIME, envelopedEvent } from './declare.ts';
import {
  CHANGED,
  type ChangedMoneyRequest,
  CREATED,
  CREATED_SHORT,
  type MoneyRequest,
  REJECTED,
  REJECTED_CREATE,
  type RejectedCall,
} from './money-request-data.ts';
import type { MoneyRequestStatus } from './values.ts';

const OWN = { document: 2, version: 1, receivers: 'subscribers' } as const;
const NAMED = 'document 2, "Event kinds"; decisions, section 3';

const SAMPLE = {
  accountId: 'acme/sandbox',
  referenceId: 'AB12cd34',
  requestId: 'req_5TnVq8ZkXw3LmPb7RsYc',
  userReferenceId: 'u-77',
  amount: '1500.5',
  currency: 'MXN',
  status: 'pending',
  statusDetails: 'AwaitingPayment',
  waLink:
    'https://wa.me/?text=Ana%20asks%20you%20for%201500.5%20MXN%3A%20https%3A%2F%2Fpay.acme.test%2Fr%3Fref%3DAB12cd34',
  landingLink: 'https://pay.acme.test/r?ref=AB12cd34',
  requestData: {
    ...{ userReferenceId: 'u-77', name: { firstName: 'Ana', lastName: 'Ruiz' } },
    ...{ address: { country: 'MX', state: 'CDMX' }, payoutMethod: 'bank_account' },
    bankAccount: { accountNumber: '032180000118359719' },
  },
  createdAt: new Date(EXAMPLE_TIME),
  updatedAt: new Date(EXAMPLE_TIME),
} as const satisfies MoneyRequest;

const changed = (
  previousStatus: MoneyRequestStatus,
  status: MoneyRequestStatus,
  statusDetails: string,
): ChangedMoneyRequest => ({
  ...SAMPLE,
  ...{ operationId: 'op_2LmNp7RsAcEd3kTqVb9x', createdAt: new Date('2026-11-20T16:45:00.000Z') },
  ...{ previousStatus, status, statusDetails },
});

const SAMPLE_REJECTED: RejectedCall = {
  ...{ partnerId: 'acme', referenceId: 'AB12cd34', stage: 'create', httpStatus: 409 },
  ...{ code: 'LEGACY_REFERENCE_EXISTS', message: 'A request with this referenceId exists.' },
};

/** A money request was created. */
export const OPERATION_CREATED = envelopedEvent(
  {
    ...OWN,
    name: 'operation_created',
    schemaName: 'OperationCreatedEvent',
    source: 'document 2, "Event kinds" and "Envelope"',
    summary: 'A money request was created',
    sentWhen:
      'Sent when a create stores a money request, by any API. A repeated create that finds the stored one sends nothing.',
    isDefault: true,
  },
  CREATED,
  SAMPLE,
);

/** The status of a money request, or its details, changed. */
export const OPERATION_UPDATED = envelopedEvent(
  {
    ...OWN,
    name: 'operation_updated',
    schemaName: 'OperationUpdatedEvent',
    source: 'document 2, "Event kinds"; decisions, section 3, "Events"',
    summary: 'The status of a money request changed',
    sentWhen:
      'Sent when the status of a money request, or its `statusDetails`, changes: by the platform, by its fulfilling operation, by your cancellation, or because it expires.',
    isDefault: true,
  },
  CHANGED,
  changed('pending', 'processing', 'PaymentInProgress'),
);

/** A create or a status update was rejected. */
export const OPERATION_ERROR = envelopedEvent(
  {
    ...OWN,
    name: 'operation_error',
    schemaName: 'OperationErrorEvent',
    source: 'document 2, "Event kinds"; decisions, section 3, "Events"',
    summary: 'A create or a status update was rejected',
    sentWhen:
      'Sent in addition to the answer of a create or a status update that is rejected. Calls without a valid key, scope or feature send nothing.',
    isDefault: true,
  },
  REJECTED,
  SAMPLE_REJECTED,
);

/** A money request was created: the short form. */
export const REQUEST_MONEY_CREATED = envelopedEvent(
  {
    ...OWN,
    name: 'request_money.created',
    schemaName: 'RequestMoneyCreatedEvent',
    source: NAMED,
    summary: 'A money request was created',
    sentWhen:
      'Sent with `operation_created`, and has the `requestId`, which the answer to the create does not have.',
    isDefault: true,
  },
  CREATED_SHORT,
  SAMPLE,
);

/** A create was rejected. */
export const REQUEST_MONEY_FAILED = envelopedEvent(
  {
    ...OWN,
    name: 'request_money.failed',
    schemaName: 'RequestMoneyFailedEvent',
    source: NAMED,
    summary: 'A create was rejected',
    sentWhen: 'Sent with the `operation_error` of a create.',
    isDefault: true,
  },
  REJECTED_CREATE,
  SAMPLE_REJECTED,
);

const SENT_WITH_UPDATE = 'Sent with `operation_updated` when a money request reaches this status.';

/** The events of money requests that reach a status. No money request returns to `pending`. */
export const STATUS_EVENTS = {
  processing: envelopedEvent(
    {
      ...OWN,
      name: 'operation.processing',
      schemaName: 'OperationProcessingEvent',
      source: NAMED,
      summary: 'The payer started the payment',
      sentWhen: SENT_WITH_UPDATE,
    },
    CHANGED,
    changed('pending', 'processing', 'PaymentInProgress'),
  ),
  completed: envelopedEvent(
    {
      ...OWN,
      name: 'operation.completed',
      schemaName: 'OperationCompletedEvent',
      source: NAMED,
      summary: 'The transfer is completed',
      sentWhen: SENT_WITH_UPDATE,
    },
    CHANGED,
    changed('processing', 'completed', 'Funded'),
  ),
  rejected: envelopedEvent(
    {
      ...OWN,
      name: 'operation.rejected',
      schemaName: 'OperationRejectedEvent',
      source: NAMED,
      summary: 'The fulfilling operation failed',
      sentWhen: SENT_WITH_UPDATE,
    },
    CHANGED,
    changed('processing', 'rejected', 'PaymentFailed'),
  ),
  cancelled: envelopedEvent(
    {
      ...OWN,
      name: 'operation.cancelled',
      schemaName: 'OperationCancelledEvent',
      source: NAMED,
      summary: 'The money request was cancelled, or expired',
      sentWhen: SENT_WITH_UPDATE,
    },
    CHANGED,
    changed('processing', 'cancelled', 'Cancelled'),
  ),
};
