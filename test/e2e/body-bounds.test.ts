import { beforeAll, describe, expect, test } from '@jest/globals';
import type { FastifyInstance } from 'fastify';
import type { Connection } from 'mongoose';
import { useScene } from '../support/scene.ts';
import { INTERNAL_KEY, KEYS } from '../support/seed.ts';
import { buildTestApp } from '../support/test-app.ts';

const scene = useScene();
let app: FastifyInstance;
let connection: Connection;
beforeAll(async () => {
  const { env } = await scene.deploy();
  const built = await buildTestApp(env);
  scene.atEnd(built.close);
  ({ app, connection } = built);
});

const MOST_CHARACTERS = 1_000_000;
/** Twenty-one issues with paths of our own take less; so does one path of the caller's. */
const LONGEST_ANSWER = 40_000;

/** As often as a body of almost 1 MiB holds it. */
function fill(unit: string, head: string, tail: string): string {
  const times = Math.floor((MOST_CHARACTERS - head.length - tail.length) / unit.length);
  return `${head}${unit.repeat(times)}${tail}`;
}

const SHAPES: readonly [name: string, body: string][] = [
  ['330,000 values', fill('1, ', '{"a":[', '1]}')],
  ['100,000 properties', fill('"k":{},', '{', '"z":1}')],
  ['38,000 issues', fill('{"recipientReferenceId":1},', '{"a":[', '1]}')],
  ['330,000 wrong members', fill('1, ', '{"partnerId":"acme","linkId":"x","fields":[', '1]}')],
  ['500,000 levels that close', '['.repeat(MOST_CHARACTERS / 2) + ']'.repeat(MOST_CHARACTERS / 2)],
  ['170,000 levels that do not', fill('{"a":', '', '')],
];

const CALLS = [
  ['POST', '/v1/user/operations/request-money-full', 400],
  ['POST', '/v1/user/operations/request-money-v2/nobody', 404],
  ['POST', '/v1/user/register-v2', 400],
  ['POST', '/v1/user/contacts/nobody', 404],
  ['POST', '/v1/user/payment-methods/card/nobody', 404],
  ['POST', '/v1/user/payment-methods/ubn/nobody', 404],
  ['POST', '/v1/request-money', 422],
  ['POST', '/partner/links', 400],
  ['POST', '/partner/cip/tickets', 400],
  ['PUT', '/partner/data-requests/none', 400],
  ['POST', '/partner/users/nobody/block', 400],
  ['POST', '/partner/pre-quote-lite', 400],
  ['PATCH', '/v1/internal/remittances/status', 422],
  ['PATCH', '/v1/internal/operations/none/status', 422],
  ['PATCH', '/v1/internal/users/nobody/cip', 422],
  ['POST', '/v1/internal/data-requests', 422],
] as const;

function send(method: 'POST' | 'PUT' | 'PATCH', url: string, payload: string, key: string = KEYS.soylent) {
  const headers = { api_key: key, 'x-api-key': key, 'x-internal-key': INTERNAL_KEY };
  return app.inject({ method, url, payload, headers });
}

describe('A body of 1 MiB', () => {
  // Unread, whatever it holds: nothing in it is looked at, nothing of it is answered or stored.
  test.each(SHAPES)('of %s is rejected unread by every call', async (_name, body) => {
    for (const [method, url, status] of CALLS) {
      const answer = await send(method, url, body);
      expect([url, answer.statusCode]).toEqual([url, status]);
      expect(answer.body.length).toBeLessThan(500);
    }
  });

  test('says why it is not read', async () => {
    const answer = await send('POST', '/v1/request-money', fill('1, ', '{"a":[', '1]}'));
    expect(answer.json().details).toEqual([
      { path: '', message: 'must have at most 20000 values and 256 levels' },
    ]);
    const registered = await send('POST', '/v1/user/register-v2', fill('1, ', '{"a":[', '1]}'));
    expect(registered.json().reason).toBe('The body must have at most 20000 values and 256 levels');
  });

  test('of texts is not answered with them', async () => {
    const long = 'x'.repeat(150_000);
    const body = JSON.stringify({
      [long]: { [long]: { recipientReferenceId: long } },
      partnerId: 'acme',
      referenceId: long,
      requestData: { [long]: long },
    });
    for (const [method, url] of CALLS) {
      const answer = await send(method, url, body);
      expect([url, [400, 404, 422].includes(answer.statusCode)]).toEqual([url, true]);
      expect(answer.body.length).toBeLessThan(2_000);
    }
  });
});

