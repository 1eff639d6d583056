import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { atomicBodyOf, newAtomicCall } from '../support/atomic-calls.ts';
import { type Exchange, exchangeWith } from '../support/http.ts';
import {
  createMoneyRequest,
  lookUp,
  moneyRequestBody,
  newReference,
  queryGraph,
} from '../support/money-requests.ts';
import { useScene } from '../support/scene.ts';
import { INTERNAL_KEY, KEYS } from '../support/seed.ts';
import type { Server } from '../support/server.ts';
import { type StoreProxy, startStoreProxy } from '../support/store-proxy.ts';
import { takeTime } from '../support/ticks.ts';
import { until } from '../support/until.ts';

const scene = useScene();
let server: Server;
let store: StoreProxy;
let exchange: Exchange;
beforeAll(async () => {
  store = await startStoreProxy(`remitgraph_e2e_${process.pid}_${randomBytes(6).toString('hex')}`);
  scene.atEnd(store.close);
  const deployment = await scene.deploy({ env: { MONGODB_URI: store.uri } });
  server = await deployment.start();
  exchange = exchangeWith(server.url);
});

const message = expect.any(String);
const json = { 'Content-Type': 'application/json' };
type Call = readonly [
  name: string,
  method: string,
  path: string,
  headers: Record<string, string>,
  body: object | undefined,
  shape: object,
];
const PLAIN = { reason: message };
const DOCUMENT_2 = { error: { code: 'SERVICE_UNAVAILABLE', message } };
const ENVELOPE = { success: false, error: { code: 'SERVICE_UNAVAILABLE', message, details: null } };
const ACME = { accountId: 'acme/sandbox' as const, key: KEYS.acme };
const CALLS: readonly Call[] = [
  ['detail', 'GET', '/v1/user/operations/detail/none', { api_key: KEYS.acme }, undefined, PLAIN],
  ['an unknown key', 'GET', '/v1/user/operations/detail/none', { api_key: 'unknown' }, undefined, PLAIN],
  // Well-formed, so that it needs the store even where its key and its limit do not.
  [
    'the atomic call',
    'POST',
    '/v1/user/operations/request-money-full',
    { api_key: KEYS.acme },
    atomicBodyOf(newAtomicCall({ caller: ACME, method: 'account', requester: 'Ruiz', payer: 'Roe' })),
    PLAIN,
  ],
  [
    'create',
    'POST',
    '/v1/request-money',
    { 'X-API-Key': KEYS.acme },
    moneyRequestBody(newReference()),
    DOCUMENT_2,
  ],
  ['lookup', 'GET', '/v1/request-money/AB12cd34', { 'X-API-Key': KEYS.acme }, undefined, DOCUMENT_2],
  [
    'an internal call',
    'PATCH',
    '/v1/internal/remittances/status',
    { 'X-Internal-Key': INTERNAL_KEY },
    { partnerId: 'acme', referenceId: 'AB12cd34', status: 'processing' },
    DOCUMENT_2,
  ],
  ['links', 'GET', '/partner/links', { 'X-API-Key': KEYS.acme }, undefined, ENVELOPE],
  [
    'a new link',
    'POST',
    '/partner/links',
    { 'X-API-Key': KEYS.acme },
    { flow: 'transfer', referenceId: 'r' },
    ENVELOPE,
  ],
];

/** The contract's 5 s. */
const SOON_SECONDS = 5;

async function call([name, method, path, headers, body, shape]: Call) {
  const [response, seconds] = await takeTime(() =>
    exchange({
      method,
      path,
      headers: { ...json, ...headers },
      ...(body && { body: JSON.stringify(body) }),
    }),
  );
  return { name, response, shape, inTime: seconds < SOON_SECONDS };
}

describe.each([
  ['hangs', () => store.hang()],
  ['is killed', () => store.cut()],
])('A store that %s', (_name, goAway) => {
  test('has every call answered 503 within 5 s, and is taken up again when it is back', async () => {
    // Keys and limits are known by now; at the next calls they are not fresh any more.
    expect((await lookUp(exchange, 'AB12cd34')).status).toBe(404);
    // On their way to the store when it goes: some are answered still, no other way than those that come later.
    const underWay = Promise.all([...CALLS, ...CALLS, ...CALLS].map(call));
    await delay(5);
    goAway();
    const answers = await Promise.all(CALLS.map(call));
    for (const { name, response, shape } of await underWay) {
      if (response.status >= 500) {
        expect([name, response.status, JSON.parse(response.text)]).toEqual([name, 503, shape]);
      }
    }
    for (const { name, response, shape, inTime } of answers) {
      const { status, text, headers } = response;
      expect([name, status, JSON.parse(text), headers['retry-after'], inTime]).toEqual([
        name,
        503,
        shape,
        '5',
        true,
      ]);
      expect(headers['content-type']).toBe('application/json');
    }
    const ready = await exchange({ method: 'GET', path: '/health/ready' });
    expect(ready.status).toBe(503);
    const rejected = await queryGraph(exchange, '{ links { totalCount } }', {}, 'unknown');
    expect(rejected).toMatchObject({
      status: 503,
      errors: [{ extensions: { code: 'SERVICE_UNAVAILABLE' } }],
    });

    store.restore();
    const referenceId = newReference();
    await until(
      'a create',
      async () => (await createMoneyRequest(exchange, moneyRequestBody(referenceId))).status === 201,
    );
    expect((await lookUp(exchange, referenceId)).status).toBe(200);
    expect((await exchange({ method: 'GET', path: '/health/ready' })).status).toBe(200);
    expect(server.exit()).toBeUndefined();
  });
});
