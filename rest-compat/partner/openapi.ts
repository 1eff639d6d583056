import { describeCalls } from '../shared/openapi/calls.ts';
import {
  type OpenApiDocument,
  type OpenApiWebhook,
  PARTNER_KEY,
  partnerKeySchemes,
  TOO_SLOW,
} from '../shared/openapi/document.ts';
import { withExamples } from '../shared/openapi/examples.ts';
import { DELIVERY_ID, describeWebhook } from '../shared/openapi/webhooks.ts';
import { CALLS } from './calls.ts';
import { CALL_EXAMPLES, COMMON_EXAMPLES } from './openapi-examples.ts';
import { partnerSchemas } from './openapi-schemas.ts';

const paths = () =>
  describeCalls(CALLS, {
    tag: 'partner',
    security: PARTNER_KEY,
    pathParameters: {
      linkId: ['The link.'],
      dataRequestId: ['The id from the `user.data_request` webhook.'],
      userId: ['The user.'],
      operationId: ['The operation.'],
    },
    answers: {
      400: ['Faulty', 'INVALID_REQUEST: the faults, by path'],
      401: ['Refused', 'MISSING_API_KEY or INVALID_API_KEY'],
      403: ['Refused', 'FORBIDDEN: the key lacks a scope'],
    },
    bodyAnswers: {
      ...TOO_SLOW,
      413: ['Faulty', 'INVALID_REQUEST: the body is larger than 1 MiB'],
      415: ['Faulty', 'INVALID_REQUEST: the body is encoded'],
    },
  });

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
    paths: withExamples(paths(), CALL_EXAMPLES, COMMON_EXAMPLES),
    webhooks: partnerWebhooks(),
    components: {
      schemas: partnerSchemas(),
      securitySchemes: partnerKeySchemes('X-API-Key', 'api_key'),
    },
  };
}

const EVENT = 'user.data_request';

/** The event of document 3 (decisions, section 4). */
function partnerWebhooks(): Record<string, OpenApiWebhook> {
  const dataRequested = describeWebhook(
    {
      operationId: 'onUserDataRequest',
      summary:
        'The platform needs more data of a user: answer with `PUT /partner/data-requests/{dataRequestId}`',
      schema: 'UserDataRequestEvent',
      example: {
        event: EVENT,
        data: {
          dataRequestId: 'dr_Vb9xYw2LmNp7RsAcEd3k',
          referenceId: 'ref-1',
          linkId: 'lnk_7RsAcEd3kTqVb9xYw2Lm',
          fields: ['dob'],
        },
        timestamp: '2026-11-21T08:00:00.000Z',
      },
    },
    [
      [
        'X-RAAS-Signature',
        'HMAC-SHA256 of `<X-RAAS-Timestamp>.<raw body>` under the webhook secret, in lower-case hexadecimal digits; present if a secret is configured.',
        false,
      ],
      ['X-RAAS-Timestamp', 'Unix seconds of the attempt.', true],
      ['X-RAAS-Event', 'Copy of `event`.', true],
      DELIVERY_ID,
    ],
  );
  return { [EVENT]: dataRequested };
}
