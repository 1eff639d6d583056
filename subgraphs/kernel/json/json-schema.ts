import { z } from 'zod';
import { fieldOf, isRecord } from '../objects.ts';

/** A JSON Schema, draft 2020-12. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** The JSON Schema of an object. */
export type ObjectSchema = JsonSchema & { readonly properties: Readonly<Record<string, JsonSchema>> };

/** The schemas of texts and times, which most answers and events have. */
export const text = { type: 'string' };
export const time = { type: 'string', format: 'date-time', description: 'ISO 8601 UTC with milliseconds.' };

/** The schema of an object with these properties and no others, all of them required but the optional ones. */
export function object(
  properties: Readonly<Record<string, unknown>>,
  optional: readonly string[] = [],
): JsonSchema {
  const required = Object.keys(properties).filter((name) => !optional.includes(name));
  return { type: 'object', properties, required, additionalProperties: false };
}

/** How a document refers to one of its named schemas. */
export type RefTo = (name: string) => { readonly $ref: string };

/** One of several named schemas, distinguished by the value of a property. */
export function oneOfNamed(
  refTo: RefTo,
  propertyName: string,
  nameOfValue: Readonly<Record<string, string>>,
): JsonSchema {
  const names = [...new Set(Object.values(nameOfValue))];
  const mapping = Object.entries(nameOfValue).map(([value, name]) => [value, refTo(name).$ref]);
  return { oneOf: names.map(refTo), discriminator: { propertyName, mapping: Object.fromEntries(mapping) } };
}

/** The JSON Schema of a body, made from the schema that checks it. */
export function toJsonSchema(schema: z.ZodType): ObjectSchema {
  const { $schema, ...json } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
  return requireObject(json);
}

/**
 * Reads a schema as the schema of an object, which may have no properties. @throws TypeError for a property that is no schema
 */
export function requireObject(schema: object): ObjectSchema {
  const properties = Object.entries(fieldOf(schema, 'properties') ?? {}).map(([name, value]) => {
    if (!isRecord(value)) {
      throw new TypeError(`The property ${name} is described by no schema`);
    }
    return [name, value] as const;
  });
  return { ...schema, properties: Object.fromEntries(properties) };
}
