import type { JsonSchema } from '../../subgraphs/platform/json/json-schema.ts';

/** An OpenAPI 3.1 document, as much of its shape as is looked at. */
export interface OpenApiDocument {
  readonly openapi: '3.1.0';
  readonly info: Readonly<Record<'title' | 'version' | 'description', string>>;
  readonly servers: readonly { readonly url: string }[];
  readonly tags: readonly { readonly name: string }[];
  /** By path template, then by method in lower case. */
  readonly paths: Readonly<Record<string, Readonly<Record<string, OpenApiOperation>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, object>>;
    readonly securitySchemes: Readonly<Record<string, object>>;
  };
}

/** One call. */
export interface OpenApiOperation {
  readonly operationId: string;
  readonly responses: Readonly<Record<string, OpenApiResponse>>;
}

interface OpenApiResponse {
  readonly description: string;
  readonly headers: object;
  readonly content: Readonly<Record<string, { readonly schema: object }>>;
}

/** The named schemas, one or any of several, and a description. */
type Described = readonly [schemas: string | readonly string[], description: string];

const REQUEST_ID = {
  'x-request-id': { description: 'Echoed when sane, else made.', schema: { type: 'string' } },
};

/** A reference to one of the document's own schemas. */
export function refTo(schema: string): { $ref: string } {
  return { $ref: `#/components/schemas/${schema}` };
}

/** The responses of a call by status; an unexpected fault has the shape of `Refused`, 500. */
export function responses(byStatus: Readonly<Record<number, Described>>): Record<string, OpenApiResponse> {
  const all: Record<number, Described> = { ...byStatus, 500: ['Refused', 'A fault of ours'] };
  return Object.fromEntries(
    Object.entries(all).map(([status, [names, description]]) => [status, toResponse(names, description)]),
  );
}

function toResponse(names: string | readonly string[], description: string): OpenApiResponse {
  const schema = typeof names === 'string' ? refTo(names) : { oneOf: names.map(refTo) };
  return { description, headers: REQUEST_ID, content: { 'application/json': { schema } } };
}

/** Schemas that every description uses. */
export const text = { type: 'string' };
export const time = { type: 'string', format: 'date-time', description: 'ISO 8601 UTC with milliseconds.' };

/** An object with these properties and no others, all of them required but the optional ones. */
export function object(
  properties: Readonly<Record<string, unknown>>,
  optional: readonly string[] = [],
): JsonSchema {
  const required = Object.keys(properties).filter((name) => !optional.includes(name));
  return { type: 'object', properties, required, additionalProperties: false };
}

export function pathParameter(name: string, description: string, schema: object = text) {
  return { name, in: 'path', required: true, description, schema };
}

export function queryParameter(name: string, description: string, schema: object = text) {
  return { name, in: 'query', required: false, description, schema };
}
