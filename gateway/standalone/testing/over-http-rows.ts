import { gzipSync } from 'node:zlib';
import { documentHash } from '../../http/documents/document-hash.ts';

/** A request to the gateway of `startTestGateway`. By default a POST of JSON that accepts GraphQL responses. */
export interface Sent {
  readonly method?: string;
  /** Parameters of the URL. */
  readonly search?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
  /** Beside the default ones; `undefined` leaves a header out. */
  readonly headers?: Readonly<Record<string, string | undefined>>;
}

/** An answer. Members that are absent are not checked, apart from `type`. */
interface Expected {
  readonly status: number;
  /** Media type; by default that of GraphQL responses. */
  readonly type?: string;
  /** Code of the only error. */
  readonly code?: string;
  readonly json?: object;
  readonly allow?: string;
  readonly reason?: string;
}

export const JSON_TYPE = 'application/json';
export const GRAPHQL_TYPE = 'application/graphql-response+json';

const QUERY = '{ books { id } }';
const MUTATION = 'mutation { addBook(title: "x") { id } }';
const WITH_VARIABLE = 'mutation Add($t: String!) { addBook(title: $t) { id } }';
const TWO = 'query A { books { id } } query B { books { title } }';
const BOTH = 'query Q { books { id } } mutation M { addBook(title: "x") { id } }';

const post = (parameters: unknown, headers: Sent['headers'] = {}): Sent => ({
  body: JSON.stringify(parameters),
  headers,
});
const get = (search: Readonly<Record<string, string>>, headers: Sent['headers'] = {}): Sent => ({
  method: 'GET',
  search,
  headers,
});
const accepting = (accept: string | undefined): Sent => post({ query: QUERY }, { accept });
const ofType = (type: string | undefined): Sent => post({ query: QUERY }, { 'content-type': type });
const byHash = (text: string) => ({ documentId: `sha256:${documentHash(text)}` });

const LEGACY = { accept: JSON_TYPE };
const ANSWER = { status: 200, json: { data: { books: [{ id: '1' }, { id: '2' }] } } };
const LEGACY_ANSWER = { ...ANSWER, type: JSON_TYPE };
const ILL_FORMED = { status: 422, code: 'BAD_REQUEST' };
const UNREADABLE = { status: 400, code: 'BAD_REQUEST' };
const UNSUPPORTED = { status: 415, code: 'UNSUPPORTED_MEDIA_TYPE' };
const NOT_ACCEPTABLE = { status: 406, type: JSON_TYPE, code: 'NOT_ACCEPTABLE' };
const NOT_ALLOWED = { status: 405, code: 'METHOD_NOT_ALLOWED', allow: 'GET, HEAD, POST' };
const ONLY_POST = { ...NOT_ALLOWED, allow: 'POST' };
const PARTIAL = { status: 294, reason: 'Partial Success' };
const UNKNOWN_OPERATION = { status: 422, code: 'OPERATION_RESOLUTION_FAILURE' };
const INVALID = { status: 422, code: 'GRAPHQL_VALIDATION_FAILED' };
const UNPARSED = { status: 400, code: 'GRAPHQL_PARSE_FAILED' };
const BAD_VARIABLE = { status: 422, code: 'BAD_USER_INPUT' };

