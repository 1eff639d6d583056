import { z } from 'zod';

/** A JSON Schema, draft 2020-12. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** That of an object. */
export type ObjectSchema = JsonSchema & { readonly properties: Readonly<Record<string, object>> };

/** What a body must be, made of the schema that checks it. */
export function toJsonSchema(schema: z.ZodType): ObjectSchema {
  const {
    $schema,
    properties = {},
    ...json
  } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
  return { ...json, properties: properties as ObjectSchema['properties'] };
}
