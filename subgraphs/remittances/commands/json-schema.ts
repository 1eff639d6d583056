import { type JsonSchema, type RefTo, requireObject, toJsonSchema } from '../../kernel/json/json-schema.ts';
import { requestMoneyFullShape } from './request-money-full.ts';

/** The JSON Schema of the atomic call's body (document 1), made from the schema that checks it. */
export function requestMoneyFullJsonSchema(refTo: RefTo): JsonSchema {
  const { properties, ...body } = toJsonSchema(requestMoneyFullShape);
  const request = requireObject(properties.request ?? {});
  const withMethod = {
    ...request,
    properties: { ...request.properties, destinationPaymentMethod: refTo('PayoutMethod') },
  };
  return { ...body, properties: { ...properties, request: withMethod } };
}
