import { beforeAll, describe, expect, test } from '@jest/globals';
import WebSocket from 'ws';
import { type Exchange, exchangeWith, type RawResponse } from '../support/http.ts';
import { queryGraph } from '../support/money-requests.ts';
import { useScene } from '../support/scene.ts';
import { KEYS } from '../support/seed.ts';
import { MOSTLY_ALL, type Server } from '../support/server.ts';
import { issuesIn } from '../support/server-process.ts';

/** Every failure is JSON with errors that have a message and a code; nothing of ours is in them. */
function checkErrors(response: RawResponse, statuses: readonly number[]): void {
  expect([response.text.slice(0, 300), statuses]).toEqual([
    expect.any(String),
    expect.arrayContaining([response.status]),
  ]);
  expect(response.headers['x-request-id']).toBeTruthy();
  expect(response.headers['content-type']).toMatch(/^application\/(graphql-response\+)?json/);
  const { errors } = JSON.parse(response.text) as { errors: unknown[] };
  expect(errors.length).toBeGreaterThan(0);
  for (const error of errors) {
    expect(error).toMatchObject({ message: expect.any(String), extensions: { code: expect.any(String) } });
  }
  expect(response.text).not.toMatch(/node_modules|\.ts:|\.js:|at Object|INTERNAL_SERVER_ERROR/);
}

const nestedUser = (depth: number) =>
  `{ users { nodes ${'{ links { nodes { user '.repeat(depth)}{ id }${' } } }'.repeat(depth)} } }`;

const INIT = JSON.stringify({ type: 'connection_init', payload: { 'X-API-Key': KEYS.acme } });

const SUBSCRIBE = JSON.stringify({
  id: '1',
  type: 'subscribe',
  payload: { query: 'subscription { requestMoneyStatusChanged { cursor } }' },
});

