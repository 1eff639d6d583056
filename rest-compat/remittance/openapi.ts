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
    uncoded: ['Refused'],
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
    webhooks: describeWebhooks(1),
    components: {
      schemas: remittanceSchemas(),
      securitySchemes: partnerKeySchemes('api_key', 'X-API-Key'),
    },
  };
}
