import { gzipSync } from 'node:zlib';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { type Exchange, injectInto, type RawResponse } from '../support/http.ts';
import { moneyRequestBody, newReference } from '../support/money-requests.ts';
import { useScene } from '../support/scene.ts';
import { INTERNAL_KEY, KEYS } from '../support/seed.ts';
import { buildTestApp, type TestApp } from '../support/test-app.ts';

const scene = useScene();
let target: TestApp;
let exchange: Exchange;
beforeAll(async () => {
  const { env } = await scene.deploy();
  target = await buildTestApp(env);
  scene.atEnd(target.close);
  exchange = injectInto(target.app);
});

const text = expect.any(String);
type Method = 'POST' | 'PUT' | 'PATCH';
/** How a surface says what is wrong with a body that it has not read, and with one that it has read. */
type Shape = (status: number, message: unknown) => object;
const plain: Shape = (status, message) => ({ reason: status === 415 ? text : message });
const coded: Shape = (status, message) =>
  status === 415 ? { reason: text } : { reason: message, code: 'ERROR_REQUEST_MONEY_FULL' };
const document2: Shape = (status, message) =>
  status === 415
    ? { error: { code: 'UNSUPPORTED_MEDIA_TYPE', message: text } }
    : { message: text, details: [{ path: '', message }] };
const document3: Shape = (status, message) => ({
  success: false,
  error: {
    code: 'INVALID_REQUEST',
    message: text,
    details: [{ path: '', message: status === 415 ? text : message }],
  },
});

const CALLS: readonly [method: Method, path: string, status: number, shape: Shape, subject: string][] = [
  ['POST', '/v1/user/operations/request-money-full', 400, coded, 'The body '],
  ['POST', '/v1/user/register-v2', 400, coded, 'The body '],
  ['POST', '/v1/user/contacts/<user>', 400, plain, 'The body '],
  ['POST', '/v1/user/payment-methods/card/<user>', 400, plain, 'The body '],
  ['POST', '/v1/user/payment-methods/ubn/<user>', 400, plain, 'The body '],
  ['POST', '/v1/user/operations/request-money-v2/<user>', 400, plain, 'The body '],
  ['POST', '/v1/request-money', 422, document2, ''],
  ['PATCH', '/v1/internal/remittances/status', 422, document2, ''],
  ['PATCH', '/v1/internal/operations/none/status', 422, document2, ''],
  ['PATCH', '/v1/internal/users/none/cip', 422, document2, ''],
  ['POST', '/v1/internal/data-requests', 422, document2, ''],
  ['POST', '/partner/links', 400, document3, ''],
  ['POST', '/partner/cip/tickets', 400, document3, ''],
  ['PUT', '/partner/data-requests/none', 400, document3, ''],
  ['POST', '/partner/users/none/block', 400, document3, ''],
  ['POST', '/partner/pre-quote-lite', 400, document3, ''],
];

let userId: string | undefined;
async function registered(): Promise<string> {
  const body = JSON.stringify({
    phoneNumber: '+525512345699',
    firstName: 'Ana',
    lastName: 'Ruiz',
    address1: 'Reforma 1',
    countryCode: 'MX',
    city: 'A',
    state: 'CMX',
  });
  userId ??= String(JSON.parse((await send('POST', '/v1/user/register-v2', body)).text).userId);
  return userId;
}

async function send(
  method: Method,
  path: string,
  body: string | Buffer,
  headers: Record<string, string> = {},
): Promise<RawResponse> {
  const keys = { 'X-API-Key': KEYS.acme, api_key: KEYS.acme, 'X-Internal-Key': INTERNAL_KEY };
  const full = path.includes('<user>') ? path.replace('<user>', await registered()) : path;
  const type = { 'content-type': 'application/json' };
  return exchange({ method, path: full, headers: { ...keys, ...type, ...headers }, body });
}

