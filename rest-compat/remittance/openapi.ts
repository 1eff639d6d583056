import {
  jsonBody,
  type OpenApiDocument,
  PARTNER_KEY,
  partnerKeySchemes,
  pathParameter,
  queryParameter,
  responses,
  TOO_SLOW,
} from '../openapi/document.ts';
import { withExamples } from '../openapi/examples.ts';
import { CALL_EXAMPLES, COMMON_EXAMPLES } from './openapi-examples.ts';
import { remittanceSchemas } from './openapi-schemas.ts';
import { remittanceWebhooks } from './openapi-webhooks.ts';

type Responses = Parameters<typeof responses>[0];

const USER_TOKEN = pathParameter('userToken', 'The userId.');

interface CallDescription {
  readonly operationId: string;
  readonly summary: string;
  readonly description?: string;
  readonly parameters?: readonly object[];
  /** Schema of the body. */
  readonly body?: string;
  readonly answers: Responses;
}

function describe({ body, answers, parameters = [], ...call }: CallDescription) {
  return {
    ...call,
    tags: ['remittance'],
    security: PARTNER_KEY,
    parameters,
    ...(body && { requestBody: jsonBody(body) }),
    responses: responses({
      401: ['Refused', 'Missing or invalid key, missing scope, or another client certificate'],
      ...(body && { ...TOO_SLOW, 413: ['Refused', 'The body is larger than 1 MiB'] }),
      ...answers,
    }),
  };
}

const CODED: Responses = {
  400: ['Coded', 'The first check that fails, by its code'],
  401: ['Coded', 'ERROR_INVALID_PARTNER_TOKEN'],
};
const NO_USER: Responses = { 404: ['Refused', 'No such user'] };
const FOREIGN_USER: Responses = { 403: ['Refused', 'The user is of another tenant'] };
const FAULTY_BODY: Responses = { 400: ['Refused', 'The first check that fails'] };

const OPERATIONS = {
  '/v1/user/operations/request-money-full': {
    post: describe({
      operationId: 'requestMoneyFull',
      summary: 'Atomic request money',
      description:
        'Needs the scopes `partner` and `partner_full`. 200 means accepted for processing; the outcome comes by webhook.',
      body: 'RequestMoneyFull',
      answers: { 200: ['RequestMoneyFullResponse', 'Accepted for processing'], ...CODED },
    }),
  },
  '/v1/user/operations/request-money-v2/{userToken}': {
    post: describe({
      operationId: 'requestV2',
      summary: 'Request money for a registered user',
      description:
        'The correlationId is kept for this request alone. After a 500 the same request again goes on where the first one stopped, at the same price; another request under that id is refused.',
      parameters: [USER_TOKEN],
      body: 'RequestMoneyV2',
      answers: { 200: ['OperationResponsePartner', 'The operation'], ...FAULTY_BODY, ...NO_USER },
    }),
  },
  '/v1/user/operations/{userToken}': {
    get: describe({
      operationId: 'getOperations',
      summary: "A user's operations",
      description: 'Newest first, at most the newest 1,000.',
      parameters: [
        USER_TOKEN,
        queryParameter('destinationPhone', 'Only those asked of this phone; `+` may stand unescaped.'),
        queryParameter('phone', 'Alias of `destinationPhone`, which wins.'),
      ],
      answers: { 200: ['Operations', 'The operations'], ...FOREIGN_USER, ...NO_USER },
    }),
  },
  '/v1/user/operations/detail/{id}': {
    get: describe({
      operationId: 'getOperation',
      summary: 'An operation',
      parameters: [pathParameter('id', 'The correlation id.')],
      answers: { 200: ['OperationDetailResponse', 'The operation'], 404: ['Refused', 'No such operation'] },
    }),
  },
  '/v1/user/operations/frequent/{userToken}/{limit}': {
    get: describe({
      operationId: 'getFrequentContacts',
      summary: 'The contacts that a user asks most often',
      parameters: [
        USER_TOKEN,
        pathParameter('limit', 'How many.', { type: 'integer', minimum: 1, maximum: 100 }),
      ],
      answers: {
        200: ['Contacts', 'Most requests first, ties by the latest'],
        400: ['Refused', 'Not a limit'],
        ...FOREIGN_USER,
        ...NO_USER,
      },
    }),
  },
};

const USERS = {
  '/v1/user/token-v2': {
    get: describe({
      operationId: 'getUserTokenV2',
      summary: 'The token of a user',
      parameters: [
        queryParameter('phoneNumber', 'This or `email`; `+` may stand unescaped.'),
        queryParameter('email', 'This or `phoneNumber`.'),
      ],
      answers: {
        200: ['UserToken', 'The token'],
        400: ['Refused', 'Not exactly one of phoneNumber and email'],
        ...NO_USER,
      },
    }),
  },
  '/v1/user/register-v2': {
    post: describe({
      operationId: 'registerUserV2',
      summary: 'Register a user',
      body: 'RegisterUser',
      answers: { 200: ['UserToken', 'The registered user'], ...CODED },
    }),
  },
  '/v1/user/contacts/{userToken}': {
    post: describe({
      operationId: 'createContact',
      summary: 'Make a contact, or bring the one with this phone up to date',
      parameters: [USER_TOKEN],
      body: 'CreateContact',
      answers: { 200: ['ContactInfo', 'The contact'], ...FAULTY_BODY, ...NO_USER },
    }),
  },
  '/v1/user/payment-methods/card/{userToken}': {
    post: describe({
      operationId: 'addCard',
      summary: 'Add a card to pay out to',
      parameters: [USER_TOKEN],
      body: 'AddCard',
      answers: { 200: ['PaymentMethod', 'The card, by its token'], ...FAULTY_BODY, ...NO_USER },
    }),
  },
  '/v1/user/payment-methods/ubn/{userToken}': {
    post: describe({
      operationId: 'addUBN',
      summary: 'Add a bank account to pay out to',
      parameters: [USER_TOKEN],
      body: 'AddUbn',
      answers: { 200: ['PaymentMethod', 'The account'], ...FAULTY_BODY, ...NO_USER },
    }),
  },
};

/** The OpenAPI description of document 1's surface. */
export function remittanceOpenApi(): OpenApiDocument {
  return {
    openapi: '3.1.0',
    info: {
      title: 'Partner Remittance API',
      version: '0.0.1',
      description:
        'Atomic request-money, request-money v2, operation history and contacts. Outcomes of atomic calls are posted with `x-raas-signature`: Base64 of HMAC-SHA256 over the raw body.',
    },
    servers: [{ url: '/' }],
    tags: [{ name: 'remittance' }, { name: 'webhooks' }],
    paths: withExamples({ ...OPERATIONS, ...USERS }, CALL_EXAMPLES, COMMON_EXAMPLES),
    webhooks: remittanceWebhooks(),
    components: {
      schemas: remittanceSchemas(),
      securitySchemes: partnerKeySchemes('api_key', 'X-API-Key'),
    },
  };
}
