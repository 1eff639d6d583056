import { getOperationAST, type OperationTypeNode, parse } from 'graphql';

/** A well-formed GraphQL request, whether its document is valid or not. */
export interface GraphQLParameters {
  readonly query: string;
  readonly operationName: string | null;
  readonly variables: Readonly<Record<string, unknown>> | null;
  readonly extensions: Readonly<Record<string, unknown>> | null;
}

/** A request that is answered without looking at its document. */
export interface HttpRefusal {
  readonly status: 400 | 401 | 405 | 406 | 413 | 415 | 500;
  /** `extensions.code` of the error. */
  readonly code: string;
  readonly message: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Whether something that was read is a refusal. */
export function isRefusal(value: object): value is HttpRefusal {
  return 'status' in value;
}

/** Makes the refusal of a request that is not well-formed. */
export function badRequest(message: string): HttpRefusal {
  return { status: 400, code: 'BAD_REQUEST', message };
}

const JSON_CONTENT = /^application\/json\s*(?:;|$)/i;
const CHARSET = /;\s*charset\s*=\s*"?([^";\s]+)/i;

function isMap(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * Checks the content type of a POST request; `null` when it is JSON in UTF-8.
 * Source: GraphQL over HTTP (draft), section "Request"; that a browser sends no other type unasked also keeps foreign
 * pages from making requests.
 */
export function checkContentType(contentType: string | undefined): HttpRefusal | null {
  const charset = CHARSET.exec(contentType ?? '')?.[1] ?? 'utf-8';
  return contentType !== undefined && JSON_CONTENT.test(contentType) && /^utf-?8$/i.test(charset)
    ? null
    : {
        status: 415,
        code: 'UNSUPPORTED_MEDIA_TYPE',
        message: 'A POST request must have the content type application/json, in UTF-8.',
      };
}

/** Reads the parameters of a request, decoded; other members are passed over. */
export function readParameters(value: unknown): GraphQLParameters | HttpRefusal {
  if (!isMap(value)) {
    return badRequest('The request body must be a JSON object.');
  }
  const { query, operationName = null, variables = null, extensions = null } = value;
  if (typeof query !== 'string') {
    return badRequest('"query" must be a string.');
  }
  if (operationName !== null && typeof operationName !== 'string') {
    return badRequest('"operationName" must be a string or null.');
  }
  if (variables !== null && !isMap(variables)) {
    return badRequest('"variables" must be an object or null.');
  }
  if (extensions !== null && !isMap(extensions)) {
    return badRequest('"extensions" must be an object or null.');
  }
  return { query, operationName, variables, extensions };
}

const NOT_JSON = Symbol('not JSON');

function decode(value: unknown): unknown {
  if (value === undefined || value === '') {
    return null;
  }
  try {
    return typeof value === 'string' ? JSON.parse(value) : NOT_JSON;
  } catch {
    return NOT_JSON;
  }
}

/** Reads the parameters of a GET request, whose maps are JSON text. */
export function readUrlParameters(value: Readonly<Record<string, unknown>>): GraphQLParameters | HttpRefusal {
  const variables = decode(value.variables);
  const extensions = decode(value.extensions);
  if (variables === NOT_JSON || extensions === NOT_JSON) {
    return badRequest('"variables" and "extensions" must be JSON text in a URL.');
  }
  const operationName = value.operationName === '' ? null : value.operationName;
  return readParameters({ query: value.query, operationName, variables, extensions });
}

/** The kind of the operation that would run; `null` when the document does not say. */
export function operationKind({
  query,
  operationName,
}: Pick<GraphQLParameters, 'query' | 'operationName'>): OperationTypeNode | null {
  try {
    return getOperationAST(parse(query, { noLocation: true }), operationName)?.operation ?? null;
  } catch {
    // Not a document: whoever runs it says so, with the place.
    return null;
  }
}
