import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { until } from '../../test/support/until.ts';
import { CRASH_LOOP_CLAIMS } from '../runtime/work/attempt.ts';
import { openTestBench, type TestBench, testDelivery } from './testing-engine.ts';

describe('after crashes and stops', () => {
  let bench: TestBench;
  beforeAll(async () => {
    bench = await openTestBench();
  });
  afterEach(() => bench.reset());
  afterAll(() => bench.close());

  test('a crash between the answer and the record: sent again with the same id, counted once', async () => {
    const events = {
      append: () => {
        throw new Error('died');
      },
    };
    const dying = bench.start({}, { events });
    const receiver = await bench.receive();
    const [id = ''] = await bench.enqueue(bench.start(), testDelivery(receiver.url('/hook')));
    await dying.run();
    expect(dying.stats()).toMatchObject({ unrecorded: 1, delivered: 0 });
    expect(await bench.stored(id)).toMatchObject({ status: 'PENDING', attempt: 0, claims: 1 });

    const next = bench.start();
    await next.run();
    expect(receiver.requests).toHaveLength(1);
    next.ahead = 31_000;
    await next.run();
    expect(receiver.requests).toHaveLength(2);
    expect(receiver.requests[1]?.headers['x-webhook-delivery-id']).toBe(id);
    expect(receiver.requests[1]?.body).toEqual(receiver.requests[0]?.body);
    expect(await bench.stored(id)).toMatchObject({ status: 'DELIVERED', attempt: 1, claims: 0 });
    expect(await bench.attempts(next, id)).toHaveLength(1);
  });

  test('an outcome that comes after the lease was lost is rejected and counted', async () => {
    let answerFirst: () => void = () => undefined;
    const receiver = await bench.receive({
      '/hook': (_request, response) => {
        if (receiver.requests.length === 1) {
          answerFirst = () => response.writeHead(500).end();
        } else {
          response.writeHead(200).end();
        }
      },
    });
    const slow = bench.start();
    const [id = ''] = await bench.enqueue(slow, testDelivery(receiver.url('/hook')));
    await slow.worker.sweep();
    await until('the first request', () => receiver.requests.length === 1);
    const next = bench.start();
    next.ahead = 31_000;
    await next.run();
    const delivered = await bench.stored(id);
    answerFirst();
    await slow.idle();
    expect(slow.stats()).toMatchObject({ stale: 1, retried: 0 });
    expect(await bench.stored(id)).toEqual(delivered);
    expect(delivered).toMatchObject({ status: 'DELIVERED', attempt: 1, lastStatusCode: 200 });
    expect(await bench.attempts(next, id)).toHaveLength(1);
    expect(bench.logged()).toContain('webhook.lease_lost');
  });

  test('a delivery that was claimed twenty times without an outcome is dead-lettered unsent', async () => {
    const webhooks = bench.start();
    const receiver = await bench.receive();
    const [poison = '', last = ''] = await bench.enqueue(
      webhooks,
      testDelivery(receiver.url('/poison')),
      testDelivery(receiver.url('/last')),
    );
    const { deliveries } = bench.models;
    await deliveries.updateOne({ _id: poison }, { claims: CRASH_LOOP_CLAIMS });
    await deliveries.updateOne({ _id: last }, { claims: 19 });
    await webhooks.run();
    expect(receiver.requests.map(({ path }) => path)).toEqual(['/last']);
    expect(await bench.stored(poison)).toMatchObject({
      status: 'DEAD_LETTERED',
      lastError: 'poison',
      attempt: 0,
    });
    expect(webhooks.stats()).toMatchObject({ crashLooping: 1, deadLettered: 1, delivered: 1 });
  });

  test('a stop lets running attempts finish', async () => {
    const webhooks = bench.start({ stopGraceSeconds: 5 });
    const receiver = await bench.receive({
      '/slow': (_request, response) => {
        setTimeout(() => response.writeHead(200).end(), 300);
      },
    });
    const [id = ''] = await bench.enqueue(webhooks, testDelivery(receiver.url('/slow')));
    await webhooks.worker.sweep();
    await until('the request', () => receiver.requests.length === 1);
    await webhooks.worker.stop();
    expect(await bench.stored(id)).toMatchObject({ status: 'DELIVERED', attempt: 1 });
  });

  test('a delivery that a stop gives up is due again at once and not counted', async () => {
    const webhooks = bench.start({ stopGraceSeconds: 0.1 });
    const receiver = await bench.receive({
      '/hook': (_request, response) => {
        if (receiver.requests.length > 1) {
          response.writeHead(200).end();
        }
      },
    });
    const [id = ''] = await bench.enqueue(webhooks, testDelivery(receiver.url('/hook')));
    const before = await bench.stored(id);
    await webhooks.worker.sweep();
    await until('the request', () => receiver.requests.length === 1);
    await webhooks.worker.stop();
    expect(webhooks.stats()).toMatchObject({ released: 1, inFlight: 0 });
    expect(await bench.stored(id)).toEqual(before);
    await bench.start().run();
    expect(await bench.stored(id)).toMatchObject({ status: 'DELIVERED', attempt: 1 });
  });
});