/** Exchanges of each row of the table in `gateway/http/graphql/README.md`, by its number. They run in this order. */
export const ROWS: Readonly<Record<string, readonly (readonly [request: Sent, answer: Expected])[]>> = {
  1: [
    [post({ query: QUERY }), ANSWER],
    [post({ query: WITH_VARIABLE, variables: { t: 'é' } }), { status: 200 }],
    [get({ query: QUERY }), ANSWER],
  ],
  2: [
    [post({}), ILL_FORMED],
    [post({ qeury: QUERY }), ILL_FORMED],
    [post({ query: 5 }), ILL_FORMED],
    [post({ query: QUERY, operationName: {} }), ILL_FORMED],
    [post({ query: QUERY, variables: [7] }), ILL_FORMED],
    [post({ query: QUERY, extensions: 'x' }), ILL_FORMED],
    [post([{ query: QUERY }]), ILL_FORMED],
    [get({}), ILL_FORMED],
    [get({ query: QUERY, variables: '[]' }), ILL_FORMED],
    [get({ query: QUERY, variables: '{' }), ILL_FORMED],
    [get({ query: QUERY, extensions: '5' }), ILL_FORMED],
  ],
  3: [
    [post({ query: QUERY, operationName: null, variables: null, extensions: null }), ANSWER],
    [get({ query: QUERY, operationName: '', variables: '', extensions: '' }), ANSWER],
    [get({ query: 'query null { books { id } }', operationName: 'null' }), ANSWER],
    [get({ query: TWO, operationName: 'null' }), UNKNOWN_OPERATION],
  ],
  4: [
    [post({ query: QUERY, unknown: [1], id: 5, extensions: { 'example.com/a': 1 } }), ANSWER],
    [get({ query: QUERY, unknown: '1', extensions: '{"example.com/a":1}' }), ANSWER],
  ],
  5: [
    [get({ query: MUTATION }), ONLY_POST],
    [get({ query: BOTH, operationName: 'M' }), ONLY_POST],
    [get({ query: BOTH, operationName: 'Q' }), ANSWER],
    [
      { ...get({ query: MUTATION }), method: 'HEAD' },
      { status: 405, allow: 'POST' },
    ],
  ],
  6: [
    [{ method: 'PUT' }, NOT_ALLOWED],
    [{ method: 'DELETE' }, NOT_ALLOWED],
    [{ method: 'OPTIONS' }, NOT_ALLOWED],
    [{ ...get({ query: QUERY }), method: 'HEAD' }, { status: 200 }],
  ],
  7: [
    [ofType(undefined), UNSUPPORTED],
    [ofType('text/plain'), UNSUPPORTED],
    [ofType('application/x-www-form-urlencoded'), UNSUPPORTED],
    [ofType('multipart/form-data; boundary=x'), UNSUPPORTED],
  ],
  8: [
    [ofType(JSON_TYPE), ANSWER],
    [ofType(`${JSON_TYPE}; charset=UTF-8`), ANSWER],
    [ofType(`${JSON_TYPE}; charset=utf-16`), UNSUPPORTED],
    [
      { body: gzipSync(JSON.stringify({ query: QUERY })), headers: { 'content-encoding': 'gzip' } },
      UNSUPPORTED,
    ],
  ],
  9: [
    [accepting(GRAPHQL_TYPE), ANSWER],
    [accepting(JSON_TYPE), LEGACY_ANSWER],
    [post({}, LEGACY), { ...UNREADABLE, type: JSON_TYPE }],
  ],
  10: [
    [accepting(`${GRAPHQL_TYPE}, ${JSON_TYPE};q=0.9`), ANSWER],
    [accepting(`${JSON_TYPE}, ${GRAPHQL_TYPE}`), ANSWER],
    [accepting(`${GRAPHQL_TYPE};q=0.1, ${JSON_TYPE};q=0.2`), LEGACY_ANSWER],
    [accepting(`*/*;q=0.1, ${GRAPHQL_TYPE};q=0.2`), ANSWER],
    [accepting(`application/*;q=0, */*, ${GRAPHQL_TYPE}`), ANSWER],
    [accepting(`${JSON_TYPE};q=0, */*`), ANSWER],
    [accepting(`${GRAPHQL_TYPE}; charset=utf-8`), ANSWER],
    [accepting(`${GRAPHQL_TYPE}; charset=utf-16, ${JSON_TYPE};q=0.1`), LEGACY_ANSWER],
  ],
  11: [
    [accepting(undefined), LEGACY_ANSWER],
    [accepting('*/*'), LEGACY_ANSWER],
  ],
  12: [
    [accepting('text/html'), NOT_ACCEPTABLE],
    [accepting(`${JSON_TYPE};q=0`), NOT_ACCEPTABLE],
    [accepting('application/*;q=0, */*'), NOT_ACCEPTABLE],
  ],
  13: [
    [post({ query: '{' }, LEGACY), { ...UNPARSED, status: 200, type: JSON_TYPE }],
    [post({ query: '{ nope }' }, LEGACY), { ...INVALID, status: 200, type: JSON_TYPE }],
    [post({ query: '{ fail }' }, LEGACY), { status: 200, type: JSON_TYPE }],
  ],
  14: [[post({ query: QUERY }), { ...ANSWER, reason: 'OK' }]],
  15: [
    [post({ query: '{ fail books { id } }' }), PARTIAL],
    [get({ query: '{ fail }' }), PARTIAL],
  ],
  16: [
    [{ body: 'NONSENSE' }, UNREADABLE],
    [{ body: '{"query":' }, UNREADABLE],
    [{ body: '' }, UNREADABLE],
    [{ body: Buffer.from('{"query":"\xff"}', 'latin1') }, UNREADABLE],
    [{ body: '{"query":"{ __typename }","query":"{ __typename }"}' }, UNREADABLE],
  ],
  17: [
    [post({ query: '{' }), UNPARSED],
    [get({ query: '{' }), UNPARSED],
  ],
  18: [
    [post({ query: '{ nope }' }), INVALID],
    [get({ query: '{ nope }' }), INVALID],
  ],
  19: [
    [post({ query: TWO }), UNKNOWN_OPERATION],
    [post({ query: TWO, operationName: 'C' }), UNKNOWN_OPERATION],
  ],
  20: [
    [post({ query: WITH_VARIABLE, variables: { t: null } }), BAD_VARIABLE],
    [post({ query: WITH_VARIABLE, variables: { t: 5 } }), BAD_VARIABLE],
    [post({ query: WITH_VARIABLE }), BAD_VARIABLE],
  ],
  21: [[{ body: `{"query":"${' '.repeat(1024 * 1024)}"}` }, { status: 413, code: 'PAYLOAD_TOO_LARGE' }]],
  22: [
    [get({ query: QUERY, extensions: `{"a":"${'x'.repeat(20_000)}"}` }), { status: 431, type: JSON_TYPE }],
  ],
  23: [
    [post(byHash(QUERY)), { status: 400, code: 'PERSISTED_QUERY_NOT_FOUND' }],
    [post({ ...byHash(QUERY), query: QUERY }), ANSWER],
    [post(byHash(QUERY)), ANSWER],
    [get(byHash(QUERY)), ANSWER],
    [post({ ...byHash(MUTATION), query: MUTATION }), { status: 200 }],
    [get(byHash(MUTATION)), ONLY_POST],
    [post({ documentId: 'md5:0' }), ILL_FORMED],
  ],
};
