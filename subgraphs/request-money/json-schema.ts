import { type JsonSchema, type ObjectSchema, toJsonSchema } from '../platform/json/json-schema.ts';
import { userJsonSchemas } from '../users/index.ts';
import { bodySchema, PAYOUT_METHODS, payoutSchemas } from './body.ts';
import { requestMoneyFullShape } from './pipeline/shape.ts';
import { updateSchema } from './update-status.ts';

/** What the bodies of document 2 must be, as JSON Schemas, made of the schemas that check them. */
export function bodyJsonSchemas(): Readonly<Record<'CreateRequestMoney' | 'UpdateStatus', JsonSchema>> {
  return { CreateRequestMoney: createSchema(), UpdateStatus: toJsonSchema(updateSchema) };
}

/** What the body of the atomic call must be (document 1), in the same way. */
export function requestMoneyFullJsonSchema(): JsonSchema {
  const { properties, ...body } = toJsonSchema(requestMoneyFullShape);
  const { request } = properties as { request: ObjectSchema };
  const { PayoutMethod: destinationPaymentMethod } = userJsonSchemas();
  const asked = { ...request, properties: { ...request.properties, destinationPaymentMethod } };
  return { ...body, properties: { ...properties, request: asked } };
}

function createSchema(): JsonSchema {
  const { properties, ...body } = toJsonSchema(bodySchema);
  const byMethod = PAYOUT_METHODS.map((method) => ({
    if: { properties: { payoutMethod: { const: method } }, required: ['payoutMethod'] },
    // biome-ignore lint/suspicious/noThenProperty: it is JSON Schema's keyword
    then: toJsonSchema(payoutSchemas[method]),
  }));
  const forbidden = { recipientReferenceId: false };
  return {
    ...body,
    description: '`recipientReferenceId` must not be sent, wherever it stands; other properties are ignored.',
    properties: {
      ...properties,
      requestData: { ...properties.requestData, allOf: byMethod },
      ...forbidden,
    },
  };
}
