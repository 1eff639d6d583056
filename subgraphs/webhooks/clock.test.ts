import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { findUnserved, recordQueries } from '../../test/support/query-shapes.ts';
import { until } from '../../test/support/until.ts';
import { maskHeaders } from './masked-headers.ts';
import { NOT_DUE } from './model.ts';
import type { Answer } from './testing.ts';
import { openTestBench, type TestBench, type TestEngine, testDelivery, times } from './testing-engine.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
/** As many as one endpoint may have under way: one sweep sends them all. */
const COUNT = 5;
const fail: Answer = (_request, response) => response.writeHead(500).end();

/** The documented settings, with more time than a busy machine takes. */
const PATIENT = { timeoutSeconds: 100 };

describe('clocks that are set, and clocks that differ', () => {
  let bench: TestBench;
  beforeAll(async () => {
    bench = await openTestBench();
  });
  afterEach(() => bench.reset());
  afterAll(() => bench.close());

  const attempts = async (ids: readonly string[]) =>
    Promise.all(ids.map(async (id) => (await bench.stored(id)).attempt));
  const all = (value: number) => times(COUNT, () => value);
  const enqueue = (engine: TestEngine, url: string) =>
    bench.enqueue(engine, ...times(COUNT, () => testDelivery(url)));

  test('set forth by 12 hours, each delivery has one attempt early, and the next is as far away as ever', async () => {
    const engine = bench.start(PATIENT);
    const receiver = await bench.receive({ '/hook': fail });
    const ids = await enqueue(engine, receiver.url('/hook'));
    await engine.run();
    engine.ahead = 12 * HOUR;
    for (const _sweep of times(3, () => undefined)) {
      await engine.run();
    }
    expect(await attempts(ids)).toEqual(all(2));
    engine.ahead += 4 * MINUTE;
    await engine.run();
    expect(await attempts(ids)).toEqual(all(2));
    engine.ahead += 2 * MINUTE;
    await engine.run();
    expect(await attempts(ids)).toEqual(all(3));
    expect(receiver.requests).toHaveLength(3 * COUNT);
  });

  test('set back by 5 hours, nothing is sent before its time, what is new is sent at once, and nothing is lost', async () => {
    const engine = bench.start(PATIENT);
    const receiver = await bench.receive({ '/hook': fail });
    const ids = await enqueue(engine, receiver.url('/hook'));
    await engine.run();
    engine.ahead = -5 * HOUR;
    await enqueue(engine, receiver.url('/new'));
    for (const _sweep of times(3, () => undefined)) {
      await engine.run();
    }
    expect(receiver.to('/new')).toHaveLength(COUNT);
    expect(await attempts(ids)).toEqual(all(1));
    engine.ahead = 2 * MINUTE;
    await engine.run();
    expect(await attempts(ids)).toEqual(all(2));
    expect(receiver.to('/hook')).toHaveLength(2 * COUNT);
  });

  test('a process whose clock is 3 hours ahead takes what another one is at: what that one finds out is rejected and counted', async () => {
    const held: (() => void)[] = [];
    const seen = new Set<unknown>();
    const receiver = await bench.receive({
      '/hook': ({ headers }, response) => {
        const id = headers['x-webhook-delivery-id'];
        if (seen.has(id)) {
          response.writeHead(204).end();
        } else {
          seen.add(id);
          held.push(() => response.writeHead(500).end());
        }
      },
    });
    const right = bench.start(PATIENT);
    const ids = await enqueue(right, receiver.url('/hook'));
    await right.worker.sweep();
    await until('all attempts are under way', () => held.length === COUNT);
    const fast = bench.start(PATIENT);
    fast.ahead = 3 * HOUR;
    await fast.worker.sweep();
    const delivered = () => bench.models.deliveries.countDocuments({ status: 'DELIVERED' });
    await until('the other has delivered them', async () => (await delivered()) === COUNT);
    for (const letGo of held) {
      letGo();
    }
    await until('both at rest', () => right.stats().inFlight + fast.stats().inFlight === 0);
    expect(right.stats()).toMatchObject({ stale: COUNT, retried: 0, unrecorded: 0 });
    expect(await delivered()).toBe(COUNT);
    expect(await attempts(ids)).toEqual(all(1));
    expect(await bench.models.attempts.countDocuments()).toBe(COUNT);
  });

  test('a process whose clock is 3 hours behind takes nothing early, and floods nobody', async () => {
    const receiver = await bench.receive({ '/hook': fail });
    const right = bench.start(PATIENT);
    const slow = bench.start(PATIENT);
    slow.ahead = -3 * HOUR;
    const ids = [...(await enqueue(right, receiver.url('/hook')))];
    await right.run();
    await slow.run();
    expect(await attempts(ids)).toEqual(all(1));
    // Its own are due at once, and after a failure once more by the right clock; then as documented.
    const own = await enqueue(slow, receiver.url('/hook'));
    await slow.run();
    for (const _sweep of times(3, () => undefined)) {
      await right.run();
      await slow.run();
    }
    expect(await attempts(own)).toEqual(all(2));
    expect(await attempts(ids)).toEqual(all(1));
    expect(receiver.requests).toHaveLength(3 * COUNT);
  });

  test('of a sandbox is ahead: an attempt is shown at that time, with the real time that its signature has', async () => {
    const DAY = 24 * HOUR;
    const engine = bench.start(PATIENT, {
      clocks: {
        accountClock: () => new Date(Date.now() + DAY),
        aheadMs: () => DAY,
        listExpired: () => [{ at: new Date() }],
      },
    });
    const receiver = await bench.receive();
    const [id = ''] = await bench.enqueue(engine, testDelivery(receiver.url('/hook')));
    await engine.run();
    const [attempt] = await bench.attempts(engine, id);
    expect(attempt!.at.getTime()).toBeGreaterThan(Date.now() + DAY - HOUR);
    const sent = String(receiver.requests[0]?.headers['x-webhook-signature']);
    expect(maskHeaders((await bench.find(engine, id))!, attempt!.signedAt)).toContain(
      `X-Webhook-Signature: ${sent.replace(/v1=.*/, 'v1=****')}`,
    );
  });

  test('of the machine is wrong: nothing is claimed, not even what is new; right again, it is sent', async () => {
    const receiver = await bench.receive({});
    let isRight = false;
    const engine = bench.start({ ...PATIENT, wake: true }, { isClockRight: () => isRight });
    const ids = await enqueue(engine, receiver.url('/hook'));
    await engine.run();
    expect([await attempts(ids), receiver.requests.length]).toEqual([all(0), 0]);
    expect((await bench.stored(String(ids[0]))).leaseToken).toBeUndefined();
    isRight = true;
    await engine.run();
    expect(await attempts(ids)).toEqual(all(1));
  });

  test('due times that a clock has set which was an hour ahead are brought back to their schedule', async () => {
    const receiver = await bench.receive({ '/hook': fail });
    const engine = bench.start(PATIENT);
    engine.ahead = HOUR;
    const ids = await enqueue(engine, receiver.url('/hook'));
    const fresh = await enqueue(engine, receiver.url('/new'));
    await engine.run();
    const hour = new Date(Date.now() + HOUR);
    const unsent = { $set: { status: 'PENDING', attempt: 0, nextAttemptAt: hour }, $unset: { waitMs: 1 } };
    for (const _id of fresh) {
      await bench.models.deliveries.updateOne({ _id }, unsent);
    }
    engine.ahead = 0;
    const queries = recordQueries(bench.store.connection);
    expect(await engine.bringBack()).toBe(2 * COUNT);
    expect(findUnserved(bench.store.connection, queries)).toEqual([]);
    const now = Date.now();
    const inMs = (await bench.stored(String(ids[0]))).nextAttemptAt.getTime() - now;
    expect(inMs).toBeGreaterThan(50_000);
    expect(inMs).toBeLessThanOrEqual(MINUTE);
    expect((await bench.stored(String(fresh[0]))).nextAttemptAt.getTime()).toBeLessThanOrEqual(now);
    expect(await engine.bringBack()).toBe(0);
  });

  test("a delivery that waits at its receiver's request, or for another one, is left where it is", async () => {
    const busy: Answer = (_request, response) => response.writeHead(503, { 'retry-after': '7200' }).end();
    const receiver = await bench.receive({ '/hook': busy });
    const engine = bench.start(PATIENT);
    const ids = await enqueue(engine, receiver.url('/hook'));
    await engine.run();
    await bench.models.deliveries.updateOne(
      { _id: String(ids[0]) },
      { after: 'another', nextAttemptAt: NOT_DUE },
    );
    expect(await engine.bringBack()).toBe(0);
  });
});
