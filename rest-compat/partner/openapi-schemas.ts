import {
  CipStatus,
  LinkActivityActor,
  LinkActivityStatus,
  LinkStatus,
  PartnerEnvironment,
} from '../../schema/operations/types.ts';
import { preQuoteSchema } from '../../subgraphs/account/use-cases/pre-quote.ts';
import { type JsonSchema, requireObject, toJsonSchema } from '../../subgraphs/kernel/json/json-schema.ts';
import { linkJsonSchemas } from '../../subgraphs/links/index.ts';
import { PARTNER_STATUSES } from '../../subgraphs/operations/index.ts';
import { userJsonSchemas } from '../../subgraphs/users/index.ts';
import { inLowerCase } from '../shared/enum-names.ts';
import { object, refTo, text, time } from '../shared/openapi/document.ts';

const flag = { type: 'boolean' };
const whole = { type: 'integer' };
const amount = { type: 'number', description: 'Exact to the digits stored.' };
const currency = { ...text, description: 'ISO 4217.' };
const anything = { type: 'object' };

function optionalObject(properties: Readonly<Record<string, unknown>>): JsonSchema {
  return object(properties, Object.keys(properties));
}

const NAME = optionalObject({ firstName: text, secondName: text, lastName: text, secondLastName: text });
const CIP_STATUS = { ...text, enum: inLowerCase(CipStatus) };
const OPERATION_STATUS = { ...text, enum: PARTNER_STATUSES };

const LINK_HEAD = {
  linkId: text,
  referenceId: text,
  status: { ...text, enum: inLowerCase(LinkStatus) },
  url: text,
  expiresAt: time,
  createdAt: time,
  openedAt: time,
  revokedAt: time,
  userId: text,
};
const ABSENT_FROM_NEW_LINKS = ['openedAt', 'revokedAt'];

const LISTED_LINK = object(
  { ...LINK_HEAD, operationId: text, userData: object({ name: refTo('Name') }), metadata: anything },
  [...ABSENT_FROM_NEW_LINKS, 'operationId', 'userData', 'metadata'],
);

const LINK = object(
  {
    ...LINK_HEAD,
    userData: optionalObject({
      name: refTo('Name'),
      idType: text,
      idNumber: { ...text, description: 'Masked to its last four digits.' },
      dob: { ...text, format: 'date' },
      paymentMethod: anything,
      idImageUrl: text,
    }),
    user: object(
      {
        userId: text,
        status: { ...text, enum: ['active', 'blocked'] },
        cipStatus: CIP_STATUS,
        cipProvider: text,
        cipVerifiedAt: time,
        cipResult: anything,
      },
      ['cipProvider', 'cipVerifiedAt', 'cipResult'],
    ),
    operation: object({ operationId: text, status: OPERATION_STATUS, amount: refTo('Amount') }),
    metadata: anything,
  },
  [...ABSENT_FROM_NEW_LINKS, 'operation', 'metadata'],
);

const AMOUNT = object(
  {
    send: amount,
    receive: amount,
    rate: amount,
    fee: amount,
    currency: object({ source: currency, destination: currency }, ['source']),
  },
  ['send', 'rate', 'fee'],
);

const OPERATION = object(
  {
    operationId: text,
    userId: text,
    linkId: text,
    referenceId: text,
    raasOperationId: text,
    status: OPERATION_STATUS,
    amount: refTo('Amount'),
    funding: optionalObject({ amount, currency }),
    payout: object({ type: text, country: text, number: text, amount, currency }, [
      'type',
      'country',
      'number',
    ]),
    createdAt: time,
    updatedAt: time,
    completedAt: time,
    failedAt: time,
    failureReason: text,
  },
  ['linkId', 'referenceId', 'completedAt', 'failedAt', 'failureReason'],
);

const ACTIVITY = object(
  {
    activityId: text,
    type: text,
    actor: { ...text, enum: inLowerCase(LinkActivityActor) },
    timestamp: time,
    status: { ...text, enum: inLowerCase(LinkActivityStatus) },
    data: anything,
    error: text,
    durationMs: whole,
  },
  ['error', 'durationMs'],
);

const USER = object(
  {
    userId: text,
    referenceId: text,
    name: refTo('Name'),
    cipStatus: CIP_STATUS,
    blocked: flag,
    createdAt: time,
  },
  ['referenceId'],
);

const nullable = (schema: { type: string }) => ({ ...schema, type: [schema.type, 'null'] });

const RESULTS = {
  Readiness: object({ linkId: text, ready: flag, missing: { type: 'array', items: text } }),
  Timeline: object({ linkId: text, activities: { type: 'array', items: ACTIVITY } }),
  Ticket: object({ ticketId: text, widgetUrl: text, referenceId: text }),
  Fulfilment: object({
    dataRequestId: text,
    status: { const: 'fulfilled' },
    linkId: text,
    message: text,
    fulfilledAt: time,
  }),
  Blocking: object({
    userId: text,
    blocked: flag,
    blockedAt: nullable(time),
    blockedReason: nullable(text),
  }),
  Me: object({
    partnerId: text,
    name: text,
    environment: { ...text, enum: inLowerCase(PartnerEnvironment) },
    scopes: { type: 'array', items: text },
    features: { type: 'array', items: text },
    flows: { type: 'array', items: text },
  }),
  Quote: object({
    send: amount,
    receive: amount,
    rate: amount,
    fee: amount,
    currency: object({ source: currency, destination: currency }),
  }),
};

/** The data of answers in the success envelope. The schemas of these answers have names that end in `Answer`. */
const ENVELOPED = { Link: LINK, Operation: OPERATION, ...RESULTS };

/** The named schemas of document 3's description. */
export function partnerSchemas(): Record<string, JsonSchema> {
  const { CreateLink, CreateCipTicket, FulfilDataRequest, RaiseDataRequest } = linkJsonSchemas();
  return {
    CreateLink,
    CreateCipTicket,
    FulfilDataRequest,
    BlockUser: userJsonSchemas().BlockUser,
    PreQuoteLite: toJsonSchema(preQuoteSchema),
    Name: NAME,
    Amount: AMOUNT,
    ...enveloped(ENVELOPED),
    Links: page(LISTED_LINK),
    Users: page(USER),
    Operations: page(OPERATION),
    WebhookConfig: object({ webhookUrl: text, webhookSecretPreview: text, hasWebhookSecret: flag }, [
      'webhookUrl',
      'webhookSecretPreview',
    ]),
    NewSecret: object({ webhookSecret: text, message: text }),
    UserDataRequestEvent: object({
      event: { const: 'user.data_request' },
      data: object({
        dataRequestId: text,
        referenceId: text,
        linkId: text,
        // The body of a data request is an object.
        fields: requireObject(RaiseDataRequest).properties.fields,
      }),
      timestamp: time,
    }),
    Refused: errorEnvelope({ type: 'null' }),
    Faulty: errorEnvelope({ type: ['array', 'null'], items: object({ path: text, message: text }) }),
  };
}

function enveloped(schemas: Readonly<Record<string, JsonSchema>>): Record<string, JsonSchema> {
  return Object.fromEntries(
    Object.entries(schemas).map(([name, data]) => [
      `${name}Answer`,
      object({ success: { const: true }, data }),
    ]),
  );
}

function page(item: JsonSchema): JsonSchema {
  const pagination = object({ page: whole, limit: whole, total: whole, totalPages: whole });
  return object({
    success: { const: true },
    data: object({ items: { type: 'array', items: item }, pagination }),
  });
}

function errorEnvelope(details: object): JsonSchema {
  return object({ success: { const: false }, error: object({ code: text, message: text, details }) });
}
