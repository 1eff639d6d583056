import { z } from 'zod';
import { userJsonSchemas } from '../users/index.ts';
import { bodySchema, PAYOUT_METHODS, payoutSchemas } from './body.ts';
import { requestMoneyFullShape } from './pipeline/shape.ts';
import { updateSchema } from './update-status.ts';

/** A JSON Schema, draft 2020-12. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** What the bodies of document 2 must be, as JSON Schemas, made of the schemas that check them. */
export function bodyJsonSchemas(): Readonly<Record<'CreateRequestMoney' | 'UpdateStatus', JsonSchema>> {
  return { CreateRequestMoney: createSchema(), UpdateStatus: toJsonSchema(updateSchema) };
}

/** What the body of the atomic call must be (document 1), in the same way. */
export function requestMoneyFullJsonSchema(): JsonSchema {
  const { properties, ...body } = toJsonSchema(requestMoneyFullShape) as JsonSchema & ObjectSchema;
  const { request } = properties as { request: ObjectSchema };
  const { PayoutMethod: destinationPaymentMethod } = userJsonSchemas();
  const asked = { ...request, properties: { ...request.properties, destinationPaymentMethod } };
  return { ...body, properties: { ...properties, request: asked } };
}

interface ObjectSchema {
  readonly properties: Readonly<Record<string, object>>;
}

function createSchema(): JsonSchema {
  const { properties = {}, ...body } = toJsonSchema(bodySchema) as { properties?: Record<string, object> };
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

function toJsonSchema(schema: z.ZodType): JsonSchema {
  const { $schema, ...json } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
  return json;
}
