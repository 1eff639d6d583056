import { findDuplicateKey } from '../../../subgraphs/kernel/json/scan-json.ts';
import type { DocumentReference } from '../documents/client-documents.ts';
import { documentHash } from '../documents/document-hash.ts';

/** A well-formed GraphQL request, whether its document is valid or not. */
interface GraphQLParameters extends DocumentReference {
  readonly operationName: string | null;
  readonly variables: Readonly<Record<string, unknown>> | null;
}

/** The failure of a request, without looking at its document. */
export interface HttpFailure {
  readonly status: 400 | 401 | 403 | 404 | 405 | 406 | 413 | 415 | 422 | 429 | 500 | 503;
  /** `extensions.code` of the error. */
  readonly code: string;
  readonly message: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Other extensions of the error. */
  readonly extensions?: Readonly<Record<string, unknown>>;
}

/** Whether reading has failed. */
export function isHttpFailure(value: object): value is HttpFailure {
  return 'status' in value;
}

/** Makes the failure of a request that cannot be read. */
export function badRequest(message: string): HttpFailure {
  return { status: 400, code: 'BAD_REQUEST', message };
}

/** Makes the failure of a request that can be read, but is not a well-formed GraphQL request. */
function notWellFormed(message: string): HttpFailure {
  return { status: 422, code: 'BAD_REQUEST', message };
}

const JSON_CONTENT = /^application\/json\s*(?:;|$)/i;
const CHARSET = /;\s*charset\s*=\s*"?([^";\s]+)/i;

function isMap(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * Checks the content type of a POST request; `null` when it is JSON in UTF-8. Browsers need a preflight for JSON, so
 * the check also stops requests of foreign pages. Source: GraphQL over HTTP (first edition, September 2026),
 * "Request".
 */
export function checkContentType(contentType: string | undefined): HttpFailure | null {
  const charset = CHARSET.exec(contentType ?? '')?.[1] ?? 'utf-8';
  return contentType !== undefined && JSON_CONTENT.test(contentType) && /^utf-?8$/i.test(charset)
    ? null
    : {
        status: 415,
        code: 'UNSUPPORTED_MEDIA_TYPE',
        message: 'A POST request must have the content type application/json, in UTF-8.',
      };
}

const PREFIX = 'sha256:';
const SHA256 = /^[0-9a-f]{64}$/;
const HASH = "the SHA-256 of the document's text, in 64 lower-case hexadecimal digits.";

const HASH_MISMATCH: HttpFailure = {
  status: 400,
  code: 'PERSISTED_QUERY_HASH_MISMATCH',
  message: 'The hash is not that of the query.',
};

/** Source: the GraphQL over HTTP working group's proposal "Persisted Documents", which its first edition does not have. */
function readDocumentId(documentId: unknown): string | HttpFailure {
  const hash =
    typeof documentId === 'string' && documentId.startsWith(PREFIX) ? documentId.slice(PREFIX.length) : '';
  return SHA256.test(hash) ? hash : notWellFormed(`"documentId" must be "${PREFIX}" and ${HASH}`);
}

/** Source: Apollo's automatic persisted queries. */
function readPersistedQuery(persistedQuery: unknown): string | HttpFailure {
  if (!isMap(persistedQuery) || persistedQuery.version !== 1) {
    return notWellFormed('"extensions.persistedQuery" must be an object with the "version" 1.');
  }
  const { sha256Hash } = persistedQuery;
  return typeof sha256Hash === 'string' && SHA256.test(sha256Hash)
    ? sha256Hash
    : notWellFormed(`"extensions.persistedQuery.sha256Hash" must be ${HASH}`);
}

/** The hash of a request, by either name; `null` without one. */
function readHash(
  documentId: unknown,
  extensions: Readonly<Record<string, unknown>> | null,
): string | null | HttpFailure {
  if (documentId !== undefined && documentId !== null) {
    return readDocumentId(documentId);
  }
  const { persistedQuery = null } = extensions ?? {};
  return persistedQuery === null ? null : readPersistedQuery(persistedQuery);
}

function readReference(query: unknown, hash: string | null): DocumentReference | HttpFailure {
  if (hash !== null && (query === undefined || query === null || query === '')) {
    return { query: null, hash };
  }
  if (typeof query !== 'string') {
    return notWellFormed(
      '"query" must be a string, unless "documentId" or "extensions.persistedQuery" names one.',
    );
  }
  return hash === null || hash === documentHash(query) ? { query, hash } : HASH_MISMATCH;
}

/** Reads the decoded parameters of a request; ignores other members. */
export function readParameters(value: unknown): GraphQLParameters | HttpFailure {
  if (!isMap(value)) {
    return notWellFormed('The request body must be a JSON object.');
  }
  const { query, operationName = null, variables = null, extensions = null, documentId } = value;
  if (operationName !== null && typeof operationName !== 'string') {
    return notWellFormed('"operationName" must be a string or null.');
  }
  if (variables !== null && !isMap(variables)) {
    return notWellFormed('"variables" must be an object or null.');
  }
  if (extensions !== null && !isMap(extensions)) {
    return notWellFormed('"extensions" must be an object or null.');
  }
  const hash = readHash(documentId, extensions);
  if (hash !== null && typeof hash !== 'string') {
    return hash;
  }
  const reference = readReference(query, hash);
  return isHttpFailure(reference)
    ? reference
    : { query: reference.query, hash: reference.hash, operationName, variables };
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
export function readUrlParameters(value: Readonly<Record<string, unknown>>): GraphQLParameters | HttpFailure {
  for (const name of ['variables', 'extensions']) {
    const text = value[name];
    const key = typeof text === 'string' ? findDuplicateKey(text) : undefined;
    if (key !== undefined) {
      return notWellFormed(`"${name}" has ${key} more than once in an object.`);
    }
  }
  const variables = decode(value.variables);
  const extensions = decode(value.extensions);
  if (variables === NOT_JSON || extensions === NOT_JSON) {
    return notWellFormed('"variables" and "extensions" must be JSON text in a URL.');
  }
  const operationName = value.operationName === '' ? null : value.operationName;
  const documentId = value.documentId === '' ? null : value.documentId;
  return readParameters({ query: value.query, documentId, operationName, variables, extensions });
}
