import {
  jsonBody,
  type OpenApiDocument,
  type OpenApiOperation,
  PARTNER_KEY,
  partnerKeySchemes,
  pathParameter,
  queryParameter,
  responses,
  TOO_SLOW,
} from '../openapi/document.ts';
import { withExamples } from '../openapi/examples.ts';
import { CALL_EXAMPLES, COMMON_EXAMPLES } from './openapi-examples.ts';
import { partnerSchemas } from './openapi-schemas.ts';
import { partnerWebhooks } from './openapi-webhooks.ts';

type Responses = Parameters<typeof responses>[0];

interface CallDescription {
  readonly operationId: string;
  readonly summary: string;
  readonly tag: 'links' | 'users' | 'operations' | 'partner';
  readonly parameters?: readonly object[];
  /** Schema of the body. */
  readonly body?: string;
  readonly isBodyOptional?: boolean;
  readonly answers: Responses;
}

function describe({
  body,
  answers,
  parameters = [],
  tag,
  isBodyOptional,
  ...call
}: CallDescription): OpenApiOperation {
  return {
    ...call,
    tags: [tag],
    security: PARTNER_KEY,
    parameters,
    ...(body && { requestBody: jsonBody(body, isBodyOptional !== true) }),
    responses: responses({
      400: ['Faulty', 'INVALID_REQUEST: what is wrong, by path'],
      401: ['Refused', 'MISSING_API_KEY or INVALID_API_KEY'],
      403: ['Refused', 'FORBIDDEN: the key lacks a scope'],
      ...(body && TOO_LARGE),
      ...answers,
    }),
  } as OpenApiOperation;
}

const TOO_LARGE: Responses = {
  ...TOO_SLOW,
  413: ['Faulty', 'INVALID_REQUEST: the body is larger than 1 MiB'],
};

const PAGE = [
  queryParameter('page', 'From 1.', { type: 'integer', minimum: 1, default: 1 }),
  queryParameter('limit', 'Items of a page.', { type: 'integer', minimum: 1, maximum: 100, default: 20 }),
  queryParameter('createdFrom', 'Made at this ISO 8601 date or instant, or after it.'),
  queryParameter('createdTo', 'Made on this date or before it, or at this instant or before it.'),
];
const REFERENCE = queryParameter('referenceId', "The partner's own id of the user.");
const oneOf = (...values: string[]) => ({ type: 'string', enum: values });

const LINK_ID = pathParameter('linkId', 'The link.');
const USER_ID = pathParameter('userId', 'The user.');
const NO_LINK: Responses = { 404: ['Refused', 'LINK_NOT_FOUND'] };
const NO_USER: Responses = { 404: ['Refused', 'USER_NOT_FOUND'] };

const LINKS = {
  '/partner/links': {
    get: describe({
      operationId: 'listLinks',
      summary: "The partner's links, newest first",
      tag: 'links',
      parameters: [
        ...PAGE,
        queryParameter(
          'visibility',
          'Neither expired nor revoked, or expired and not revoked.',
          oneOf('active', 'expired'),
        ),
        queryParameter('status', 'In this status.', oneOf('created', 'opened', 'revoked')),
        REFERENCE,
      ],
      answers: { 200: ['Links', 'A page'] },
    }),
    post: describe({
      operationId: 'createLink',
      summary: 'Make a link, and its user when the reference is new',
      tag: 'links',
      body: 'CreateLink',
      answers: {
        201: ['LinkAnswer', 'The link'],
        403: ['Refused', 'FLOW_NOT_ALLOWED, USER_BLOCKED or FORBIDDEN'],
      },
    }),
  },
  '/partner/links/{linkId}': {
    get: describe({
      operationId: 'getLink',
      summary: 'A link',
      tag: 'links',
      parameters: [LINK_ID],
      answers: { 200: ['LinkAnswer', 'The link'], ...NO_LINK },
    }),
  },
  '/partner/links/{linkId}/activity': {
    get: describe({
      operationId: 'getLinkActivity',
      summary: 'What happened to a link, in order',
      tag: 'links',
      parameters: [LINK_ID],
      answers: { 200: ['TimelineAnswer', 'The timeline'], ...NO_LINK },
    }),
  },
  '/partner/links/{linkId}/readiness': {
    get: describe({
      operationId: 'getLinkReadiness',
      summary: 'Whether a link has the user data that an identity check needs',
      tag: 'links',
      parameters: [LINK_ID],
      answers: { 200: ['ReadinessAnswer', 'What is missing'], ...NO_LINK },
    }),
  },
  '/partner/links/{linkId}/revoke': {
    post: describe({
      operationId: 'revokeLink',
      summary: 'Revoke a link',
      tag: 'links',
      parameters: [LINK_ID],
      answers: {
        200: ['LinkAnswer', 'The link'],
        ...NO_LINK,
        409: ['Refused', 'LINK_ALREADY_REVOKED'],
        ...TOO_LARGE,
      },
    }),
  },
  '/partner/cip/tickets': {
    post: describe({
      operationId: 'createCipTicket',
      summary: 'Ask for an identity check',
      tag: 'links',
      body: 'CreateCipTicket',
      answers: {
        200: ['TicketAnswer', 'Where the user completes the verification'],
        400: ['Faulty', 'INVALID_REQUEST or INSUFFICIENT_USER_DATA'],
        403: ['Refused', 'USER_BLOCKED or FORBIDDEN'],
        ...NO_LINK,
        409: ['Refused', 'LINK_REVOKED: revoked or expired'],
      },
    }),
  },
  '/partner/data-requests/{dataRequestId}': {
    put: describe({
      operationId: 'fulfilDataRequest',
      summary: 'Answer a request for user data',
      tag: 'links',
      parameters: [pathParameter('dataRequestId', 'Of the `user.data_request` webhook.')],
      body: 'FulfilDataRequest',
      answers: {
        200: ['FulfilmentAnswer', 'The data was merged'],
        400: ['Faulty', 'INVALID_REQUEST or REFERENCE_MISMATCH'],
        404: ['Refused', 'DATA_REQUEST_NOT_FOUND'],
        409: ['Refused', 'DATA_REQUEST_ALREADY_FULFILLED'],
      },
    }),
  },
};

