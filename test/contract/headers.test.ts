import { beforeAll, describe, expect, test } from '@jest/globals';
import { exchangeBytes, openConnection } from '../support/http.ts';
import { moneyRequestBody, newReference } from '../support/money-requests.ts';
import { useScene } from '../support/scene.ts';
import { INTERNAL_KEY, KEYS } from '../support/seed.ts';
import { buildTestApp } from '../support/test-app.ts';

const scene = useScene();
let url: string;
beforeAll(async () => {
  const { env } = await scene.deploy();
  const target = await buildTestApp(env);
  scene.atEnd(target.close);
  url = await target.app.listen({ host: '127.0.0.1', port: 0 });
});

type Header = readonly [name: string, value: string];

interface Answer {
  readonly status: number;
  readonly head: string;
  readonly body: string;
}

/** Sends exactly these header lines. */
async function send(call: string, headers: readonly Header[], body = '', version = '1.1'): Promise<Answer> {
  const lines = [
    `${call} HTTP/${version}`,
    ...headers.map(([name, value]) => `${name}: ${value}`),
    `content-length: ${Buffer.byteLength(body)}`,
    'connection: close',
  ];
  const connection = await openConnection(url);
  connection.write(`${lines.join('\r\n')}\r\n\r\n${body}`);
  await connection.closed;
  const [head = '', ...rest] = connection.received().split('\r\n\r\n');
  return { status: Number(head.slice(9, 12)), head, body: rest.join('\r\n\r\n') };
}

const HOST: Header = ['Host', 'api.acme.test'];
const acme = (name = 'X-API-Key'): Header => [name, KEYS.acme];
const globex = (name = 'X-API-Key'): Header => [name, KEYS.globex];
const CALLS = [
  ['GET /v1/request-money/AB12cd34', 404],
  ['GET /v1/user/operations/detail/none', 404],
  ['GET /partner/me', 200],
  ['GET /graphql?query={__typename}', 200],
  ['GET /exports/users.csv', 200],
] as const;

describe.each(CALLS)('A key that is sent twice: %s', (call, status) => {
  test.each(['X-API-Key', 'api_key'])('counts once as %s with the same value', async (name) => {
    const { status: got } = await send(call, [HOST, acme(name), acme(name.toLowerCase())]);
    expect(got).toBe(status);
    const both = [HOST, acme('X-API-Key'), acme('api_key'), acme('X-Api-Key'), acme('API_KEY')];
    expect((await send(call, both)).status).toBe(status);
  });

  test.each(['X-API-Key', 'api_key'])('answers 401 to %s with different values', async (name) => {
    expect((await send(call, [HOST, acme(name), globex(name)])).status).toBe(401);
    expect((await send(call, [HOST, acme(name), acme(name), [name, '']])).status).toBe(401);
    expect((await send(call, [HOST, acme('X-API-Key'), acme('api_key'), globex(name)])).status).toBe(401);
  });
});

describe('X-Internal-Key that is sent twice', () => {
  const call = 'POST /v1/internal/links/lnk_unknown/open';
  const key: Header = ['X-Internal-Key', INTERNAL_KEY];

  test('counts once with the same value', async () => {
    expect((await send(call, [HOST, key, key])).status).toBe(404);
  });

  test('answers 401 with different values', async () => {
    expect((await send(call, [HOST, key, ['X-Internal-Key', 'other']])).status).toBe(401);
  });
});

