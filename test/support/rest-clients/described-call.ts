import { parseExact, unquoteAmounts } from '../../../gateway/clients/typescript/exact-amounts.ts';
import { openApiDocuments } from '../../../rest-compat/openapi.ts';
import type { RawRequest } from '../http.ts';

/** The generated package of each OpenAPI document. */
const PACKAGES = {
  '/v1/openapi.json': 'request-money',
  '/v1/user/openapi.json': 'remittance',
  '/partner/openapi.json': 'partner',
} as const;

/** A request in the terms of a generated client. */
export interface DescribedCall {
  readonly package: (typeof PACKAGES)[keyof typeof PACKAGES];
  /** `operationId` */
  readonly operation: string;
  readonly key: string;
  readonly path: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
  readonly idempotencyKey: string | undefined;
  /** JSON, as it is sent; undefined without a body. */
  readonly body: string | undefined;
}

interface Parameter {
  readonly in: string;
  readonly name: string;
  readonly schema: { readonly type?: string; readonly enum?: readonly string[] };
}

const OPERATIONS = Object.entries(PACKAGES).flatMap(([document, name]) =>
  Object.entries(openApiDocuments()[document as keyof typeof PACKAGES].paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      package: name,
      method: method.toUpperCase(),
      path: new RegExp(`^${path.replaceAll('.', '[.]').replaceAll(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`),
      id: operation.operationId,
      tags: operation.tags,
      parameters: (operation.parameters ?? []) as readonly Parameter[],
      hasBody: 'requestBody' in operation,
    })),
  ),
);

/** The calls that partners make: all but the internal ones. */
export const PARTNERS_OPERATIONS = OPERATIONS.filter(({ tags }) => !tags.includes('internal')).map(
  ({ package: name, id }) => `${name}/${id}`,
);

/** Headers that a client sends by itself, or that the call has as parameters. */
const KEY_HEADERS = ['x-api-key', 'api_key'];
const KNOWN_HEADERS = [...KEY_HEADERS, 'content-type', 'idempotency-key'];

/**
 * Puts a raw request in the terms of a client.
 * @returns undefined if a typed client cannot make it: no described call, a key too few or too many, a header or a query parameter that
 * the call does not have, a body that is not the compact JSON of an object
 */
export function describeCall({ method, path, headers = {}, body }: RawRequest): DescribedCall | undefined {
  const [, name = '', search = ''] = /^([^?]*)\??(.*)$/s.exec(path) ?? [];
  // Of two that fit, the later one has an end of its own, such as `.csv`.
  const found = OPERATIONS.findLast((one) => one.method === method && one.path.test(name));
  const all = Object.entries(headers).map(([header, value]) => [header.toLowerCase(), value] as const);
  const keys = new Set(all.filter(([header]) => KEY_HEADERS.includes(header)).map(([, value]) => value));
  const [key] = keys;
  const query = found && readQuery(search, found.parameters);
  const places = found && readPath(name, found.path);
  if (
    !(found && query && places && key) ||
    keys.size > 1 ||
    found.tags.includes('internal') ||
    all.some(([header]) => !KNOWN_HEADERS.includes(header)) ||
    !isExpressible(body, found.hasBody, new Map(all).get('content-type'))
  ) {
    return undefined;
  }
  const idempotencyKey = new Map(all).get('idempotency-key');
  const text = body === undefined ? undefined : String(body);
  return {
    package: found.package,
    operation: found.id,
    key,
    path: places,
    query,
    idempotencyKey,
    body: text,
  };
}

function readPath(path: string, pattern: RegExp): Record<string, string> | undefined {
  const entries = Object.entries(pattern.exec(path)?.groups ?? {});
  const isPlain = entries.every(([, text]) => /^[\w.~-]+$/.test(text));
  return isPlain ? Object.fromEntries(entries) : undefined;
}

function readQuery(search: string, parameters: readonly Parameter[]): Record<string, string> | undefined {
  const given = [...new URLSearchParams(search)];
  const areTyped = given.every(([name, text]) => {
    const { schema } = parameters.find((one) => one.in === 'query' && one.name === name) ?? {};
    return schema !== undefined && isOfType(text, schema);
  });
  const query = Object.fromEntries(given);
  return areTyped && Object.keys(query).length === given.length ? query : undefined;
}

function isOfType(text: string, { type, enum: values = [text] }: Parameter['schema']): boolean {
  const patterns: Readonly<Record<string, RegExp>> = {
    integer: /^-?(?:0|[1-9]\d{0,14})$/,
    boolean: /^(?:true|false)$/,
  };
  return values.includes(text) && (patterns[type ?? '']?.test(text) ?? true);
}

function isExpressible(body: RawRequest['body'], hasBody: boolean, contentType: string | undefined): boolean {
  if (body === undefined) {
    return contentType === undefined;
  }
  if (!hasBody || !['application/json', undefined].includes(contentType?.toLowerCase())) {
    return false;
  }
  try {
    const text = String(body);
    const value = parseExact(text);
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    return isObject && unquoteAmounts(JSON.stringify(value)) === text;
  } catch {
    return false;
  }
}
