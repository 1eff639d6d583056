import { CipStatus } from '../../schema/operations/types.ts';
import type { JsonSchema } from '../../subgraphs/kernel/json/json-schema.ts';
import { linkJsonSchemas } from '../../subgraphs/links/index.ts';
import { operationJsonSchemas } from '../../subgraphs/operations/index.ts';
import { partnerSchemas } from '../partner/openapi-schemas.ts';
import { remittanceSchemas } from '../remittance/openapi-schemas.ts';
import { inLowerCase } from '../shared/enum-names.ts';
import { object, refTo, text } from '../shared/openapi/document.ts';

/** Schemas of the records that documents 1 and 3 describe, with those that they refer to. */
const OF_DOCUMENT_1 = ['OperationDetailResponse', 'PaymentMethod', 'FromUser'];
const OF_DOCUMENT_3 = ['LinkAnswer', 'Name', 'Amount'];

/** The named schemas of the simulations that document 2's description does not have already. */
export function sandboxSchemas(): Record<string, JsonSchema> {
  return {
    SimulateOperationStatus: operationJsonSchemas(refTo).SimulateOperationStatus,
    SimulateDataRequest: linkJsonSchemas().SimulateDataRequest,
    SimulatedCip: object({ userId: text, cipStatus: { ...text, enum: inLowerCase(CipStatus) } }),
    ...pick(remittanceSchemas(), OF_DOCUMENT_1),
    ...pick(partnerSchemas(), OF_DOCUMENT_3),
  };
}

function pick(schemas: Record<string, JsonSchema>, names: readonly string[]): Record<string, JsonSchema> {
  return Object.fromEntries(Object.entries(schemas).filter(([name]) => names.includes(name)));
}