const USERS = {
  '/partner/users': {
    get: describe({
      operationId: 'listUsers',
      summary: "The partner's users, newest first",
      tag: 'users',
      parameters: [
        ...PAGE,
        REFERENCE,
        queryParameter('cipStatus', 'State of the identity check.', oneOf('pending', 'verified', 'failed')),
        queryParameter('blocked', 'Whether blocked.', oneOf('true', 'false')),
      ],
      answers: { 200: ['Users', 'A page'] },
    }),
  },
  '/partner/users/{userId}/block': {
    post: describe({
      operationId: 'blockUser',
      summary: 'Block a user: no new links, no transfers',
      tag: 'users',
      parameters: [USER_ID],
      body: 'BlockUser',
      isBodyOptional: true,
      answers: { 200: ['BlockingAnswer', 'Blocked; of one that was blocked, the first block'], ...NO_USER },
    }),
  },
  '/partner/users/{userId}/unblock': {
    post: describe({
      operationId: 'unblockUser',
      summary: 'Unblock a user',
      tag: 'users',
      parameters: [USER_ID],
      answers: { 200: ['BlockingAnswer', 'Unblocked'], ...NO_USER, ...TOO_LARGE },
    }),
  },
  '/partner/operations': {
    get: describe({
      operationId: 'listOperations',
      summary: "The partner's operations, newest first",
      tag: 'operations',
      parameters: [
        ...PAGE,
        queryParameter(
          'status',
          'In this status.',
          oneOf('pending', 'processing', 'completed', 'failed', 'cancelled'),
        ),
        REFERENCE,
      ],
      answers: { 200: ['Operations', 'A page'] },
    }),
  },
  '/partner/operations/{operationId}': {
    get: describe({
      operationId: 'getOperation',
      summary: 'An operation',
      tag: 'operations',
      parameters: [pathParameter('operationId', 'The operation.')],
      answers: { 200: ['OperationAnswer', 'The operation'], 404: ['Refused', 'OPERATION_NOT_FOUND'] },
    }),
  },
};

const PARTNER = {
  '/partner/me': {
    get: describe({
      operationId: 'getMe',
      summary: 'The partner, and what its key may do',
      tag: 'partner',
      answers: { 200: ['MeAnswer', 'The partner'] },
    }),
  },
  '/partner/webhooks/config': {
    get: describe({
      operationId: 'getWebhookConfig',
      summary: 'Where webhooks go; without the success envelope',
      tag: 'partner',
      answers: { 200: ['WebhookConfig', 'The configuration'] },
    }),
  },
  '/partner/webhooks/config/regenerate-secret': {
    post: describe({
      operationId: 'regenerateWebhookSecret',
      summary: 'Make the signing secret anew; needs the scope partner_admin; without the success envelope',
      tag: 'partner',
      answers: { 200: ['NewSecret', 'The secret, shown this once'], ...TOO_LARGE },
    }),
  },
  '/partner/pre-quote-lite': {
    post: describe({
      operationId: 'preQuoteLite',
      summary: 'Price a transfer without making one; 30 times in 60 seconds for each key',
      tag: 'partner',
      body: 'PreQuoteLite',
      answers: {
        200: ['QuoteAnswer', 'The price'],
        400: ['Faulty', 'INVALID_REQUEST or ROUTE_NOT_AVAILABLE'],
      },
    }),
  },
};

/** The OpenAPI description of document 3's surface. */
export function partnerOpenApi(): OpenApiDocument {
  return {
    openapi: '3.1.0',
    info: {
      title: 'Partner API',
      version: '1',
      description:
        'Links, users, identity checks, data requests, operations and webhook configuration. Webhooks are signed: `X-RAAS-Signature` is the HMAC-SHA256 of `<X-RAAS-Timestamp>.<body>` in lower-case hexadecimal digits.',
    },
    servers: [{ url: '/' }],
    tags: [
      { name: 'links' },
      { name: 'users' },
      { name: 'operations' },
      { name: 'partner' },
      { name: 'webhooks' },
    ],
    paths: withExamples({ ...LINKS, ...USERS, ...PARTNER }, CALL_EXAMPLES, COMMON_EXAMPLES),
    webhooks: partnerWebhooks(),
    components: {
      schemas: partnerSchemas(),
      securitySchemes: partnerKeySchemes('X-API-Key', 'api_key'),
    },
  };
}
