import { beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { type Exchange, exchangeBytes, exchangeWith, type RawResponse } from '../support/http.ts';
import { createMoneyRequest, moneyRequestBody, newReference } from '../support/money-requests.ts';
import { useScene } from '../support/scene.ts';
import { INTERNAL_KEY, KEYS } from '../support/seed.ts';
import type { Server } from '../support/server.ts';
import { issuesIn } from '../support/server-process.ts';

const scene = useScene();
let server: Server;
let exchange: Exchange;
beforeAll(async () => {
  const deployment = await scene.deploy({ processes: true });
  server = await deployment.start();
  exchange = exchangeWith(server.url);
});

const text = expect.any(String);
/** Document 2's bodies, by status (decisions, section 3, "Error bodies"). */
const SHAPES: Readonly<Record<number, object>> = {
  401: { message: text },
  403: { error: { code: text, message: text } },
  404: { error: 'not_found', message: text },
  409: { error: { code: text, message: text } },
  413: { error: { code: 'PAYLOAD_TOO_LARGE', message: text } },
};
const INVALID = { message: text, details: expect.any(Array) };
const CODED = { message: text, details: [], error: { code: text } };

/** The common headers, and the documented shape of whatever status it is. */
function checkDocumented(response: RawResponse): void {
  expect(response.headers['content-type']).toBe('application/json');
  expect(response.headers['x-request-id']).toBeTruthy();
  const body = JSON.parse(response.text);
  if (response.status === 422) {
    expect(body).toEqual('error' in body ? CODED : INVALID);
  } else if (response.status >= 400) {
    expect([response.status, body]).toEqual([response.status, SHAPES[response.status]]);
  }
}

const JSON_TYPE = { 'Content-Type': 'application/json' };
const nested = (open: string, close: string, depth: number) => open.repeat(depth) + close.repeat(depth);

/** Bodies that are no good to anybody. */
const BODIES: readonly [name: string, body: string | Buffer][] = [
  ['nothing', ''],
  ['half an object', '{"referenceId":'],
  ['100,000 lists in each other', nested('[', ']', 100_000)],
  ['50,000 objects in each other', `${'{"a":'.repeat(50_000)}1${'}'.repeat(50_000)}`],
  ['lists that never end', '['.repeat(500_000)],
  ['bytes that are no UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d])],
  ['UTF-16', Buffer.from('{"referenceId":"AB12cd34"}', 'utf16le')],
  ['zero bytes', Buffer.alloc(1000)],
  ['a number of 100,000 digits', `{"amount":${'9'.repeat(100_000)}}`],
  ['an exponent beyond all bounds', '{"amount":1e999999999}'],
  ['prototypes', '{"__proto__":{"referenceId":"AB12cd34"},"constructor":{"prototype":{}}}'],
  ['operators of the store', '{"referenceId":{"$gt":""},"partnerId":{"$ne":null},"status":{"$in":[]}}'],
  ['the same key twice', '{"referenceId":"AB12cd34","referenceId":"ZZ12cd34"}'],
  ['NaN', '{"amount":NaN}'],
  ['a comment', '/* */{}'],
  ['100,000 keys', `{${Array.from({ length: 60_000 }, (_, n) => `"k${n}":${n}`).join(',')}}`],
];

describe.each([
  ['POST', '/v1/request-money', { 'X-API-Key': KEYS.acme }],
  ['PATCH', '/v1/internal/remittances/status', { 'X-Internal-Key': INTERNAL_KEY }],
])('%s %s', (method, path, keys) => {
  test.each(BODIES)('rejects %s with the documented 422', async (_name, body) => {
    const response = await exchange({ method, path, headers: { ...JSON_TYPE, ...keys }, body });
    expect(response.status).toBe(422);
    checkDocumented(response);
  });

  test('rejects more than 1 MiB that is announced', async () => {
    const headers = { ...JSON_TYPE, ...keys };
    const response = await exchange({ method, path, headers, body: 'x'.repeat(1024 * 1024 + 1) });
    expect(response.status).toBe(413);
    checkDocumented(response);
  });

  test('rejects more than 1 MiB that comes in chunks', async () => {
    const headers = { ...JSON_TYPE, ...keys, 'Transfer-Encoding': 'chunked' };
    const response = await exchange({ method, path, headers, body: ' '.repeat(1024 * 1024 + 1) });
    expect(response.status).toBe(413);
    checkDocumented(response);
  });

  test.each([
    'text/plain',
    'application/xml',
    'multipart/form-data; boundary=x',
    'x/y; charset=utf-16',
    '/',
    ';',
  ])('reads the text whatever content type it has: %s', async (type) => {
    const headers = { ...keys, 'Content-Type': type };
    const response = await exchange({ method, path, headers, body: '{}' });
    expect(response.status).toBe(422);
    checkDocumented(response);
  });
});

const { requestData } = moneyRequestBody('');
const withData = (changes: object) =>
  JSON.stringify(moneyRequestBody(newReference(), { requestData: { ...requestData, ...changes } }));

describe('POST /v1/request-money with strange but well-formed values', () => {
  test.each<[string, string, number[]]>([
    ['half a character in a name', withData({ name: { firstName: '\ud800', lastName: 'X' } }), [201, 422]],
    ['a zero character in a name', withData({ name: { firstName: 'a\u0000b', lastName: 'X' } }), [201, 422]],
    ['a zero character in a reference of a user', withData({ userReferenceId: 'a\u0000b' }), [201, 422]],
    [
      'a name that is a template',
      withData({ name: { firstName: '{link}{amount}$&', lastName: 'X' } }),
      [201],
    ],
    [
      'a last name that every object has',
      withData({ name: { firstName: 'A', lastName: 'toString' } }),
      [201],
    ],
    ['a last name __proto__', withData({ name: { firstName: 'A', lastName: '__proto__' } }), [201]],
    ['keys with dots and dollars', withData({ 'a.b': 1, $where: 'sleep(1)' }), [201]],
    [
      'right-to-left marks and emoji',
      withData({ name: { firstName: '\u200fAna 👩‍👩‍👧', lastName: 'X' } }),
      [201],
    ],
    ['an override of direction', withData({ name: { firstName: '\u202eAna', lastName: 'X' } }), [422]],
    ['a state named __proto__', withData({ address: { country: 'MX', state: '__proto__' } }), [422]],
    ['a payout method named constructor', withData({ payoutMethod: 'constructor' }), [422]],
    ['a user reference of 256 characters', withData({ userReferenceId: 'u'.repeat(256) }), [422]],
    ['a date of the year 0', withData({ dob: '0000-01-01' }), [201, 422]],
    ['an amount of 1E2', JSON.stringify(moneyRequestBody(newReference())).replace('1500.5', '1E2'), [201]],
    ['an amount of -0', JSON.stringify(moneyRequestBody(newReference())).replace('1500.5', '-0'), [422]],
    ['a byte order mark', `\ufeff${JSON.stringify(moneyRequestBody(newReference()))}`, [201, 422]],
  ])('%s', async (_name, body, statuses) => {
    const response = await createMoneyRequest(exchange, body);
    expect([response.text, statuses]).toEqual([text, expect.arrayContaining([response.status])]);
    checkDocumented(response);
  });

  test('whatever JSON stands in whatever place, the answer is a documented one', async () => {
    const paths = [
      'referenceId',
      'amount',
      'currency',
      'expiresInMinutes',
      'requestData',
      'requestData.name',
    ];
    const deeper = [
      'userReferenceId',
      'name.firstName',
      'address',
      'address.state',
      'payoutMethod',
      'bankAccount',
    ];
    const anyPath = fc.constantFrom(...paths, ...deeper.map((path) => `requestData.${path}`));
    await fc.assert(
      fc.asyncProperty(anyPath, fc.jsonValue({ maxDepth: 3 }), async (path, value) => {
        const body = structuredClone(moneyRequestBody(newReference())) as Record<string, unknown>;
        put(body, path.split('.'), value);
        const response = await createMoneyRequest(exchange, body);
        expect(response.status).toBeLessThan(500);
        checkDocumented(response);
      }),
      { numRuns: 150, interruptAfterTimeLimit: 15_000 },
    );
  });
});

function put(target: Record<string, unknown>, [key = '', ...rest]: readonly string[], value: unknown): void {
  if (rest.length === 0) {
    target[key] = value;
  } else {
    put(target[key] as Record<string, unknown>, rest, value);
  }
}

describe('Headers and paths', () => {
  const get = (path: string, headers: Record<string, string> = {}) =>
    exchange({ method: 'GET', path, headers: { 'X-API-Key': KEYS.acme, ...headers } });

  test.each([
    ['too long', 'x'.repeat(129)],
    ['with spaces', 'a b'],
    ['with quotes', '"x"'],
    ['not of ASCII', 'é'],
    ['empty', ''],
  ])('an x-request-id that is %s is not echoed', async (_name, id) => {
    const response = await get('/v1/request-money/AB12cd34', { 'X-Request-Id': id });
    expect(response.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
  });

  test.each([
    ['/v1/request-money/%'],
    ['/v1/request-money/%00'],
    ['/v1/request-money/%c0%af'],
    ['/v1/request-money/..%2f..%2fetc%2fpasswd'],
    ['/v1/request-money/../../etc/passwd'],
    ['/v1/request-money/AB12cd34%0d%0aX-Evil:1'],
    ['/v1/request-money/__proto__'],
    ['/v1/request-money/constructor'],
    ['/v1/request-money/{"$gt":""}'],
    [`/v1/request-money/${'a'.repeat(8_000)}`],
    ['//v1/request-money/AB12cd34'],
    ['/%2e%2e/%2e%2e'],
    ['/v1/%zz'],
    ['*'],
    ['http://other.test/v1/request-money/AB12cd34'],
  ])('GET %.80s is a documented 404', async (path) => {
    const response = await get(path);
    expect(response.status).toBe(404);
    checkDocumented(response);
  });

  test.each(['OPTIONS', 'PROPFIND', 'TRACE', 'SEARCH'])('%s is no method of any path', async (method) => {
    const response = await exchange({ method, path: '/v1/request-money/AB12cd34' });
    expect(response.status).toBe(404);
    expect(response.headers['x-request-id']).toBeTruthy();
  });

  test.each([
    ['a key of 10,000 characters', { 'X-API-Key': 'k'.repeat(10_000) }],
    ['a key not of ASCII', { 'X-API-Key': 'clé'.repeat(10) }],
    ['a key with a comma', { 'X-API-Key': `${KEYS.acme}, ${KEYS.acme}` }],
  ])('%s is an unknown key', async (_name, headers) => {
    const response = await exchange({ method: 'GET', path: '/v1/request-money/AB12cd34', headers });
    expect(response.status).toBe(401);
    checkDocumented(response);
  });

  test('an Idempotency-Key not of ASCII is a key like others', async () => {
    const body = moneyRequestBody(newReference());
    const idempotencyKey = `clé-${body.referenceId}`;
    const [first, second] = [
      await createMoneyRequest(exchange, body, { idempotencyKey }),
      await createMoneyRequest(exchange, body, { idempotencyKey }),
    ];
    expect([first.status, second.text]).toEqual([201, first.text]);
  });

  test('an offer to upgrade to HTTP/2 is declined, not rejected', async () => {
    const body = JSON.stringify(moneyRequestBody(newReference()));
    const head = [
      'POST /v1/request-money HTTP/1.1',
      'Host: x',
      'Connection: Upgrade, HTTP2-Settings',
      'Upgrade: h2c',
      'HTTP2-Settings: AAEAAEAAAAIAAAABAAMAAABkAAQBAAAAAAUAAEAA',
      'Content-Type: application/json',
      `X-API-Key: ${KEYS.acme}`,
      `Content-Length: ${Buffer.byteLength(body)}`,
    ];
    const answer = await exchangeBytes(server.url, `${head.join('\r\n')}\r\n\r\n${body}`);
    expect(answer.toString().split('\r\n')[0]).toBe('HTTP/1.1 201 Created');
  });
});

describe('Bytes that are no HTTP', () => {
  test.each([
    ['noise', Buffer.from([0, 1, 2, 3, 255, 254, 13, 10, 13, 10])],
    ['a TLS greeting', Buffer.from('160301020001000001fc0303', 'hex')],
    ['an unknown method', 'FROB / HTTP/1.1\r\nHost: x\r\n\r\n'],
    ['a header without a colon', 'GET / HTTP/1.1\r\nHost: x\r\nnonsense\r\n\r\n'],
    ['two lengths', 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nxx'],
    [
      'length and chunks',
      'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    ],
    ['bad chunks', 'POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n'],
    ['headers of 64 KiB', `GET / HTTP/1.1\r\nHost: x\r\nX-Big: ${'a'.repeat(65_536)}\r\n\r\n`],
  ])('%s: a 4xx with a request id, and the connection is closed', async (_name, bytes) => {
    const answer = (await exchangeBytes(server.url, bytes)).toString();
    expect(answer).toMatch(/^HTTP\/1\.1 4\d\d /);
    expect(answer.toLowerCase()).toMatch(/\r\nx-request-id: [0-9a-f-]{36}\r\n/);
    expect(answer.toLowerCase()).toContain('\r\nconnection: close\r\n');
  });

  test('half a request keeps nobody else waiting', async () => {
    const halves = Array.from({ length: 50 }, () =>
      exchangeBytes(
        server.url,
        'POST /v1/request-money HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n{',
        1_500,
      ),
    );
    expect((await createMoneyRequest(exchange, moneyRequestBody(newReference()))).status).toBe(201);
    await Promise.all(halves);
  });
});

test('After all that the same process runs and works, and it logged no internal error', async () => {
  expect(server.exit()).toBeUndefined();
  expect((await createMoneyRequest(exchange, moneyRequestBody(newReference()))).status).toBe(201);
  expect(issuesIn(server.output())).toEqual([]);
});
