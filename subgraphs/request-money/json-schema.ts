import { z } from 'zod';
import { bodySchema, PAYOUT_METHODS, payoutSchemas } from './body.ts';
import { updateSchema } from './update-status.ts';

/** A JSON Schema, draft 2020-12. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** What the bodies of document 2 must be, as JSON Schemas, made of the schemas that check them. */
export function bodyJsonSchemas(): Readonly<Record<'CreateRequestMoney' | 'UpdateStatus', JsonSchema>> {
  return { CreateRequestMoney: createSchema(), UpdateStatus: toJsonSchema(updateSchema) };
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
