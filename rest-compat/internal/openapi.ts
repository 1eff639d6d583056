import { CipStatus } from '../../schema/operations/types.ts';
import type { JsonSchema } from '../../subgraphs/kernel/json/json-schema.ts';
import { linkJsonSchemas } from '../../subgraphs/links/index.ts';
import { OPERATION_STATUSES, operationJsonSchemas } from '../../subgraphs/operations/index.ts';
import { inLowerCase } from '../shared/enum-names.ts';
import { describeCalls } from '../shared/openapi/calls.ts';
import { type OpenApiPart, object, refTo, TOO_SLOW, text, time } from '../shared/openapi/document.ts';
import { withExamples } from '../shared/openapi/examples.ts';
import { CALLS } from './calls.ts';
import { CALL_EXAMPLES, COMMON_EXAMPLES } from './openapi-examples.ts';

/** The named schemas of the internal calls. */
function internalSchemas(): Record<string, JsonSchema> {
  const { OpenLink, RaiseDataRequest, UpdateCip } = linkJsonSchemas();
  return {
    UpdateOperationStatus: operationJsonSchemas(refTo).UpdateOperationStatus,
    OpenLink,
    RaiseDataRequest,
    UpdateCip,
    OperationStatus: object({
      operationId: text,
      status: { ...text, enum: OPERATION_STATUSES },
      statusDetails: text,
      updatedAt: time,
    }),
    OpenedLink: object({ linkId: text, status: { ...text, enum: ['opened'] }, openedAt: time }),
    UserCip: object(
      {
        userId: text,
        cipStatus: { ...text, enum: inLowerCase(CipStatus) },
        cipProvider: text,
        cipVerifiedAt: time,
        cipResult: { type: 'object' },
      },
      ['cipProvider', 'cipVerifiedAt', 'cipResult'],
    ),
    RaisedDataRequest: object({ dataRequestId: text }),
  };
}

const paths = () =>
  describeCalls(CALLS, {
    tag: 'internal',
    security: [{ internalKey: [] }],
    pathParameters: {
      operationId: ['The correlation id.'],
      linkId: ['The link.'],
      userId: ['The user.'],
    },
    answers: { 401: ['Unauthenticated', 'Missing or invalid internal key'] },
    bodyAnswers: {
      ...TOO_SLOW,
      413: ['Refused', 'The body is larger than 1 MiB'],
      415: ['Refused', 'The body is encoded'],
    },
    omitsEmptyParameters: true,
  });

/** `/v1/internal/…`, a part of document 2's description; errors in document 2's shapes (decisions, section 3). */
export function internalOpenApi(): OpenApiPart {
  return {
    paths: withExamples(paths(), CALL_EXAMPLES, COMMON_EXAMPLES),
    schemas: internalSchemas(),
  };
}
