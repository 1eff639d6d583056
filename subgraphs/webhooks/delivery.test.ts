import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { until } from '../../test/support/until.ts';
import { type Answer } from './testing.ts';
import { openTestBench, TEST_SECRET, type TestBench, testDelivery } from './testing-engine.ts';
import { verifyWebhook } from './verifiers/verify-webhook.ts';

const MINUTE = 60_000;
/** More than a sweep takes on a busy machine: the clock goes on meanwhile. */
const TOO_EARLY_MS = 10_000;
const fail: Answer = (_request, response) => response.writeHead(500).end('no');

describe('delivery rules', () => {
  let bench: TestBench;
  beforeAll(async () => {
    bench = await openTestBench();
  });
  afterEach(() => bench.reset());
  afterAll(() => bench.close());

  test('a 2xx ends it: signed, recorded, never sent again', async () => {
    const webhooks = bench.start();
    const receiver = await bench.receive({
      '/hook': (_request, response) => response.writeHead(201).end('ok'),
    });
    const [id = ''] = await bench.enqueue(webhooks, testDelivery(receiver.url('/hook')));
    await webhooks.run();
    const [request] = receiver.requests;
    expect(request?.body.toString()).toBe(testDelivery('').body);
    expect(request?.headers['x-webhook-delivery-id']).toBe(id);
    verifyWebhook({ scheme: 'request_money', ...request!, secrets: TEST_SECRET });

    webhooks.ahead = 48 * 60 * MINUTE;
    await webhooks.run();
    expect(receiver.requests).toHaveLength(1);
    expect(await bench.find(webhooks, id)).toMatchObject({
      status: 'DELIVERED',
      attempt: 1,
      nextAttemptAt: null,
      finishedAt: expect.any(Date),
      lastError: null,
      lastStatusCode: 201,
      body: testDelivery('').body,
    });
    expect(await bench.attempts(webhooks, id)).toEqual([
      {
        number: 1,
        at: expect.any(Date),
        signedAt: expect.any(Date),
        ms: expect.any(Number),
        statusCode: 201,
        errorClass: null,
        answer: 'ok',
        timing: {
          reused: false,
          dnsMs: null,
          connectMs: expect.any(Number),
          tlsMs: expect.any(Number),
          firstByteMs: expect.any(Number),
        },
      },
    ]);
    expect(bench.logged()).toMatch(/"reused":false,"connectMs":\d+,"tlsMs":\d+,.*"msg":"webhook.attempt"/);
  });

  test('five attempts after 1 min, 5 min, 30 min and 2 h, never early; then dead', async () => {
    const webhooks = bench.start();
    const receiver = await bench.receive({ '/hook': fail });
    const [id = ''] = await bench.enqueue(webhooks, testDelivery(receiver.url('/hook')));
    await webhooks.run();
    for (const [index, minutes] of [1, 5, 30, 120].entries()) {
      const { nextAttemptAt } = await bench.stored(id);
      const { at, ms } = (await bench.attempts(webhooks, id))[index]!;
      const delay = nextAttemptAt.getTime() - at.getTime();
      expect(delay).toBeGreaterThanOrEqual(minutes * MINUTE);
      expect(delay).toBeLessThan(minutes * MINUTE + ms + 30_000);
      webhooks.ahead = nextAttemptAt.getTime() - Date.now() - TOO_EARLY_MS;
      await webhooks.run();
      expect(receiver.requests).toHaveLength(index + 1);
      webhooks.ahead += TOO_EARLY_MS;
      await webhooks.run();
      expect(receiver.requests).toHaveLength(index + 2);
    }
    webhooks.ahead += 48 * 60 * MINUTE;
    await webhooks.run();
    expect(receiver.requests).toHaveLength(5);
    expect(await bench.find(webhooks, id)).toMatchObject({
      status: 'DEAD_LETTERED',
      attempt: 5,
      lastError: 'http_status',
      lastStatusCode: 500,
    });
    expect((await bench.attempts(webhooks, id)).map(({ number }) => number)).toEqual([1, 2, 3, 4, 5]);
    expect(webhooks.stats()).toMatchObject({ retried: 4, deadLettered: 1, delivered: 0 });

    expect(new Set(receiver.requests.map(({ body }) => body.toString())).size).toBe(1);
    const header = (name: string) => receiver.requests.map(({ headers }) => String(headers[name]));
    expect(new Set(header('x-webhook-delivery-id'))).toEqual(new Set([id]));
    const times = header('x-webhook-signature').map((value) => Number(/^t=(\d+),/.exec(value)?.[1]));
    expect(new Set(times).size).toBe(5);
    for (const [index, { headers, body }] of receiver.requests.entries()) {
      const now = new Date(times[index]! * 1000);
      verifyWebhook({ scheme: 'request_money', headers, body, secrets: TEST_SECRET, now });
    }
  });

  test('every kind of failure is tried again', async () => {
    // Time enough for a busy machine, but for the receiver that never answers.
    const webhooks = bench.start({ timeoutSeconds: 40 });
    const impatient = bench.start({ timeoutSeconds: 1 });
    const receiver = await bench.receive({
      '/500': fail,
      '/302': (_request, response) => response.writeHead(302, { location: '/ok' }).end(),
      '/silent': () => undefined,
    });
    const expected = {
      [receiver.url('/500')]: 'http_status',
      [receiver.url('/302')]: 'redirect',
      // As a host that does not exist: partners do not learn which addresses are forbidden.
      'https://10.0.0.1/hook': 'network',
      'https://nowhere.invalid/hook': 'network',
      [`https://127.0.0.2:${receiver.port}/`]: 'tls',
      'http://127.0.0.1/hook': 'bad_url',
    };
    const ids = await bench.enqueue(webhooks, ...Object.keys(expected).map((url) => testDelivery(url)));
    await webhooks.run();
    ids.push(...(await bench.enqueue(impatient, testDelivery(receiver.url('/silent')))));
    await impatient.run();
    const found = await Promise.all(ids.map((id) => bench.find(webhooks, id)));
    expect(found.map((one) => one?.lastError)).toEqual([
      // 127.0.0.2 is not in the certificate, or not listened on.
      ...Object.values(expected).map((errorClass) =>
        errorClass === 'tls' ? expect.stringMatching(/^(tls|network)$/) : errorClass,
      ),
      'timeout',
    ]);
    expect(found.map((one) => [one?.status, one?.attempt])).toEqual(ids.map(() => ['PENDING', 1]));
    expect(receiver.to('/ok')).toHaveLength(0);
  });

  test('a receiver that asks to wait longer is left alone that long, 12 hours at most; one that asks for less is not', async () => {
    const webhooks = bench.start();
    const inTwoHours = new Date(Date.now() + 120 * MINUTE).toUTCString();
    const busy = (status: number, retryAfter: string | readonly string[]): Answer => {
      return (_request, response) => response.setHeader('retry-after', retryAfter).writeHead(status).end();
    };
    const waits: [path: string, answer: Answer, minutes: number][] = [
      ['/429', busy(429, '600'), 10],
      ['/503', busy(503, inTwoHours), 120],
      ['/302', busy(302, '600'), 10],
      ['/less', busy(429, '3'), 1],
      ['/week', busy(503, '604800'), 720],
      ['/twice', busy(503, ['600', '900']), 1],
    ];
    const receiver = await bench.receive(Object.fromEntries(waits.map(([path, answer]) => [path, answer])));
    const ids = await bench.enqueue(webhooks, ...waits.map(([path]) => testDelivery(receiver.url(path))));
    await webhooks.run();
    const stored = await Promise.all(ids.map((id) => bench.stored(id)));
    const minutes = stored.map(({ nextAttemptAt }) => (nextAttemptAt.getTime() - Date.now()) / MINUTE);
    expect(minutes.map(Math.round)).toEqual(waits.map(([, , wait]) => wait));
  });

  test('retries of a second and sweeps of a second', async () => {
    const webhooks = bench.start({ retrySeconds: [1, 1, 1, 1] });
    let failures = 2;
    const receiver = await bench.receive({
      '/hook': (_request, response) => response.writeHead(failures-- > 0 ? 503 : 200).end(),
    });
    const [id = ''] = await bench.enqueue(webhooks, testDelivery(receiver.url('/hook')));
    const timer = setInterval(() => void webhooks.worker.sweep(), 250);
    bench.cleanUp(async () => clearInterval(timer));
    await until('delivered', async () => (await bench.stored(id)).status === 'DELIVERED');
    const [first, second, third] = receiver.requests.map(({ at }) => at);
    expect(second! - first!).toBeGreaterThanOrEqual(1000);
    expect(third! - second!).toBeGreaterThanOrEqual(1000);
    expect(receiver.requests).toHaveLength(3);
  });
});
