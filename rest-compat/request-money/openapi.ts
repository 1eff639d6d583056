import type { JsonSchema } from '../../subgraphs/platform/json/json-schema.ts';
import {
  bodyJsonSchemas,
  MONEY_REQUEST_STATUSES,
  PAYOUT_METHODS,
} from '../../subgraphs/request-money/index.ts';
import { INTERNAL_EXAMPLES, INTERNAL_PATHS, internalSchemas } from '../internal/openapi.ts';
import {
  jsonBody,
  type OpenApiDocument,
  object,
  PARTNER_KEY,
  partnerKeySchemes,
  pathParameter,
  refTo,
  responses,
  TOO_SLOW,
  text,
  time,
} from '../openapi/document.ts';
import { withExamples } from '../openapi/examples.ts';
import { CALL_EXAMPLES, COMMON_EXAMPLES } from './openapi-examples.ts';
import { requestMoneyWebhooks, webhookSchemas } from './openapi-webhooks.ts';

/** Document 2, "Create response fields": what create and lookup have in common. */
const ASK = {
  referenceId: text,
  id: { ...text, description: 'Same value as `referenceId`.' },
  status: { ...text, enum: MONEY_REQUEST_STATUSES },
  statusDetails: { ...text, description: 'Text detail of the status.' },
  waLink: { ...text, description: 'Messaging link; empty when messaging is not configured.' },
  landingLink: { ...text, description: 'Landing base URL plus `?ref=<referenceId>`.' },
  fundRequestLink: { ...text, description: 'Payer widget URL.' },
  resolved: refTo('Corridor'),
};

const CORRIDOR = object(
  {
    sourceCountry: text,
    destinationCountry: text,
    sourceCurrency: text,
    destinationCurrency: text,
    payoutType: { ...text, enum: PAYOUT_METHODS },
    payerCode: { type: ['string', 'null'] },
    stateCode: { ...text, description: 'Omitted when the route needs none.' },
  },
  ['stateCode'],
);

/** Decisions, section 3, "Error bodies". */
const CODED = object({ error: object({ code: text, message: text }) });
const ERRORS = {
  Unauthenticated: object({ message: text }),
  Refused: CODED,
  Screened: object({ code: { const: 'OFAC_HIT' }, message: text }),
  NotFound: object({ error: { const: 'not_found' }, message: text }),
  Unprocessable: object(
    {
      message: text,
      details: { type: 'array', items: object({ path: text, message: text }) },
      error: object({ code: text }),
    },
    ['error'],
  ),
};

function schemas(): Record<string, JsonSchema> {
  return {
    ...bodyJsonSchemas(refTo),
    Corridor: CORRIDOR,
    CreatedMoneyRequest: object(
      { ...ASK, warnings: { type: 'array', minItems: 1, items: object({ code: text, message: text }) } },
      ['warnings'],
    ),
    FoundMoneyRequest: object(
      {
        ...ASK,
        requestId: text,
        operationId: { ...text, description: 'Present once an operation exists.' },
        createdAt: time,
        updatedAt: time,
        expiresAt: time,
      },
      ['operationId'],
    ),
    ...internalSchemas(),
    ...webhookSchemas(),
    ...ERRORS,
  };
}

const REFERENCE = pathParameter('referenceId', "The partner's 8-character reference.");
const IDEMPOTENCY_KEY = {
  name: 'Idempotency-Key',
  in: 'header',
  description:
    'A retry of the same body with the same key gets the original result; kept for 24 hours at least.',
  schema: { type: 'string', minLength: 1, maxLength: 255 },
};

const CREATE = {
  operationId: 'createRequestMoney',
  summary: 'Create a payer-link ask',
  tags: ['request-money'],
  security: PARTNER_KEY,
  parameters: [IDEMPOTENCY_KEY],
  requestBody: jsonBody('CreateRequestMoney'),
  responses: responses({
    201: ['CreatedAsk', 'The ask; `warnings` are hints that do not fail it'],
    401: ['Unauthenticated', 'Missing or invalid key'],
    403: [
      ['Refused', 'Screened'],
      'Missing scope or feature, a blocked user (USER_BLOCKED), or a screening hit',
    ],
    ...TOO_SLOW,
    409: ['Refused', 'LEGACY_REFERENCE_EXISTS'],
    413: ['Refused', 'The body is larger than 1 MiB'],
    422: ['Unprocessable', 'The faults of the body, the first 20 of them, or one semantic code'],
    503: ['Refused', 'IDENTITY_VALIDATOR_*: identity screening unavailable; or SERVICE_UNAVAILABLE'],
  }),
};

const LOOKUP = {
  operationId: 'getRequestMoney',
  summary: 'Look an ask up',
  tags: ['request-money'],
  security: PARTNER_KEY,
  parameters: [REFERENCE],
  responses: responses({
    200: ['FoundAsk', 'The public snapshot'],
    401: ['Unauthenticated', 'Missing or invalid key'],
    403: ['Refused', 'Missing scope or feature'],
    404: ['NotFound', 'Unknown reference'],
  }),
};

const PATHS = {
  '/v1/request-money': { post: CREATE },
  '/v1/request-money/{referenceId}': { get: LOOKUP },
};

/** The OpenAPI description of document 2's surface, and of what the platform's own back end calls. */
export function requestMoneyOpenApi(): OpenApiDocument {
  return {
    openapi: '3.1.0',
    info: {
      title: 'Request-money API',
      version: '1',
      description:
        'Payer-link creation and lookup. Webhooks are signed: `X-Webhook-Signature: t=<unix seconds>,v1=<hex>`.',
    },
    servers: [{ url: '/' }],
    tags: [{ name: 'request-money' }, { name: 'internal' }, { name: 'webhooks' }],
    paths: withExamples(
      { ...PATHS, ...INTERNAL_PATHS },
      { ...CALL_EXAMPLES, ...INTERNAL_EXAMPLES },
      COMMON_EXAMPLES,
    ),
    webhooks: requestMoneyWebhooks(),
    components: {
      schemas: schemas(),
      securitySchemes: {
        ...partnerKeySchemes('X-API-Key', 'api_key'),
        internalKey: { type: 'apiKey', in: 'header', name: 'X-Internal-Key' },
      },
    },
  };
}
