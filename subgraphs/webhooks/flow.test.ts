import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { until } from '../../test/support/until.ts';
import { type Answer } from './testing.ts';
import { openTestBench, type TestBench, type TestEngine, testDelivery, times } from './testing-engine.ts';

/** On a slow machine an attempt must not run out of time: it would count as a failure. */
const PATIENT = { timeoutSeconds: 60 };
const MINUTE = 60_000;

describe('the flow of deliveries to an endpoint', () => {
  let bench: TestBench;
  beforeAll(async () => {
    bench = await openTestBench();
  });
  afterEach(() => bench.reset());
  afterAll(() => bench.close());

  const breakerOf = async (engine: TestEngine, url: string) => {
    const [health] = await engine.endpoints.health('acme/sandbox', [
      engine.endpoints.identify('acme/sandbox', url),
    ]);
    return health?.breaker;
  };

  test('a paused endpoint gets nothing, neither new ones nor retries, and holds up no other; resumed by any process it gets all without a sweep, longest due first', async () => {
    const webhooks = bench.start(PATIENT);
    const elsewhere = bench.start(PATIENT);
    let isDown = true;
    const receiver = await bench.receive({
      '/a': (_request, response) => response.writeHead(isDown ? 500 : 204).end(),
    });
    const [url, other] = [receiver.url('/a'), receiver.url('/b')];
    const [begun = ''] = await bench.enqueue(webhooks, testDelivery(url));
    await webhooks.run();
    isDown = false;
    const endpoint = webhooks.endpoints.identify('acme/sandbox', url);
    await bench.hold('pause', elsewhere, endpoint);
    webhooks.ahead = 2 * MINUTE;
    elsewhere.ahead = 2 * MINUTE;
    const waiting = [begun];
    for (let i = 0; i < 8; i += 1) {
      webhooks.ahead += 10;
      waiting.push(...(await bench.enqueue(webhooks, testDelivery(url))));
    }
    await bench.enqueue(webhooks, testDelivery(other));
    await webhooks.run();
    expect(receiver.to('/a')).toHaveLength(1);
    expect(receiver.to('/b')).toHaveLength(1);
    expect(await bench.stored(begun)).toMatchObject({ status: 'PENDING', attempt: 1, claims: 0 });

    elsewhere.ahead = webhooks.ahead + 1_000;
    await elsewhere.worker.stop();
    await bench.hold('resume', elsewhere, endpoint);
    await until('all delivered', () => webhooks.stats().delivered === 10);
    const order = receiver
      .to('/a')
      .slice(1)
      .map(({ headers }) => waiting.indexOf(String(headers['x-webhook-delivery-id'])));
    // The limit is small after a failure, so neighbours may swap, not more.
    for (const [index, place] of order.entries()) {
      expect(Math.abs(place - index)).toBeLessThanOrEqual(3);
    }
  });

  test('ten deliveries that fail open the breaker: new ones wait, begun ones are tried when they are due; the first success sends all', async () => {
    const webhooks = bench.start({ ...PATIENT, wake: true });
    let isDown = true;
    const receiver = await bench.receive({
      '/hook': (_request, response) => response.writeHead(isDown ? 503 : 204).end(),
    });
    const url = receiver.url('/hook');
    await bench.enqueue(webhooks, ...times(10, () => testDelivery(url)));
    await until('ten failures', () => webhooks.stats().retried === 10);
    await webhooks.run();
    expect(await breakerOf(webhooks, url)).toMatchObject({ state: 'OPEN', probeAt: expect.any(Date) });

    const [kept = ''] = await bench.enqueue(webhooks, ...times(20, () => testDelivery(url)));
    webhooks.ahead = 20_000;
    await webhooks.run();
    expect(receiver.requests).toHaveLength(10);
    expect(await bench.stored(kept)).toMatchObject({ status: 'PENDING', attempt: 0, claims: 0 });

    // One probe, of twenty.
    webhooks.ahead = 35_000;
    await webhooks.run();
    await until('the probe', () => webhooks.stats().retried === 11);
    await until('the verdict', async () => (await breakerOf(webhooks, url))?.state === 'OPEN');
    expect(receiver.requests).toHaveLength(11);

    // The retries of those that were begun, at their time.
    webhooks.ahead = MINUTE + 5_000;
    await webhooks.run();
    await until('ten retries', () => webhooks.stats().retried === 21);

    isDown = false;
    webhooks.ahead = 2 * MINUTE;
    await webhooks.run();
    await until('the kept ones', () => webhooks.stats().delivered >= 20);
    expect(await breakerOf(webhooks, url)).toMatchObject({ state: 'CLOSED', probeAt: null });
    expect(await bench.models.deliveries.countDocuments({ attempt: 0, status: 'PENDING' })).toBe(0);
  });

  test('where breakers are switched off none opens, and new deliveries go on being tried', async () => {
    const webhooks = bench.start({ ...PATIENT, breaker: false });
    const receiver = await bench.receive({
      '/hook': (_request, response) => response.writeHead(503).end(),
    });
    const url = receiver.url('/hook');
    await bench.enqueue(webhooks, ...times(10, () => testDelivery(url)));
    await webhooks.run();
    await until('ten failures', () => webhooks.stats().retried === 10);
    await webhooks.run();
    expect(await breakerOf(webhooks, url)).toMatchObject({ state: 'CLOSED', probeAt: null });
    await bench.enqueue(webhooks, testDelivery(url));
    await webhooks.run();
    await until('the eleventh', () => webhooks.stats().retried === 11);
  });

  test('one of several processes makes the probe', async () => {
    const engines = [bench.start(PATIENT), bench.start(PATIENT), bench.start(PATIENT)];
    const [first] = engines;
    const fail: Answer = (_request, response) => response.writeHead(500).end();
    const receiver = await bench.receive({ '/hook': fail });
    await bench.enqueue(first!, ...times(30, () => testDelivery(receiver.url('/hook'))));
    await first!.run();
    // The failures are written with the next look, and the others read them.
    await first!.run();
    const before = receiver.requests.length;
    expect(before).toBeGreaterThanOrEqual(10);
    await bench.enqueue(first!, ...times(5, () => testDelivery(receiver.url('/hook'))));
    await Promise.all(engines.map((engine) => engine.run()));
    expect(receiver.requests).toHaveLength(before);
    for (const engine of engines) {
      engine.ahead = 31_000;
    }
    await Promise.all(engines.map((engine) => engine.run()));
    await until('the probe', () => receiver.requests.length > before);
    await Promise.all(engines.map((engine) => engine.run()));
    expect(receiver.requests).toHaveLength(before + 1);
  });

  test('a process that dies with a probe does not keep the endpoint closed for ever', async () => {
    const webhooks = bench.start(PATIENT);
    const receiver = await bench.receive();
    const url = receiver.url('/hook');
    const endpoint = webhooks.endpoints.identify('acme/sandbox', url);
    const past = new Date(Date.now() - 1_000);
    await bench.models.endpointStates.create({
      _id: endpoint,
      accountId: 'acme/sandbox',
      holds: ['BREAKER'],
      breaker: { state: 'HALF_OPEN', since: past, probeAt: past, failedProbes: 3 },
    });
    await bench.enqueue(webhooks, ...times(3, () => testDelivery(url)));
    await webhooks.run();
    await until('all delivered', () => webhooks.stats().delivered === 3);
  });

  test('the health of an endpoint counts attempts by outcome', async () => {
    const webhooks = bench.start(PATIENT);
    let count = 0;
    const receiver = await bench.receive({
      '/hook': (_request, response) => {
        count += 1;
        response.writeHead(count > 3 ? 204 : 500).end();
      },
    });
    await bench.enqueue(webhooks, ...times(8, () => testDelivery(receiver.url('/hook'))));
    // Three failures make the limit small: how many runs it takes depends on which answers come first.
    const read = async () => (await webhooks.endpoints.health('acme/sandbox'))[0];
    await until('an attempt at each', async () => {
      await webhooks.run();
      return (await read())?.attempts.delivered === 5;
    });
    expect(await read()).toMatchObject({
      attempts: { delivered: 5, http_status: 3 },
      successRate: 5 / 8,
      p50Ms: expect.any(Number),
      p95Ms: expect.any(Number),
      lastError: { errorClass: 'http_status', statusCode: 500, at: expect.any(Date) },
      lastSuccessAt: expect.any(Date),
    });
  });
});
