import { describeCalls } from '../shared/openapi/calls.ts';
import {
  type OpenApiDocument,
  type OpenApiPart,
  PARTNER_KEY,
  partnerKeySchemes,
  TOO_SLOW,
} from '../shared/openapi/document.ts';
import { withExamples } from '../shared/openapi/examples.ts';
import { describeWebhooks } from '../shared/openapi/webhooks.ts';
import { CALLS } from './calls.ts';
import { CALL_EXAMPLES, COMMON_EXAMPLES } from './openapi-examples.ts';
import { requestMoneySchemas } from './openapi-schemas.ts';

const paths = () =>
  describeCalls(CALLS, {
    tag: 'request-money',
    security: PARTNER_KEY,
    pathParameters: { referenceId: ["The partner's 8-character reference."] },
    answers: { 401: ['Unauthenticated', 'Missing or invalid key'] },
    bodyAnswers: {
      ...TOO_SLOW,
      413: ['Refused', 'The body is larger than 1 MiB'],
      415: ['Refused', 'The body is encoded'],
    },
    uncoded: ['Unauthenticated', 'NotFound', 'Unprocessable'],
  });

/** The OpenAPI description of document 2's surface. @param parts quotes, statements, the simulations, and the calls of the platform's own back end */
export function requestMoneyOpenApi(parts: readonly OpenApiPart[]): OpenApiDocument {
  return {
    openapi: '3.1.0',
    info: {
      title: 'Request-money API',
      version: '1',
      description:
        'Creates, reads and cancels money requests, which payers pay by a link. Webhooks are signed: `X-Webhook-Signature: t=<unix seconds>,v1=<hex>`.',
    },
    servers: [{ url: '/' }],
    tags: ['request-money', 'quotes', 'statements', 'sandbox', 'internal', 'webhooks'].map((name) => ({
      name,
    })),
    paths: Object.assign(
      {},
      withExamples(paths(), CALL_EXAMPLES, COMMON_EXAMPLES),
      ...parts.map((part) => part.paths),
    ),
    webhooks: describeWebhooks(2),
    components: {
      schemas: requestMoneySchemas(Object.assign({}, ...parts.map(({ schemas }) => schemas))),
      securitySchemes: {
        ...partnerKeySchemes('X-API-Key', 'api_key'),
        internalKey: { type: 'apiKey', in: 'header', name: 'X-Internal-Key' },
      },
    },
  };
}
