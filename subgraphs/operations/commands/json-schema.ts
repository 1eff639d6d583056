import { type JsonSchema, type RefTo, toJsonSchema } from '../../kernel/json/json-schema.ts';
import { createQuoteSchema } from './create-quote.ts';
import { requestMoneyV2Schema } from './request-money-v2.ts';
import { simulatedUpdateSchema, updateSchema } from './update-status.ts';

/** JSON Schemas of the bodies that the slice reads. */
type OperationJsonSchemas = Readonly<
  Record<'RequestMoneyV2' | 'CreateQuote' | 'UpdateOperationStatus' | 'SimulateOperationStatus', JsonSchema>
>;

/** Made from the schemas that check the bodies. */
export function operationJsonSchemas(refTo: RefTo): OperationJsonSchemas {
  const { properties, ...body } = toJsonSchema(requestMoneyV2Schema);
  const method = refTo('PayoutMethod');
  return {
    RequestMoneyV2: {
      ...body,
      properties: {
        ...properties,
        destinationPaymentMethod: { anyOf: [method, { description: 'Ignored beside an id.' }] },
      },
      description:
        'One of the two destinations is required; with an id the object is ignored, whatever it is.',
      anyOf: [
        { required: ['destinationPaymentMethodId'] },
        { required: ['destinationPaymentMethod'], properties: { destinationPaymentMethod: method } },
      ],
    },
    CreateQuote: toJsonSchema(createQuoteSchema),
    UpdateOperationStatus: toJsonSchema(updateSchema),
    SimulateOperationStatus: toJsonSchema(simulatedUpdateSchema),
  };
}
