import { describeCalls } from '../shared/openapi/calls.ts';
import { type OpenApiPart, PARTNER_KEY, TOO_SLOW } from '../shared/openapi/document.ts';
import { withExamples } from '../shared/openapi/examples.ts';
import { CALLS } from './calls.ts';
import { CALL_EXAMPLES, COMMON_EXAMPLES } from './openapi-examples.ts';
import { sandboxSchemas } from './openapi-schemas.ts';

const paths = () =>
  describeCalls(CALLS, {
    tag: 'sandbox',
    security: PARTNER_KEY,
    pathParameters: {
      referenceId: ["The partner's 8-character reference."],
      operationId: ['The operationId, or the correlation id.'],
      linkId: ['The link.'],
      userId: ['The user.'],
    },
    answers: {
      401: ['Unauthenticated', 'Missing or invalid key'],
      403: ['Refused', 'SANDBOX_ONLY: the key is live; or a missing scope'],
    },
    bodyAnswers: {
      ...TOO_SLOW,
      413: ['Refused', 'The body is larger than 1 MiB'],
      415: ['Refused', 'The body is encoded'],
    },
  });

/** `/v1/sandbox/…`, a part of document 2's description; errors in document 2's shapes (decisions, section 8). */
export function sandboxOpenApi(): OpenApiPart {
  return { paths: withExamples(paths(), CALL_EXAMPLES, COMMON_EXAMPLES), schemas: sandboxSchemas() };
}
