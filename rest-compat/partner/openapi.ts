import { describeCalls } from '../shared/openapi/calls.ts';
import {
  type OpenApiDocument,
  PARTNER_KEY,
  partnerKeySchemes,
  TOO_SLOW,
} from '../shared/openapi/document.ts';
import { withExamples } from '../shared/openapi/examples.ts';
import { describeWebhooks } from '../shared/openapi/webhooks.ts';
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
    uncoded: [],
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
    webhooks: describeWebhooks(3),
    components: {
      schemas: partnerSchemas(),
      securitySchemes: partnerKeySchemes('X-API-Key', 'api_key'),
    },
  };
}
