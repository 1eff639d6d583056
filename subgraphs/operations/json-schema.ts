import { type JsonSchema, type RefTo, toJsonSchema } from '../platform/json/json-schema.ts';
import { requestMoneyV2Schema } from './request-money-v2-body.ts';
import { updateSchema } from './update-status.ts';

/** JSON Schemas of the bodies that the slice reads. */
export type OperationJsonSchemas = Readonly<Record<'RequestMoneyV2' | 'UpdateOperationStatus', JsonSchema>>;

/** Made of the schemas that check the bodies. */
export function operationJsonSchemas(refTo: RefTo): OperationJsonSchemas {
  const { properties, ...body } = toJsonSchema(requestMoneyV2Schema);
  return {
    RequestMoneyV2: {
      ...body,
      properties: { ...properties, destinationPaymentMethod: refTo('PayoutMethod') },
      description: 'One of the two destinations is required; the id wins.',
      anyOf: [{ required: ['destinationPaymentMethodId'] }, { required: ['destinationPaymentMethod'] }],
    },
    UpdateOperationStatus: toJsonSchema(updateSchema),
  };
}
