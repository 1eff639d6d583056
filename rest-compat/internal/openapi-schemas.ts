import { CipStatus } from '../../schema/operations/types.ts';
import type { JsonSchema } from '../../subgraphs/kernel/json/json-schema.ts';
import { linkJsonSchemas } from '../../subgraphs/links/index.ts';
import { OPERATION_STATUSES, operationJsonSchemas } from '../../subgraphs/operations/index.ts';
import { inLowerCase } from '../shared/enum-names.ts';
import { object, refTo, text, time } from '../shared/openapi/document.ts';

/** The named schemas of the internal calls. */
export function internalSchemas(): Record<string, JsonSchema> {
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
