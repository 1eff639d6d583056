import type { ErrorCode } from '../../../../subgraphs/kernel/errors/catalogue.ts';
import type { RequestErrorCode, TransportErrorCode } from '../../../engine/index.ts';
import { type ErrorWords, LATER } from './words.ts';

/** An error of `/graphql` only: its text, and the message of the example. */
export interface GraphQLWords extends ErrorWords {
  readonly message: string;
  /** HTTP status where it is not that of a GraphQL answer. */
  readonly status?: number;
}

/** Codes that the engine gives. */
type EngineCode =
  | Exclude<RequestErrorCode, ErrorCode>
  | TransportErrorCode
  | 'DEPTH_LIMIT_EXCEEDED'
  | 'ALIAS_LIMIT_EXCEEDED'
  | 'ROOT_FIELD_LIMIT_EXCEEDED'
  | 'DOWNSTREAM_SERVICE_ERROR';
/** Codes of GraphQL over HTTP and of documents by hash. */
type HttpCode =
  | 'METHOD_NOT_ALLOWED'
  | 'NOT_ACCEPTABLE'
  | 'PERSISTED_QUERY_NOT_FOUND'
  | 'PERSISTED_QUERY_HASH_MISMATCH'
  | 'QUERY_NOT_IN_SAFELIST';

const SMALLER = 'Request less at once: use fewer levels, smaller pages or several requests.';
const OUTAGE = `A part of the product is unreachable. ${LATER}`;
const CHECK_FIRST = 'A mutation may still have succeeded: check before you send it again.';

/** The errors of GraphQL requests, beside those of the catalogue. */
export const GRAPHQL_WORDS: Readonly<Record<EngineCode | HttpCode, GraphQLWords>> = {
  GRAPHQL_PARSE_FAILED: {
    message: 'Syntax Error: Expected Name, found <EOF>.',
    fix: 'Correct the document at the position in `locations`.',
  },
  GRAPHQL_VALIDATION_FAILED: {
    message: 'Cannot query field "state" on type "RequestMoney".',
    cause: 'The document uses something that the schema does not have, or lacks something that it requires.',
    fix: 'Compare the document with the schema of this version.',
  },
  OPERATION_RESOLUTION_FAILURE: {
    message: 'Unknown operation named "Dashboard".',
    fix: 'Send the name of one of the document’s operations as `operationName`.',
  },
  OPERATION_TOO_LARGE: {
    message: 'A field is selected 200 times in one place; at most 50 are allowed.',
    fix: SMALLER,
  },
  OPERATION_TOO_COMPLEX: {
    message: 'The operation takes too much work to plan.',
    fix: SMALLER,
  },
  TOKEN_LIMIT_EXCEEDED: {
    message: 'Syntax Error: Document contains more that 2000 tokens. Parsing aborted.',
    fix: SMALLER,
  },
  COST_LIMIT_EXCEEDED: {
    message: 'The operation costs 10301; at most 10000 is allowed.',
    fix: `${SMALLER} \`first\` and \`last\` have the largest effect.`,
  },
  DEPTH_LIMIT_EXCEEDED: {
    message: 'The operation has 13 levels of fields; at most 12 are allowed.',
    fix: SMALLER,
  },
  ALIAS_LIMIT_EXCEEDED: { message: 'The operation has 31 aliases; at most 30 are allowed.', fix: SMALLER },
  ROOT_FIELD_LIMIT_EXCEEDED: {
    message: 'The operation has 11 fields at the root; at most 10 are allowed.',
    fix: SMALLER,
  },
  OPERATION_TIMEOUT: { message: 'The operation took longer than 30 s.', fix: `${SMALLER} ${CHECK_FIRST}` },
  RESPONSE_TOO_LARGE: {
    message: 'The answer has more than 10000000 bytes: request less at once.',
    fix: `${SMALLER} ${CHECK_FIRST}`,
  },
  UNSUPPORTED_OPERATION: {
    message: 'Subscriptions need a connection that can carry events.',
    fix: 'Run subscriptions over WebSocket, or accept `text/event-stream`.',
  },
  DOWNSTREAM_SERVICE_ERROR: {
    message: 'The subgraph failed.',
    cause:
      'An error on our side, shown only outside production; in production the code is `INTERNAL_SERVER_ERROR`.',
    fix: 'Send the `x-request-id` to your operator.',
  },
  SUBGRAPH_UNREACHABLE: { message: 'The subgraph cannot be reached.', fix: OUTAGE },
  SUBGRAPH_TIMEOUT: { message: 'The subgraph did not answer in time.', fix: `${OUTAGE} ${CHECK_FIRST}` },
  SUBGRAPH_HTTP_ERROR: { message: 'The subgraph answered with HTTP status 502.', fix: OUTAGE },
  SUBGRAPH_RESPONSE_INVALID: { message: "The subgraph's answer is not a GraphQL response.", fix: OUTAGE },
  SUBGRAPH_RESPONSE_TOO_LARGE: { message: "The subgraph's answer is too large.", fix: SMALLER },
  METHOD_NOT_ALLOWED: {
    message: 'GET runs queries only.',
    status: 405,
    fix: 'Send the operation with `POST`.',
  },
  NOT_ACCEPTABLE: {
    message: 'The answer can be application/graphql-response+json, application/json or text/event-stream.',
    status: 406,
    fix: 'Name one of these in `Accept`, or leave the header out.',
  },
  PERSISTED_QUERY_NOT_FOUND: {
    message: 'PersistedQueryNotFound',
    cause: 'The server does not know the document of this hash, or has dropped it.',
    fix: 'Send hash and text together once. Clients with automatic persisted queries do this by themselves.',
  },
  PERSISTED_QUERY_HASH_MISMATCH: {
    message: 'The hash is not that of the query.',
    status: 400,
    fix: 'Send the SHA-256 of the exact text in `query`.',
  },
  QUERY_NOT_IN_SAFELIST: {
    message: 'Only trusted documents are run here.',
    fix: 'Give the document to your operator, who adds it to `TRUSTED_DOCUMENTS_DIR`; or send a trusted one, byte for byte.',
  },
};
