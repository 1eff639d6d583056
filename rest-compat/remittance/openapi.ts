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
import { remittanceSchemas } from './openapi-schemas.ts';

const paths = () =>
  describeCalls(CALLS, {
    tag: 'remittance',
    security: PARTNER_KEY,
    pathParameters: {
      userToken: ['The userId.'],
      id: ['The correlation id.'],
      limit: ['How many.', { type: 'integer', minimum: 1, maximum: 100 }],
    },
    answers: { 401: ['Refused', 'Missing or invalid key, missing scope, or another client certificate'] },
    bodyAnswers: {
      ...TOO_SLOW,
      413: ['Refused', 'The body is larger than 1 MiB'],
      415: ['Refused', 'The body is encoded'],
    },
  });

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
    paths: withExamples(paths(), CALL_EXAMPLES, COMMON_EXAMPLES),
    webhooks: remittanceWebhooks(),
    components: {
      schemas: remittanceSchemas(),
      securitySchemes: partnerKeySchemes('api_key', 'X-API-Key'),
    },
  };
}

const EVENT = 'request_money_full_outcome';

/** How an atomic call ended (document 1, "Events"). */
function remittanceWebhooks(): Record<string, OpenApiWebhook> {
  const outcome = describeWebhook(
    {
      operationId: 'onRequestMoneyFullOutcome',
      summary: 'An atomic call ended; sent to `operationStatusHook`',
      schema: 'RequestMoneyFullOutcome',
      example: {
        eventType: EVENT,
        status: 'Failed',
        errorCode: 'ERROR_CIP_NOT_COMPLETED',
        reason: 'The identity check is not completed.',
        phase: 'CIP',
        correlationId: 'corr-1',
        operationId: 'corr-1',
        userId: 'usr_9xYw2LmNp7RsAcEd3kTq',
        timestamp: '2026-11-21T08:00:00.000Z',
      },
    },
    [
      [
        'x-raas-signature',
        'Base64 of HMAC-SHA256 over the raw body under the shared secret; present if a secret is configured.',
        false,
      ],
      DELIVERY_ID,
    ],
  );
  return { [EVENT]: outcome };
}