describe('Of many issues', () => {
  const wrong = (times: number) => `[${Array(times).fill('{"recipientReferenceId":1}').join(',')}]`;

  test('document 2 names 20, and says how many more there are', async () => {
    // Five of the body's own: referenceId, amount, currency and requestData are missing, payoutMethod is not known then.
    const answer = await send('POST', '/v1/request-money', `{"a":${wrong(6_000)}}`);
    const { details } = answer.json();
    expect(details).toHaveLength(21);
    expect(details[0]).toEqual({ path: 'referenceId', message: 'is required' });
    expect(details[4]).toEqual({ path: 'a.0.recipientReferenceId', message: 'must not be sent' });
    expect(details[20]).toEqual({ path: '', message: 'and 5984 more that are left out' });
    expect(answer.body.length).toBeLessThan(LONGEST_ANSWER);
  });

  test('exactly 20 are all named', async () => {
    const { details } = (await send('POST', '/v1/request-money', `{"a":${wrong(16)}}`)).json();
    expect(details).toHaveLength(20);
    expect(details[19].path).toBe('a.15.recipientReferenceId');
  });

  test('long names of properties are cut in each of them', async () => {
    const key = 'k'.repeat(400_000);
    const answer = await send('POST', '/v1/request-money', `{"${key}":${wrong(6_000)}}`);
    expect(answer.json().details[4].path).toMatch(/^k{63}….0.recipientReferenceId$/);
    const deep = `${`{"${'d'.repeat(10_000)}":`.repeat(50)}${wrong(1)}${'}'.repeat(50)}`;
    const cut = await send('POST', '/v1/request-money', deep);
    expect(cut.body.length).toBeLessThan(LONGEST_ANSWER);
  });

  test('unknown properties are named in the same way', async () => {
    const many = Object.fromEntries(Array.from({ length: 9_000 }, (_, at) => [`p${at}`, 1]));
    const known = {
      phoneNumber: '+525512345678',
      firstName: 'Ana',
      lastName: 'Ruiz',
      address1: 'Reforma 1',
      countryCode: 'MX',
      city: 'CDMX',
      state: 'CMX',
    };
    const { reason } = (
      await send('POST', '/v1/user/register-v2', JSON.stringify({ ...known, ...many }))
    ).json();
    expect(reason).toMatch(/^The body has unknown properties: p0, .*, p19 and 8980 more$/);
  });

  test('an internal list of fields is not looked through', async () => {
    const fields = Array(10_000).fill('x');
    const body = JSON.stringify({ partnerId: 'acme', linkId: 'l', fields });
    const { details } = (await send('POST', '/v1/internal/data-requests', body)).json();
    expect(details).toEqual([{ path: 'fields', message: 'must name at most 100 fields' }]);
  });

  test('the events of such failures are small', async () => {
    const reference = 'r'.repeat(300_000);
    const body = `{"partnerId":"soylent","referenceId":"${reference}","a":${wrong(6_000)}}`;
    await send('POST', '/v1/request-money', body);
    await send('PATCH', '/v1/internal/remittances/status', body);
    const stored = await connection
      .collection('webhookDeliveries')
      .find({ accountId: 'soylent/sandbox' }, { promoteBuffers: true })
      .toArray();
    expect(stored.length).toBeGreaterThanOrEqual(3);
    expect(Math.max(...stored.map((delivery) => delivery.body.length))).toBeLessThan(1_000);
  });
});

test('A query of 15,000 characters names each of its parameters once', async () => {
  const headers = { 'x-api-key': KEYS.acme };
  const repeated = `page=${'9'.repeat(20)}x&`.repeat(500);
  const answer = await app.inject({ url: `/partner/links?${repeated}limit=0`, headers });
  const { details } = answer.json().error;
  expect(details.map(({ path }: { path: string }) => path)).toEqual(['page', 'limit']);
  expect(answer.body.length).toBeLessThan(500);
});