describe('Idempotency-Key that is sent twice', () => {
  const create = (body: object, ...keys: string[]) =>
    send(
      'POST /v1/request-money',
      [HOST, acme(), ...keys.map((key): Header => ['Idempotency-Key', key])],
      JSON.stringify(body),
    );

  test('counts once with the same value: a retry with one header gets the same bytes', async () => {
    const [body, key] = [moneyRequestBody(newReference()), newReference()];
    const first = await create(body, key, key);
    expect(first.status).toBe(201);
    for (const keys of [[key], [key, key, key]]) {
      const { status, body: bytes } = await create(body, ...keys);
      expect([status, bytes]).toEqual([201, first.body]);
    }
    expect((await create(body, `${key}, ${key}`)).status).toBe(409);
  });

  test('answers 422 with its path with different values, and stores nothing', async () => {
    const reference = newReference();
    const { status, body } = await create(moneyRequestBody(reference), 'one', 'two');
    expect([status, JSON.parse(body)]).toEqual([
      422,
      {
        message: expect.any(String),
        details: [{ path: 'Idempotency-Key', message: 'must be one value of 1 to 255 characters' }],
      },
    ]);
    expect((await send(`GET /v1/request-money/${reference}`, [HOST, acme()])).status).toBe(404);
  });

  test('keeps a comma in one value', async () => {
    const [body, key] = [moneyRequestBody(newReference()), `${newReference()}, b`];
    const first = await create(body, key);
    expect((await create(body, key)).body).toBe(first.body);
  });
});

describe('Other headers that are sent twice', () => {
  const query = JSON.stringify({ query: '{ __typename }' });
  const json: Header = ['Content-Type', 'application/json'];
  const post = (...headers: Header[]) => send('POST /graphql', [HOST, acme(), ...headers], query);

  test('x-request-id counts once with the same value, and is made anew with different ones', async () => {
    const same = await post(json, ['x-request-id', 'one'], ['X-Request-Id', 'one']);
    expect(same.head).toMatch(/^x-request-id: one$/im);
    const different = await post(json, ['x-request-id', 'one'], ['x-request-id', 'two']);
    expect(different.head).toMatch(/^x-request-id: [0-9a-f-]{36}$/im);
  });

  test('Content-Type counts once with the same value, and answers 415 with different ones', async () => {
    expect((await post(json, json)).status).toBe(200);
    expect((await post(json, ['Content-Type', 'text/plain'])).status).toBe(415);
  });

  test('Authorization for somebody else does not matter beside a key', async () => {
    const others: Header[] = [
      ['Authorization', 'Basic YTpi'],
      ['Authorization', 'Bearer of-a-proxy'],
    ];
    expect((await post(json, ...others)).status).toBe(200);
    const tokens: Header[] = [
      ['Authorization', 'Basic YTpi'],
      ['Authorization', 'Bearer raas_browser_unknown'],
    ];
    expect((await post(json, ...tokens)).status).toBe(401);
  });
});

describe('Host', () => {
  const text = expect.any(String);
  const HTTP_ERROR = { error: { code: 'BAD_REQUEST', message: text } };
  const GRAPHQL_ERROR = { errors: [{ message: text, extensions: { code: 'BAD_REQUEST' } }] };
  const PARTNER_ERROR = {
    success: false,
    error: { code: 'INVALID_REQUEST', message: text, details: [{ path: '', message: text }] },
  };
  const SHAPES = [
    ['POST /v1/user/operations/request-money-full', { reason: text, code: 'ERROR_REQUEST_MONEY_FULL' }],
    ['GET /v1/user/operations/detail/none', { reason: text }],
    ['POST /v1/request-money', HTTP_ERROR],
    ['PATCH /v1/internal/remittances/status', HTTP_ERROR],
    ['GET /partner/me', PARTNER_ERROR],
    ['GET /partner/unknown', PARTNER_ERROR],
    ['POST /graphql', GRAPHQL_ERROR],
    ['GET /health/live', HTTP_ERROR],
    ['GET /unknown', HTTP_ERROR],
  ] as const;

  test.each(SHAPES)(
    'answers 400 in the shape of the surface unless there is one: %s',
    async (call, shape) => {
      const wrong: Header[][] = [
        [],
        [HOST, HOST],
        [HOST, ['host', 'evil.test']],
        [['Host', 'a.test, b.test']],
        [['Host', 'a.test/b']],
        [['Host', 'user@a.test']],
      ];
      for (const hosts of wrong) {
        const { status, head, body } = await send(call, [...hosts, acme(), acme('api_key')], '{}');
        expect([hosts, status, JSON.parse(body)]).toEqual([hosts, 400, shape]);
        expect(head).toMatch(/^x-request-id: \S+$/im);
        expect(head).toMatch(/^content-type: application\/json/im);
      }
    },
  );

  test('may be any name or address, and is not needed by HTTP/1.0', async () => {
    for (const host of ['localhost', 'a_b:4000', '127.0.0.1:80', '[::1]:4000', 'api.acme.test:65535', '']) {
      expect([host, (await send('GET /health/live', [['Host', host]])).status]).toEqual([host, 200]);
    }
    expect((await send('GET /health/live', [], '', '1.0')).status).toBe(200);
  });

  test('is checked before a socket is opened', async () => {
    for (const hosts of [[], [HOST, HOST]]) {
      const { status, body } = await handshake(hosts);
      expect([status, JSON.parse(body)]).toEqual([400, GRAPHQL_ERROR]);
    }
    expect(String(await exchangeBytes(url, `${handshakeBytes([HOST])}\r\n\r\n`))).toMatch(/^HTTP\/1\.1 101 /);
  });
});

