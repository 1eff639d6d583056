import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { until } from '../../test/support/until.ts';
import type { Result } from '../kernel/errors/result.ts';
import { unknownEndpoint } from './endpoint-state.ts';
import type { Answer } from './testing.ts';
import { openTestBench, type TestBench, type TestEngine, testDelivery, times } from './testing-engine.ts';

const ACME = 'acme/sandbox';
const fails: Answer = (_request, response) => response.writeHead(500).end();

describe('sending a waiting webhook now', () => {
  let bench: TestBench;
  beforeAll(async () => {
    bench = await openTestBench();
  });
  afterEach(() => bench.reset());
  afterAll(() => bench.close());

  const codeOf = (result: Result<unknown>) => (result.ok ? 'ok' : result.failures[0]?.code);
  /** A delivery that failed once and waits a minute. */
  async function failOnce(engine: TestEngine, fields: Parameters<typeof testDelivery>[1] = {}) {
    const answers: Record<string, Answer> = { '/hook': fails };
    const receiver = await bench.receive(answers);
    const [id = ''] = await bench.enqueue(engine, testDelivery(receiver.url('/hook'), fields));
    await engine.run();
    expect(await bench.stored(id)).toMatchObject({ status: 'PENDING', attempt: 1 });
    return { id, receiver, recover: () => delete answers['/hook'] };
  }

  test('makes its next attempt, which counts as one of the schedule', async () => {
    const engine = bench.start();
    const { id, receiver, recover } = await failOnce(engine);
    await engine.run();
    expect(receiver.requests).toHaveLength(1);
    expect(codeOf(await engine.deliveries.sendNow(ACME, id))).toBe('ok');
    await engine.run();
    const failed = await bench.stored(id);
    expect([receiver.requests.length, failed.attempt]).toEqual([2, 2]);
    // The second delay of the schedule is five minutes.
    expect(failed.nextAttemptAt.getTime() - Date.now()).toBeGreaterThan(4 * 60_000);
    recover();
    expect(await engine.deliveries.sendNow(ACME, id)).toMatchObject({ value: { status: 'PENDING' } });
    await engine.run();
    expect(await bench.find(engine, id)).toMatchObject({ status: 'DELIVERED', attempt: 3 });
  });

  test('needs no sweep in a process that sends at once', async () => {
    const engine = bench.start({ wake: true });
    const { id, recover } = await failOnce(engine);
    recover();
    await engine.deliveries.sendNow(ACME, id);
    await until('the delivery', async () => (await bench.stored(id)).status === 'DELIVERED');
  });

  test('posts it once, however many ask at once while two workers look for work', async () => {
    const engine = bench.start({ wake: true });
    const other = bench.start({ wake: true });
    const { id, receiver, recover } = await failOnce(engine);
    recover();
    const asked = times(6, (index) => (index % 2 ? engine : other).deliveries.sendNow(ACME, id));
    const sweeps = [engine.worker.sweep(), other.worker.sweep()];
    const codes = (await Promise.all(asked)).map(codeOf);
    await Promise.all(sweeps);
    await until('the delivery', async () => (await bench.stored(id)).status === 'DELIVERED');
    expect(codes).toContain('ok');
    expect(codes.every((code) => code === 'ok' || code === 'WEBHOOK_DELIVERY_NOT_WAITING')).toBe(true);
    expect(receiver.requests).toHaveLength(2);
  });

  test('is refused for one that is over, being tried or unknown, and for another account', async () => {
    const engine = bench.start();
    let finish: () => void = () => undefined;
    const receiver = await bench.receive({
      '/hook': (_request, response) => {
        finish = () => response.writeHead(204).end();
      },
    });
    const [id = ''] = await bench.enqueue(engine, testDelivery(receiver.url('/hook')));
    await engine.worker.sweep();
    await until('the request', () => receiver.requests.length === 1);
    const claimed = await bench.stored(id);
    expect(codeOf(await engine.deliveries.sendNow(ACME, id))).toBe('WEBHOOK_DELIVERY_NOT_WAITING');
    expect(await bench.stored(id)).toEqual(claimed);
    finish();
    await engine.idle();
    expect(codeOf(await engine.deliveries.sendNow(ACME, id))).toBe('WEBHOOK_DELIVERY_NOT_WAITING');
    for (const accountId of ['acme/live', 'globex/sandbox'] as const) {
      expect(codeOf(await engine.deliveries.sendNow(accountId, id))).toBe('WEBHOOK_DELIVERY_NOT_FOUND');
    }
    expect(codeOf(await engine.deliveries.sendNow(ACME, 'none'))).toBe('WEBHOOK_DELIVERY_NOT_FOUND');
  });

  test('is refused for one that waits for an earlier one of its entity, which stays first', async () => {
    const engine = bench.start();
    const { id, receiver, recover } = await failOnce(engine, { entity: 'reference|1' });
    const next = testDelivery(receiver.url('/hook'), { entity: 'reference|1' });
    const [second = ''] = await bench.enqueue(engine, next);
    expect(codeOf(await engine.deliveries.sendNow(ACME, second))).toBe('WEBHOOK_DELIVERY_NOT_WAITING');
    recover();
    await engine.deliveries.sendNow(ACME, id);
    await engine.run();
    await engine.run();
    expect(receiver.requests.map(({ headers }) => headers['x-webhook-delivery-id'])).toEqual([
      id,
      id,
      second,
    ]);
  });

  test('is refused while its endpoint is paused', async () => {
    const engine = bench.start();
    const { id, receiver } = await failOnce(engine);
    const { endpoint } = await bench.stored(id);
    await bench.hold('pause', engine, endpoint);
    expect(codeOf(await engine.deliveries.sendNow(ACME, id))).toBe('WEBHOOK_ENDPOINT_HELD');
    await bench.hold('resume', engine, endpoint);
    expect(codeOf(await engine.deliveries.sendNow(ACME, id))).toBe('ok');
    await engine.run();
    expect(receiver.requests).toHaveLength(2);
  });

  test('works for a retry while the breaker is open, and is refused for one that was never tried', async () => {
    const engine = bench.start();
    const { id, receiver, recover } = await failOnce(engine);
    const { endpoint } = await bench.stored(id);
    const [fresh = ''] = await bench.enqueue(engine, testDelivery(receiver.url('/hook')));
    const now = new Date();
    const probeAt = new Date(now.getTime() + 60_000);
    await bench.models.endpointStates.updateOne(
      { _id: endpoint },
      {
        $set: { holds: ['BREAKER'], breaker: { state: 'OPEN', since: now, probeAt, failedProbes: 0 } },
        $setOnInsert: { accountId: unknownEndpoint(ACME, now).accountId },
      },
      { upsert: true },
    );
    await engine.worker.sweep();
    const refused = await engine.deliveries.sendNow(ACME, fresh);
    expect(refused).toMatchObject({
      failures: [{ code: 'WEBHOOK_ENDPOINT_HELD', message: expect.stringContaining(probeAt.toISOString()) }],
    });
    recover();
    expect(codeOf(await engine.deliveries.sendNow(ACME, id))).toBe('ok');
    await engine.run();
    expect(await bench.find(engine, id)).toMatchObject({ status: 'DELIVERED' });
  });
});
