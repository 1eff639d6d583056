import { CipStatus } from '../../schema/operations/types.ts';
import type { JsonSchema } from '../../subgraphs/kernel/json/json-schema.ts';
import { linkJsonSchemas } from '../../subgraphs/links/index.ts';
import { operationJsonSchemas } from '../../subgraphs/operations/index.ts';
import { partnerSchemas } from '../partner/openapi-schemas.ts';
import { remittanceSchemas } from '../remittance/openapi-schemas.ts';
import { inLowerCase } from '../shared/enum-names.ts';
import { describeCalls } from '../shared/openapi/calls.ts';
import { type OpenApiPart, object, PARTNER_KEY, refTo, TOO_SLOW, text } from '../shared/openapi/document.ts';
import { withExamples } from '../shared/openapi/examples.ts';
import { CALLS } from './calls.ts';
import { CALL_EXAMPLES, COMMON_EXAMPLES } from './openapi-examples.ts';

/** Schemas of the records that documents 1 and 3 describe, with those that they refer to. */
const OF_DOCUMENT_1 = ['OperationDetailResponse', 'PaymentMethod', 'FromUser'];
const OF_DOCUMENT_3 = ['LinkAnswer', 'Name', 'Amount'];

/** The named schemas of the simulations that document 2's description does not have already. */
function sandboxSchemas(): Record<string, JsonSchema> {
  return {
    SimulateOperationStatus: operationJsonSchemas(refTo).SimulateOperationStatus,
    ...pick(linkJsonSchemas(), ['SimulateCip', 'SimulateDataRequest']),
    SimulatedCip: object({ userId: text, cipStatus: { ...text, enum: inLowerCase(CipStatus) } }),
    ...pick(remittanceSchemas(), OF_DOCUMENT_1),
    ...pick(partnerSchemas(), OF_DOCUMENT_3),
  };
}

function pick(schemas: Record<string, JsonSchema>, names: readonly string[]): Record<string, JsonSchema> {
  return Object.fromEntries(Object.entries(schemas).filter(([name]) => names.includes(name)));
}

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
    uncoded: ['Unauthenticated', 'NotFound', 'Unprocessable'],
  });

/** `/v1/sandbox/…`, a part of document 2's description; errors in document 2's shapes (decisions, section 8). */
export function sandboxOpenApi(): OpenApiPart {
  return { paths: withExamples(paths(), CALL_EXAMPLES, COMMON_EXAMPLES), schemas: sandboxSchemas() };
}