describe('A WebSocket handshake that is not valid', () => {
  test.each([
    ['has no key', { 'sec-websocket-key': undefined }],
    ['has an invalid key', { 'sec-websocket-key': 'x' }],
    ['has an unknown version', { 'sec-websocket-version': '99' }],
    ['has an invalid list of protocols', { 'sec-websocket-protocol': ',' }],
  ])('gets a GraphQL error, an id and no-store where it %s', async (_what, fields) => {
    const { status, head, body } = await handshake([HOST, ['X-Request-Id', 'handshake-1']], fields);
    const error = { message: expect.stringContaining('Sec-WebSocket'), extensions: { code: 'BAD_REQUEST' } };
    expect([status, JSON.parse(body)]).toEqual([400, { errors: [error] }]);
    expect(head).toMatch(/^content-type: application\/json$/im);
    expect(head).toMatch(/^cache-control: no-store$/im);
    expect(head).toMatch(/^x-request-id: handshake-1$/im);
  });

  test('is a call like any other where its method is POST', async () => {
    const { status, body } = await send(
      'POST /graphql',
      [
        HOST,
        acme(),
        ['connection', 'upgrade'],
        ['upgrade', 'websocket'],
        ['content-type', 'application/json'],
      ],
      '{"query":"{ __typename }"}',
    );
    expect(status).toBe(200);
    expect(JSON.parse(body)).toMatchObject({ data: { __typename: 'Query' } });
  });
});

/** The bytes of a handshake, without the empty line at their end. */
function handshakeBytes(
  headers: readonly Header[],
  fields: Readonly<Record<string, string | undefined>> = {},
): string {
  const all = {
    connection: 'upgrade',
    upgrade: 'websocket',
    'sec-websocket-version': '13',
    'sec-websocket-key': 'AAAAAAAAAAAAAAAAAAAAAA==',
    'sec-websocket-protocol': 'graphql-transport-ws',
    ...fields,
  };
  const sent = Object.entries(all).filter(([, value]) => value !== undefined);
  return ['GET /graphql HTTP/1.1', ...[...headers, ...sent].map(([name, value]) => `${name}: ${value}`)].join(
    '\r\n',
  );
}

/** Sends a handshake that is rejected. */
async function handshake(
  headers: readonly Header[],
  fields?: Readonly<Record<string, string | undefined>>,
): Promise<Answer> {
  const connection = await openConnection(url);
  connection.write(`${handshakeBytes(headers, fields)}\r\n\r\n`);
  await connection.closed;
  const [head = '', ...rest] = connection.received().split('\r\n\r\n');
  return { status: Number(head.slice(9, 12)), head, body: rest.join('\r\n\r\n') };
}
