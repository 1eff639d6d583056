import type { JsonSchema } from '../../subgraphs/platform/json/json-schema.ts';
import { MONEY_REQUEST_STATUSES } from '../../subgraphs/request-money/index.ts';
import { type OpenApiWebhook, object, text, time } from '../openapi/document.ts';
import { DELIVERY_ID, describeWebhook, type WebhookHeader } from '../openapi/webhooks.ts';
import { CREATED_ASK, FOUND_ASK } from './openapi-examples.ts';

/** Document 2, "Headers of every delivery". */
const HEADERS: readonly WebhookHeader[] = [
  ['X-Webhook-Event', 'Copy of `event`.', true],
  DELIVERY_ID,
  [
    'X-Webhook-Signature',
    '`t=<unix seconds>,v1=<hex>`: HMAC-SHA256 of `<t>.<raw body>` under the webhook secret; there whenever a secret is.',
    false,
  ],
];

const amount = { type: 'number', description: 'Exact to the digits sent.' };
const status = { ...text, enum: MONEY_REQUEST_STATUSES };
const requestData = {
  type: 'object',
  description: 'As it was sent, but for account and card numbers: these are masked to their last four.',
};
const code = { ...text, description: 'Stable code; `VALIDATION_FAILED` for a body with faults.' };

const UPDATED = object(
  {
    partnerId: text,
    referenceId: text,
    id: text,
    requestId: text,
    operationId: { ...text, description: 'Present once an operation exists.' },
    userReferenceId: text,
    amount,
    currency: text,
    status,
    previousStatus: status,
    statusDetails: text,
    createdAt: time,
    updatedAt: time,
  },
  ['operationId'],
);

/** `data` by event (document 2, "Envelope"; decisions, section 3, "Events"). */
const DATA = {
  operation_created: object({
    partnerId: text,
    referenceId: text,
    id: text,
    userReferenceId: text,
    amount,
    currency: text,
    status,
    statusDetails: text,
    waLink: text,
    landingLink: text,
    requestData,
    createdAt: time,
    updatedAt: time,
  }),
  operation_updated: UPDATED,
  operation_error: object(
    {
      partnerId: text,
      referenceId: text,
      stage: { ...text, enum: ['create', 'status_update'] },
      httpStatus: { type: 'integer' },
      code,
      message: text,
    },
    ['referenceId'],
  ),
  'request_money.created': object({
    partnerId: text,
    referenceId: text,
    requestId: text,
    status,
    createdAt: time,
  }),
  'request_money.failed': object({ partnerId: text, referenceId: text, code, message: text }, [
    'referenceId',
  ]),
  'operation.processing': UPDATED,
  'operation.completed': UPDATED,
  'operation.rejected': UPDATED,
  'operation.cancelled': UPDATED,
} as const;
type Event = keyof typeof DATA;

const SUMMARIES: Readonly<Record<Event, string>> = {
  operation_created: 'An ask was made',
  operation_updated: 'The status of an ask changed',
  operation_error: 'A create or a status update was refused',
  'request_money.created': 'An ask was made',
  'request_money.failed': 'A create was refused',
  'operation.processing': 'The payer began',
  'operation.completed': 'The transfer is settled',
  'operation.rejected': 'The fulfilling operation failed',
  'operation.cancelled': 'The ask was cancelled, or expired',
};

/** `operation.processing` → `OperationProcessingEvent`. */
function schemaName(event: string): string {
  const words = event.split(/[._]/).map((word) => word.charAt(0).toUpperCase() + word.slice(1));
  return `${words.join('')}Event`;
}

export function webhookSchemas(): Record<string, JsonSchema> {
  return Object.fromEntries(
    Object.entries(DATA).map(([event, data]) => [
      schemaName(event),
      object({
        event: { const: event },
        data,
        timestamp: { ...time, description: 'When the event was stored; not changed by retries.' },
      }),
    ]),
  );
}

const { id, referenceId, statusDetails, waLink, landingLink } = CREATED_ASK;
const { requestId, createdAt } = FOUND_ASK;
const partnerId = 'acme';
const ASKED = { userReferenceId: 'u-77', amount: 1500.5, currency: 'MXN' };
const ERROR = { code: 'LEGACY_REFERENCE_EXISTS', message: 'A request with this referenceId exists.' };

const updated = (next: string, details: string, previousStatus: string) => ({
  partnerId,
  referenceId,
  id,
  requestId,
  operationId: 'op_2LmNp7RsAcEd3kTqVb9x',
  ...ASKED,
  status: next,
  previousStatus,
  statusDetails: details,
  createdAt,
  updatedAt: '2026-11-21T09:30:00.000Z',
});

const EXAMPLES: Readonly<Record<Event, object>> = {
  operation_created: {
    partnerId,
    referenceId,
    id,
    ...ASKED,
    status: 'pending',
    statusDetails,
    waLink,
    landingLink,
    requestData: {
      userReferenceId: 'u-77',
      name: { firstName: 'Ana', lastName: 'Ruiz' },
      address: { country: 'MX', state: 'CDMX' },
      payoutMethod: 'bank_account',
      bankAccount: { accountNumber: '**************9719' },
    },
    createdAt,
    updatedAt: createdAt,
  },
  operation_updated: updated('processing', 'PaymentInProgress', 'pending'),
  operation_error: { partnerId, referenceId, stage: 'create', httpStatus: 409, ...ERROR },
  'request_money.created': { partnerId, referenceId, requestId, status: 'pending', createdAt },
  'request_money.failed': { partnerId, referenceId, ...ERROR },
  'operation.processing': updated('processing', 'PaymentInProgress', 'pending'),
  'operation.completed': updated('completed', 'Funded', 'processing'),
  'operation.rejected': updated('rejected', 'PaymentFailed', 'processing'),
  'operation.cancelled': updated('cancelled', 'Cancelled', 'processing'),
};

/** The events of document 2. */
export function requestMoneyWebhooks(): Record<string, OpenApiWebhook> {
  return Object.fromEntries(
    (Object.keys(DATA) as Event[]).map((event) => {
      const schema = schemaName(event);
      const operationId = `on${schema}`;
      const example = { event, data: EXAMPLES[event], timestamp: createdAt };
      return [event, describeWebhook({ operationId, summary: SUMMARIES[event], schema, example }, HEADERS)];
    }),
  );
}