describe.each(MOSTLY_ALL)('Arrangement %s', (arrangement) => {
  const scene = useScene();
  let server: Server;
  let exchange: Exchange;
  beforeAll(async () => {
    const deployment = await scene.deploy({ arrangement, processes: arrangement === 'all' });
    server = await deployment.start();
    exchange = exchangeWith(server.url);
  });

  const post = (body: string | Buffer, headers: Record<string, string> = {}) =>
    exchange({
      method: 'POST',
      path: '/graphql',
      headers: { 'Content-Type': 'application/json', 'X-API-Key': KEYS.acme, ...headers },
      body,
    });
  const query = (source: string, more: object = {}) => post(JSON.stringify({ query: source, ...more }));

  describe('POST /graphql', () => {
    test.each<[string, string | Buffer]>([
      ['nothing', ''],
      ['half an object', '{"query":'],
      ['null', 'null'],
      ['a number', '5'],
      ['text', '"{ users { totalCount } }"'],
      ['a list', '[]'],
      ['a batch', '[{"query":"{ __typename }"},{"query":"{ __typename }"}]'],
      ['an empty object', '{}'],
      ['a query of null', '{"query":null}'],
      ['a query that is a number', '{"query":5}'],
      ['a query that is an object', '{"query":{"a":1}}'],
      ['an empty query', '{"query":""}'],
      ['bytes that are no UTF-8', Buffer.from([0x7b, 0xff, 0xfe, 0x7d])],
      ['100,000 lists in each other', '['.repeat(100_000)],
      ['prototypes', '{"__proto__":{"query":"{ __typename }"}}'],
      ['variables that are a list', '{"query":"{ __typename }","variables":[1]}'],
      ['variables that are text', '{"query":"{ __typename }","variables":"x"}'],
      ['an operation name that is a number', '{"query":"{ __typename }","operationName":5}'],
    ])('answers %s with errors', async (_name, body) => {
      checkErrors(await post(body), [400, 200]);
    });

    test.each([
      ['no GraphQL', 'hello'],
      ['a comment only', '# nothing'],
      ['an unknown field', '{ nothing }'],
      ['an unknown argument', '{ users(fist: 1) { totalCount } }'],
      ['a bad size', '{ users(first: 1000) { totalCount } }'],
      ['a bad cursor', '{ users(after: "x") { totalCount } }'],
      ['an unknown fragment', '{ ...Nothing }'],
      ['fragments in a circle', 'query { ...A } fragment A on Query { ...B } fragment B on Query { ...A }'],
      ['a variable that is not given', 'query ($id: ID!) { user(id: $id) { id } }'],
      ['two operations and no name', 'query A { __typename } query B { __typename }'],
      ['a subscription', 'subscription { requestMoneyStatusChanged { cursor } }'],
      ['a type system', 'type Query { a: Int }'],
      ['conflicting aliases', '{ a: users { totalCount } a: links { totalCount } }'],
      ['100,000 braces', '{'.repeat(100_000)],
      ['60 lists in each other', `{ users(after: ${'['.repeat(60)}${']'.repeat(60)}) { totalCount } }`],
      [
        '60 objects in each other, as a default',
        `query ($a: String = ${'{a:'.repeat(60)}1${'}'.repeat(60)}) { users(after: $a) { totalCount } }`,
      ],
      ['20,000 lists in each other', `{ users(after: ${'['.repeat(20_000)}) { totalCount } }`],
      [
        'an unknown value of an enum',
        'mutation { createLink(input: { flow: FLY, referenceId: "a" }) { link { id } } }',
      ],
      ['an unknown directive', '{ __typename @nothing }'],
    ])('answers %s with errors', async (_name, source) => {
      checkErrors(await query(source), [200, 400]);
    });

    test('answers more than 1 MiB with 413', async () => {
      checkErrors(await post(`{"query":"${' '.repeat(1024 * 1024)}"}`), [413]);
    });

    test.each(['text/plain', 'multipart/form-data; boundary=x', 'application/x-www-form-urlencoded'])(
      'takes no %s: a form of another site could send that',
      async (type) => {
        checkErrors(await post('{"query":"{ __typename }"}', { 'Content-Type': type }), [400, 415]);
      },
    );

    test('survives documents that are deep, wide or many at once', async () => {
      const wide = `{ ${Array.from({ length: 3_000 }, (_, n) => `a${n}: __typename`).join(' ')} }`;
      const answers = await Promise.all([
        query(nestedUser(100)),
        query(wide),
        ...Array.from({ length: 20 }, () => query(nestedUser(30))),
      ]);
      for (const answer of answers) {
        expect(answer.status).toBeLessThan(500);
        expect(answer.text).not.toContain('INTERNAL_SERVER_ERROR');
      }
    });

    test('answers null for an argument that needs a value with BAD_USER_INPUT', async () => {
      const { text } = await query('query ($id: ID = "a") { user(id: $id) { id } }', {
        variables: { id: null },
      });
      expect(JSON.parse(text).errors).toMatchObject([
        { path: ['user'], extensions: { code: 'BAD_USER_INPUT' } },
      ]);
    });

    test('finds nothing for ids that are operators of the store', async () => {
      const source =
        'query ($id: ID!) { user(id: $id) { id } operation(id: $id) { id } link(id: $id) { id } }';
      const answer = await queryGraph(exchange, source, { id: '{"$gt":""}' });
      expect(answer.data).toEqual({ user: null, operation: null, link: null });
    });
  });

  describe('GET /graphql', () => {
    const get = (search: string) =>
      exchange({ method: 'GET', path: `/graphql${search}`, headers: { 'X-API-Key': KEYS.acme } });

    test.each([
      ['nothing', ''],
      ['an empty query', '?query='],
      ['the query twice', '?query={__typename}&query={__typename}'],
      ['bad escapes', '?query=%zz'],
      ['variables that are no JSON', '?query={__typename}&variables={'],
      ['variables that are a list', '?query={__typename}&variables=[]'],
    ])('answers %s with errors', async (_name, search) => {
      checkErrors(await get(search), [200, 400]);
    });

    test('runs no mutation', async () => {
      const mutation = 'mutation{createLink(input:{flow:TRANSFER,referenceId:"x"}){link{id}}}';
      checkErrors(await get(`?query=${encodeURIComponent(mutation)}`), [405]);
      expect((await queryGraph(exchange, '{ links { totalCount } }')).data).toEqual({
        links: { totalCount: 0 },
      });
    });

    test.each(['PUT', 'DELETE', 'PATCH', 'OPTIONS'])('knows no %s', async (method) => {
      const response = await exchange({ method, path: '/graphql', headers: { 'X-API-Key': KEYS.acme } });
      checkErrors(response, [405]);
      expect(response.headers.allow).toBe('GET, HEAD, POST');
    });
  });

  /** Opens a socket, sends messages as soon as the one before is through, and waits for the close. */
  function speak(messages: readonly (string | Buffer)[], protocol = 'graphql-transport-ws'): Promise<number> {
    return new Promise((closed, failed) => {
      const socket = new WebSocket(`${server.url.replace('http', 'ws')}/graphql`, protocol);
      socket.on('open', () => {
        for (const message of messages) {
          socket.send(message);
        }
      });
      socket.on('close', closed);
      socket.on('error', failed);
    });
  }

  describe('The WebSocket', () => {
    test.each<[string, (string | Buffer)[], number]>([
      ['a message that is no JSON', ['hello'], 4400],
      ['a message without a type', ['{}'], 4400],
      ['a message with a key twice', ['{"type":"ping","type":"ping"}'], 4400],
      [
        'a greeting with a key twice',
        ['{"type":"connection_init","payload":{"api_key":"a","api_key":"b"}}'],
        4400,
      ],
      ['a message of an unknown type', ['{"type":"explode"}'], 4400],
      ['bytes', [Buffer.from([1, 2, 3])], 4400],
      ['a subscription before the greeting', [SUBSCRIBE], 4401],
      ['two greetings', [INIT, INIT], 4429],
      ['a message of more than 1 MiB', [INIT, 'x'.repeat(1024 * 1024 + 1)], 1009],
      ['a greeting that is a list', ['{"type":"connection_init","payload":[]}'], 4400],
    ])('closes on %s', async (_name, messages, code) => {
      expect(await speak(messages)).toBe(code);
    });

    test('closes on an id that is in use', async () => {
      const code = new Promise<number>((closed, failed) => {
        const socket = new WebSocket(`${server.url.replace('http', 'ws')}/graphql`, 'graphql-transport-ws');
        socket.on('open', () => socket.send(INIT));
        socket.on('message', () => {
          socket.send(SUBSCRIBE);
          socket.send(SUBSCRIBE);
        });
        socket.on('close', closed);
        socket.on('error', failed);
      });
      expect(await code).toBe(4409);
    });

    test('speaks no other protocol', async () => {
      const outcome = await speak([INIT], 'graphql-ws').catch((error: Error) => error.message);
      expect([4406, 'Server sent no subprotocol']).toContain(outcome);
    });

    test('is at no other path', async () => {
      const rejected = new Promise((_opened, failed) => {
        new WebSocket(`${server.url.replace('http', 'ws')}/elsewhere`, 'graphql-transport-ws').on(
          'error',
          failed,
        );
      });
      await expect(rejected).rejects.toThrow('404');
    });
  });

  test('After all that the same process runs and works, and it logged no internal error', async () => {
    expect(server.exit()).toBeUndefined();
    expect((await queryGraph(exchange, '{ users { totalCount } }')).data).toEqual({
      users: { totalCount: 0 },
    });
    expect(issuesIn(server.output())).toEqual([]);
  });
});