describe.each(CALLS)('The body of %s %s', (method, path, status, shape, subject) => {
  test.each([
    ['gzip', gzipSync('{}')],
    ['deflate', Buffer.from('{}')],
    ['br', Buffer.from('{}')],
    ['identity, gzip', Buffer.from('{}')],
    ['x-unknown', Buffer.from('{}')],
  ])('is answered with 415 when it is encoded: %s', async (encoding, body) => {
    const answer = await send(method, path, body, { 'content-encoding': encoding });
    expect([answer.status, JSON.parse(answer.text)]).toEqual([415, shape(415, '')]);
    expect(answer.headers['content-type']).toBe('application/json');
    expect(answer.text).toContain('must not be encoded');
  });

  test('is answered with 415 when it is compressed for its transfer', async () => {
    const answer = await send(method, path, gzipSync('{}'), { 'transfer-encoding': 'gzip, chunked' });
    expect([answer.status, JSON.parse(answer.text)]).toEqual([415, shape(415, '')]);
  });

  test.each([
    ['{"a":1,"a":2}', 'has the key "a" more than once in an object'],
    ['{"b":[{"c":{"a":1,"\\u0061":1}}]}', 'has the key "a" more than once in an object'],
    ['{"4111111111111111":1,"4111111111111111":2}', 'has a key more than once in an object'],
    ['{"a":1', 'must be JSON, in UTF-8'],
    [Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]), 'must be JSON, in UTF-8'],
    [Buffer.from('{}', 'utf16le'), 'must be JSON, in UTF-8'],
    [gzipSync('{}'), 'must be JSON, in UTF-8'],
  ])('says what is wrong with it: %s', async (body, message) => {
    const answer = await send(method, path, body);
    expect([answer.status, JSON.parse(answer.text)]).toEqual([status, shape(status, subject + message)]);
  });

  test.each(['[]', '"{}"', '5', 'true'])('must be an object, and %s is none', async (body) => {
    const message = expect.stringMatching(/must be an? (JSON )?object$/);
    const answer = await send(method, path, body);
    expect([answer.status, JSON.parse(answer.text)]).toEqual([status, shape(status, message)]);
  });

  test('may say that it is not encoded', async () => {
    const headers = { 'content-encoding': 'Identity', 'transfer-encoding': 'Chunked' };
    expect((await send(method, path, '[]', headers)).status).toBe(status);
  });
});

describe('A create whose body is encoded', () => {
  const post = (key: string) =>
    exchange({
      method: 'POST',
      path: '/v1/request-money',
      headers: { 'X-API-Key': key, 'content-encoding': 'gzip' },
      body: gzipSync(JSON.stringify(moneyRequestBody(newReference()))),
    });

  test('sends the webhook of a failed create', async () => {
    const before = await target.connection
      .collection('webhookDeliveries')
      .countDocuments({ accountId: 'acme/sandbox' });
    expect((await post(KEYS.acme)).status).toBe(415);
    const after = await target.connection
      .collection('webhookDeliveries')
      .countDocuments({ accountId: 'acme/sandbox' });
    expect(after).toBe(before + 1);
  });

  test('is answered with 401 without a key, and with 403 without a scope', async () => {
    expect((await post('unknown')).status).toBe(401);
    expect((await post(KEYS.acmeBare)).status).toBe(403);
  });
});

describe('The body of POST /graphql', () => {
  const post = (body: string | Buffer, headers: Record<string, string> = {}) =>
    send('POST', '/graphql', body, headers);
  const failure = (code: string, message: string) => ({ errors: [{ message, extensions: { code } }] });

  test.each([
    ['content-encoding', 'gzip'],
    ['transfer-encoding', 'gzip, chunked'],
  ])('is answered with 415 when it is encoded: %s', async (name, value) => {
    const answer = await post(gzipSync('{"query":"{ __typename }"}'), { [name]: value });
    expect([answer.status, JSON.parse(answer.text)]).toEqual([
      415,
      failure(
        'UNSUPPORTED_MEDIA_TYPE',
        'The request body must not be encoded, such as with gzip: send it as it is.',
      ),
    ]);
  });

  test.each([
    ['{"query":"{ __typename }","query":"{ me { name } }"}', 'the key "query"'],
    ['{"query":"{ __typename }","variables":{"input":{"a":1,"a":2}}}', 'the key "a"'],
    ['{"query":"{ __typename }","extensions":{"a":[{"5555555555554444":1,"5555555555554444":1}]}}', 'a key'],
  ])('may have each key once: %s', async (body, key) => {
    const answer = await post(body);
    expect([answer.status, JSON.parse(answer.text)]).toEqual([
      400,
      failure('BAD_REQUEST', `The request body has ${key} more than once in an object.`),
    ]);
  });

  test.each([
    ['not JSON', '{"query":', 'The request body must be JSON.'],
    ['not UTF-8', Buffer.from([0x22, 0xff, 0x22]), 'The request body must be JSON, in UTF-8.'],
    ['a list', '[]', 'The request body must be a JSON object.'],
    [
      '__proto__',
      '{"query":"{ __typename }","variables":{"__proto__":{}}}',
      'The request body must be JSON.',
    ],
  ])('is rejected when it is %s', async (_what, body, message) => {
    const answer = await post(body);
    expect([answer.status, JSON.parse(answer.text)]).toEqual([400, failure('BAD_REQUEST', message)]);
  });

  test('of another charset is answered with 415', async () => {
    const headers = { 'content-type': 'application/json; charset=utf-16' };
    expect((await post('{"query":"{ __typename }"}', headers)).status).toBe(415);
  });

  test('variables of a URL may have each key once', async () => {
    const variables = encodeURIComponent('{"a":{"b":1,"b":2}}');
    const path = `/graphql?query={__typename}&variables=${variables}`;
    const answer = await exchange({ method: 'GET', path, headers: { 'X-API-Key': KEYS.acme } });
    expect([answer.status, JSON.parse(answer.text)]).toEqual([
      400,
      failure('BAD_REQUEST', '"variables" has the key "b" more than once in an object.'),
    ]);
  });
});
