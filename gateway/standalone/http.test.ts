import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { serverAudits } from 'graphql-http';
import { fetch } from 'undici';
import { startTestGateway, type TestGateway } from './testing/gateway.ts';

let graph: TestGateway;
beforeAll(async () => {
  graph = await startTestGateway({ forwardHeaders: ['authorization'] });
});
afterAll(() => graph.close());

const JSON_TYPE = 'application/json';
const GRAPHQL_TYPE = 'application/graphql-response+json';

interface Sent {
  readonly method?: string;
  readonly query?: string;
  readonly body?: string;
  readonly headers?: Record<string, string>;
}

async function send({ method = 'POST', query = '', body, headers = {} }: Sent) {
  const response = await fetch(`${graph.gateway.url}${query}`, {
    method,
    headers: method === 'POST' ? { 'content-type': JSON_TYPE, ...headers } : headers,
    ...(body === undefined ? {} : { body }),
  });
  const text = await response.text();
  return {
    status: response.status,
    type: response.headers.get('content-type'),
    allow: response.headers.get('allow'),
    requestId: response.headers.get('x-request-id'),
    json: (text === '' ? null : JSON.parse(text)) as Record<string, unknown> | null,
  };
}

const execute = (query: string, more: object = {}, headers: Record<string, string> = {}) =>
  send({ body: JSON.stringify({ query, ...more }), headers });

/** Audits after a draft with the status 400. The first edition has 422. */
const UNPROCESSABLE = [
  'MAY use 400 status code on missing {query} parameter',
  'SHOULD use a status code of 400 on variable coercion failure when accepting application/graphql-response+json',
];

describe('the audits of graphql-http', () => {
  const audits = serverAudits({ url: () => graph.gateway.url, fetchFn: fetch });
  test.each(audits.map(({ name, fn }) => ({ name, fn })))('$name', async ({ name, fn }) => {
    const result = await fn();
    if (UNPROCESSABLE.includes(name)) {
      expect(result).toMatchObject({ reason: expect.any(String), response: { status: 422 } });
    } else {
      expect(result).toMatchObject({ status: 'ok' });
    }
  });
});

describe('operations', () => {
  test('run over the subgraphs', async () => {
    const { status, type, json } = await execute('{ books { title inStock } }', {}, { accept: GRAPHQL_TYPE });
    expect({ status, type }).toEqual({ status: 200, type: `${GRAPHQL_TYPE}; charset=utf-8` });
    expect(json).toEqual({
      data: {
        books: [
          { title: 'Emma', inStock: 10 },
          { title: 'Dune', inStock: 20 },
        ],
      },
    });
  });

  test('have introspection', async () => {
    const { json } = await execute('{ __type(name: "Book") { fields { name } } }');
    expect(json).toEqual({
      data: { __type: { fields: [{ name: 'id' }, { name: 'title' }, { name: 'inStock' }] } },
    });
  });

  test('change data by POST', async () => {
    const { json } = await execute('mutation Add($t: String!) { addBook(title: $t) { title inStock } }', {
      variables: { t: 'New' },
      operationName: 'Add',
    });
    expect(json).toEqual({ data: { addBook: { title: 'New', inStock: 30 } } });
  });

  test('fail in part with status 294, and the cause is logged', async () => {
    const { status, json } = await execute('{ fail books { id } }', {}, { accept: GRAPHQL_TYPE });
    expect(status).toBe(294);
    expect(json).toMatchObject({
      data: { fail: null, books: [{ id: '1' }, { id: '2' }] },
      errors: [{ path: ['fail'] }],
    });
    expect(graph.logged.join()).toContain('secret detail');
  });

  test('pass on the configured headers, and the request id', async () => {
    await execute(
      '{ books { id } }',
      {},
      { authorization: 'Bearer x', cookie: 'no', 'x-request-id': 'mine' },
    );
    const headers = graph.books.received.at(-1)?.headers;
    expect(headers).toMatchObject({ authorization: 'Bearer x', 'x-request-id': 'mine' });
    expect(headers).not.toHaveProperty('cookie');
  });
});

