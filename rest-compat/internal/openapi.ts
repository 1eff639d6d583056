import type { JsonSchema } from '../../subgraphs/kernel/json/json-schema.ts';
import { linkJsonSchemas } from '../../subgraphs/links/index.ts';
import { operationJsonSchemas } from '../../subgraphs/operations/index.ts';
import { describeCalls } from '../shared/openapi/calls.ts';
import { type OpenApiPart, refTo, TOO_SLOW } from '../shared/openapi/document.ts';
import { withExamples } from '../shared/openapi/examples.ts';
import { CALLS } from './calls.ts';
import { CALL_EXAMPLES, COMMON_EXAMPLES } from './openapi-examples.ts';
import { openedLink, operationStatus, raisedDataRequest, userCip } from './presenters.ts';

/** The named schemas of the internal calls. */
function internalSchemas(): Record<string, JsonSchema> {
  const { OpenLink, RaiseDataRequest, UpdateCip } = linkJsonSchemas();
  return {
    UpdateOperationStatus: operationJsonSchemas(refTo).UpdateOperationStatus,
    OpenLink,
    RaiseDataRequest,
    UpdateCip,
    OperationStatus: operationStatus.schema,
    OpenedLink: openedLink.schema,
    UserCip: userCip.schema,
    RaisedDataRequest: raisedDataRequest.schema,
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
    uncoded: ['Unauthenticated', 'NotFound', 'Unprocessable'],
    isUnlimited: true,
    omitsEmptyParameters: true,
  });

/** `/v1/internal/…`, a part of document 2's description; errors in document 2's shapes (decisions, section 3). */
export function internalOpenApi(): OpenApiPart {
  return {
    paths: withExamples(paths(), CALL_EXAMPLES, COMMON_EXAMPLES),
    schemas: internalSchemas(),
  };
}
