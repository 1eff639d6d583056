import { text } from '../../../subgraphs/kernel/json/json-schema.ts';

export { object, text, time } from '../../../subgraphs/kernel/json/json-schema.ts';

/** The parts of an OpenAPI 3.1 document that the code reads. */
export interface OpenApiDocument {
  readonly openapi: '3.1.0';
  readonly info: Readonly<Record<'title' | 'version' | 'description', string>>;
  readonly servers: readonly { readonly url: string }[];
  readonly tags: readonly { readonly name: string }[];
  /** By path template, then by method in lower case. */
  readonly paths: OpenApiPaths;
  /** By event. */
  readonly webhooks: Readonly<Record<string, OpenApiWebhook>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, object>>;
    readonly securitySchemes: Readonly<Record<string, object>>;
  };
}

/** The parts that one surface adds to the document of another. */
export interface OpenApiPart {
  readonly paths: OpenApiPaths;
  readonly schemas: Readonly<Record<string, object>>;
}

/** The calls, by path template, then by method in lower case. */
export type OpenApiPaths = Readonly<Record<string, Readonly<Record<string, OpenApiOperation>>>>;

/** One call. */
export interface OpenApiOperation {
  readonly operationId: string;
  readonly summary: string;
  readonly description?: string;
  readonly deprecated?: true;
  readonly tags: readonly string[];
  readonly security: readonly object[];
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly required: boolean; readonly content: OpenApiContent };
  readonly responses: Readonly<Record<string, OpenApiResponse>>;
}

/** A parameter of a call. */
export interface Parameter<Name extends string = string> {
  readonly name: Name;
  readonly in: 'path' | 'query' | 'header';
  readonly required?: boolean;
  readonly description: string;
  readonly schema: object;
}

interface OpenApiResponse {
  readonly description: string;
  readonly headers: object;
  readonly content?: OpenApiContent;
}

/** By media type. */
type OpenApiContent = Readonly<
  Record<
    string,
    { readonly schema: object; readonly examples?: Readonly<Record<string, { value: unknown }>> }
  >
>;

/** One event. */
export interface OpenApiWebhook {
  readonly post: { readonly requestBody: { readonly content: OpenApiContent } };
}

/** The name of the body's schema (or several, one of which fits; null for no body), and a description. */
type Described = readonly [schemas: string | readonly string[] | null, description: string];

/** The answers of a call, by status. */
export type Answers = Readonly<Record<number, Described>>;

const REQUEST_ID = {
  'x-request-id': {
    description: 'The id of the request: the sent one if it is valid, otherwise a new one.',
    schema: { type: 'string' },
  },
};
const RETRY_AFTER = {
  'retry-after': { description: 'Whole seconds to wait before the next try.', schema: { type: 'integer' } },
};
const TO_BE_RETRIED: ReadonlySet<string> = new Set(['429', '503']);

/** A reference to one of the document's own schemas. */
export function refTo(schema: string): { $ref: string } {
  return { $ref: `#/components/schemas/${schema}` };
}

/**
 * The responses of a call by status. Responses that every call may have have the schema `Refused`.
 * @param headersOf the headers of an answer beside those of every answer, by its status and its schemas
 */
export function responses(
  answers: Answers,
  headersOf: (status: number, schemas: readonly string[]) => object,
): Record<string, OpenApiResponse> {
  const all: Answers = {
    429: ['Refused', 'RATE_LIMITED: too many calls'],
    503: ['Refused', 'SERVICE_UNAVAILABLE: a dependency of the service is unavailable for a moment'],
    ...answers,
    500: ['Refused', 'An internal error'],
  };
  return Object.fromEntries(
    Object.entries(all).map(([status, [names, description]]) => {
      const own = headersOf(Number(status), names === null ? [] : [names].flat());
      return [
        status,
        toResponse(names, description, TO_BE_RETRIED.has(status) ? { ...RETRY_AFTER, ...own } : own),
      ];
    }),
  );
}

/** The answer to a request that did not arrive whole in time: the connection ends. */
export const TOO_SLOW: Answers = {
  408: [null, 'The complete request did not arrive within 60 seconds'],
};

function toResponse(names: Described[0], description: string, more: object): OpenApiResponse {
  if (names === null) {
    return { description, headers: more };
  }
  const headers = { ...REQUEST_ID, ...more };
  const schema = typeof names === 'string' ? refTo(names) : { oneOf: names.map(refTo) };
  return { description, headers, content: { 'application/json': { schema } } };
}

/** The partner's key may come in either header, whichever the document names (decisions, section 7). */
export const PARTNER_KEY = [{ apiKey: [] }, { apiKeyAlias: [] }];

/** The two headers of the partner's key. @param own the one that this document names */
export function partnerKeySchemes(own: string, alias: string) {
  return {
    apiKey: { type: 'apiKey', in: 'header', name: own },
    apiKeyAlias: {
      type: 'apiKey',
      in: 'header',
      name: alias,
      description: `The same key. If ${own} is also sent, both must be equal.`,
    },
  };
}

/** A body with one of the named schemas. */
export function jsonBody(schema: string, required: boolean) {
  return { required, content: { 'application/json': { schema: refTo(schema) } } };
}

/** An optional parameter of the query. */
export function queryParameter<Name extends string>(
  name: Name,
  description: string,
  schema: object = text,
): Parameter<Name> {
  return { name, in: 'query', required: false, description, schema };
}