describe('requests that are not well-formed', () => {
  const BOOKS = encodeURIComponent('{ books { id } }');
  const post = (headers: Record<string, string>, body = '{"query":"{ __typename }"}'): Sent => ({
    headers,
    body,
  });
  const get = (query: string, headers: Record<string, string> = {}): Sent => ({
    method: 'GET',
    query,
    headers,
  });

  test.each<[string, Sent, number, string]>([
    [
      'a form',
      post({ 'content-type': 'application/x-www-form-urlencoded' }, 'query=x'),
      415,
      'UNSUPPORTED_MEDIA_TYPE',
    ],
    ['text', post({ 'content-type': 'text/plain' }), 415, 'UNSUPPORTED_MEDIA_TYPE'],
    [
      'another charset',
      post({ 'content-type': 'application/json; charset=utf-16' }),
      415,
      'UNSUPPORTED_MEDIA_TYPE',
    ],
    ['an answer that we do not write', post({ accept: 'text/html' }), 406, 'NOT_ACCEPTABLE'],
    ['a list', post({}, '[{"query":"{ __typename }"}]'), 400, 'BAD_REQUEST'],
    ['too many bytes', post({}, `{"query":"${' '.repeat(1024 * 1024)}"}`), 413, 'PAYLOAD_TOO_LARGE'],
    [
      'a map with unsafe keys',
      post({}, '{"query":"{ __typename }","variables":{"__proto__":{}}}'),
      400,
      'BAD_REQUEST',
    ],
    ['GET without a query', get(''), 400, 'BAD_REQUEST'],
    ['GET with two queries', get(`?query=${BOOKS}&query=${BOOKS}`), 400, 'BAD_REQUEST'],
    ['GET with broken variables', get(`?query=${BOOKS}&variables={`), 400, 'BAD_REQUEST'],
    [
      'GET with a mutation',
      get(`?query=${encodeURIComponent('mutation { addBook(title: "x") { id } }')}`),
      405,
      'METHOD_NOT_ALLOWED',
    ],
    [
      'GET with a subscription',
      get(`?query=${encodeURIComponent('subscription { bookAdded { id } }')}`),
      405,
      'METHOD_NOT_ALLOWED',
    ],
    ['PUT', { method: 'PUT', body: '{}', headers: { 'content-type': JSON_TYPE } }, 405, 'METHOD_NOT_ALLOWED'],
    ['DELETE', { method: 'DELETE' }, 405, 'METHOD_NOT_ALLOWED'],
  ])('%s is rejected', async (_name, sent, status, code) => {
    const before = graph.books.received.length;
    const answer = await send(sent);
    expect(answer.status).toBe(status);
    expect(answer.json).toMatchObject({ errors: [{ extensions: { code } }] });
    expect(answer.requestId).toMatch(/./);
    expect(answer.allow !== null).toBe(status === 405);
    expect(graph.books.received).toHaveLength(before);
  });

  test.each([
    [`${GRAPHQL_TYPE}, ${JSON_TYPE};q=0.9`, GRAPHQL_TYPE],
    [`${GRAPHQL_TYPE};q=0.1, ${JSON_TYPE}`, JSON_TYPE],
    ['text/html, */*;q=0.1', JSON_TYPE],
    ['application/*', JSON_TYPE],
    ['*/*, application/json;q=0', GRAPHQL_TYPE],
    ['APPLICATION/GRAPHQL-RESPONSE+JSON', GRAPHQL_TYPE],
  ])('%s is answered with %s', async (accept, type) => {
    expect((await execute('{ __typename }', {}, { accept })).type).toBe(`${type}; charset=utf-8`);
  });

  test('an invalid document has its own status, by media type', async () => {
    expect((await execute('{ nope }', {}, { accept: GRAPHQL_TYPE })).status).toBe(422);
    expect((await execute('{ nope }', {}, { accept: JSON_TYPE })).status).toBe(200);
  });
});
