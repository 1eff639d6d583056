import type { JsonSchema } from '../../subgraphs/kernel/json/json-schema.ts';
import { MONEY_REQUEST_STATUSES } from '../../subgraphs/request-money/index.ts';
import { type OpenApiWebhook, object, text, time } from '../shared/openapi/document.ts';
import { DELIVERY_ID, describeWebhook, type WebhookHeader } from '../shared/openapi/webhooks.ts';
import { CREATED_MONEY_REQUEST, FOUND_MONEY_REQUEST } from './openapi-examples.ts';

/** Document 2, "Headers of every delivery". */
const HEADERS: readonly WebhookHeader[] = [
  ['X-Webhook-Event', 'Copy of `event`.', true],
  DELIVERY_ID,
  [
    'X-Webhook-Signature',
    '`t=<unix seconds>,v1=<hex>`: HMAC-SHA256 of `<t>.<raw body>` under the webhook secret; present if a secret is configured.',
    false,
  ],
];

const amount = { type: 'number', description: 'Exact to the digits sent.' };
const status = { ...text, enum: MONEY_REQUEST_STATUSES };
const requestData = {
  type: 'object',
  description: 'The sent text; account and card numbers are masked to their last four digits.',
};
const code = { ...text, description: 'Stable code; `VALIDATION_FAILED` for an invalid body.' };

const UPDATED = object(
  {
    partnerId: text,
    referenceId: text,
    id: text,
    requestId: text,
    operationId: { ...text, description: 'Present after an operation exists.' },
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

/** `operation.processing` → `OperationProcessingEvent`. */
function schemaName(event: string): string {
  const words = event.split(/[._]/).map((word) => word.charAt(0).toUpperCase() + word.slice(1));
  return `${words.join('')}Event`;
}

const { id, referenceId, statusDetails, waLink, landingLink } = CREATED_MONEY_REQUEST;
const { requestId, createdAt } = FOUND_MONEY_REQUEST;
const partnerId = 'acme';
const COMMON = { userReferenceId: 'u-77', amount: 1500.5, currency: 'MXN' };
const ERROR = { code: 'LEGACY_REFERENCE_EXISTS', message: 'A request with this referenceId exists.' };

const updated = (next: string, details: string, previousStatus: string) => ({
  partnerId,
  referenceId,
  id,
  requestId,
  operationId: 'op_2LmNp7RsAcEd3kTqVb9x',
  ...COMMON,
  status: next,
  previousStatus,
  statusDetails: details,
  createdAt,
  updatedAt: '2026-11-21T09:30:00.000Z',
});

/** An event: its summary, the schema of its `data`, and an example of it. */
interface Event {
  readonly summary: string;
  readonly data: JsonSchema;
  readonly example: object;
}

/** Document 2, "Envelope"; decisions, section 3, "Events". */
const EVENTS: Readonly<Record<string, Event>> = {
  operation_created: {
    summary: 'A money request was created',
    data: object({
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
    example: {
      partnerId,
      referenceId,
      id,
      ...COMMON,
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
  },
  operation_updated: {
    summary: 'The status of a money request changed',
    data: UPDATED,
    example: updated('processing', 'PaymentInProgress', 'pending'),
  },
  operation_error: {
    summary: 'A create or a status update was rejected',
    data: object(
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
    example: { partnerId, referenceId, stage: 'create', httpStatus: 409, ...ERROR },
  },
  'request_money.created': {
    summary: 'A money request was created',
    data: object({ partnerId: text, referenceId: text, requestId: text, status, createdAt: time }),
    example: { partnerId, referenceId, requestId, status: 'pending', createdAt },
  },
  'request_money.failed': {
    summary: 'A create was rejected',
    data: object({ partnerId: text, referenceId: text, code, message: text }, ['referenceId']),
    example: { partnerId, referenceId, ...ERROR },
  },
  'operation.processing': {
    summary: 'The payer started the payment',
    data: UPDATED,
    example: updated('processing', 'PaymentInProgress', 'pending'),
  },
  'operation.completed': {
    summary: 'The transfer is completed',
    data: UPDATED,
    example: updated('completed', 'Funded', 'processing'),
  },
  'operation.rejected': {
    summary: 'The fulfilling operation failed',
    data: UPDATED,
    example: updated('rejected', 'PaymentFailed', 'processing'),
  },
  'operation.cancelled': {
    summary: 'The money request was cancelled, or expired',
    data: UPDATED,
    example: updated('cancelled', 'Cancelled', 'processing'),
  },
};

/** The named schemas of the events. */
export function webhookSchemas(): Record<string, JsonSchema> {
  return Object.fromEntries(
    Object.entries(EVENTS).map(([event, { data }]) => [
      schemaName(event),
      object({
        event: { const: event },
        data,
        timestamp: { ...time, description: 'Time at which the event was stored; the same for all retries.' },
      }),
    ]),
  );
}

/** The events of document 2. */
export function requestMoneyWebhooks(): Record<string, OpenApiWebhook> {
  return Object.fromEntries(
    Object.entries(EVENTS).map(([event, { summary, example }]) => {
      const schema = schemaName(event);
      const body = { event, data: example, timestamp: createdAt };
      return [
        event,
        describeWebhook({ operationId: `on${schema}`, summary, schema, example: body }, HEADERS),
      ];
    }),
  );
}
