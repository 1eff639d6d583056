import { z } from 'zod';
import { requestMoneyV2Schema } from './request-money-v2-body.ts';
import { updateSchema } from './update-status.ts';

/** JSON Schemas, draft 2020-12, of the bodies that the slice reads. */
export type OperationJsonSchemas = Readonly<
  Record<'RequestMoneyV2' | 'UpdateOperationStatus', Readonly<Record<string, unknown>>>
>;

/** Made of the schemas that check the bodies. */
export function operationJsonSchemas(): OperationJsonSchemas {
  return {
    RequestMoneyV2: {
      ...toJsonSchema(requestMoneyV2Schema),
      description: 'One of the two destinations is required; the id wins.',
      anyOf: [{ required: ['destinationPaymentMethodId'] }, { required: ['destinationPaymentMethod'] }],
    },
    UpdateOperationStatus: toJsonSchema(updateSchema),
  };
}

function toJsonSchema(schema: z.ZodType): Readonly<Record<string, unknown>> {
  const { $schema, ...json } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
  return json;
}
