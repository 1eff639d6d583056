import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import mongoose from 'mongoose';
import { until } from '../../test/support/until.ts';
import { type Answer } from './testing.ts';
import { openTestBench, type TestBench, testDelivery, times } from './testing-engine.ts';

/** On a slow machine an attempt must not run out of time: it would come again in a minute. */
const PATIENT = { timeoutSeconds: 100 };

/** Until the next reset claims take longer than attempts: all that run may end while the next claim looks. */
function slowDownFinds({ models, cleanUp }: TestBench, ms: number): void {
  const { prototype } = (models.deliveries as unknown as { Query: typeof mongoose.Query }).Query;
  const { exec } = prototype;
  prototype.exec = async function slow(this: mongoose.Query<unknown, unknown>) {
    await new Promise((resolve) => setTimeout(resolve, ms));
    return exec.call(this);
  } as typeof exec;
  cleanUp(() => {
    prototype.exec = exec;
  });
}

describe('worker', () => {
  let bench: TestBench;
  beforeAll(async () => {
    bench = await openTestBench();
  });
  afterEach(() => bench.reset());
  afterAll(() => bench.close());

  test('a stored delivery is sent without a sweep; where that is off, only a sweep does it', async () => {
    const receiver = await bench.receive();
    const woken = bench.start({ wake: true });
    const [first = ''] = await bench.enqueue(woken, testDelivery(receiver.url('/woken')));
    await until('the woken delivery', () => receiver.to('/woken').length === 1);
    await until('its record', async () => (await bench.stored(first)).status === 'DELIVERED');

    const quiet = bench.start({ wake: false });
    await bench.enqueue(quiet, testDelivery(receiver.url('/quiet')));
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect(receiver.to('/quiet')).toHaveLength(0);
    await quiet.run();
    expect(receiver.to('/quiet')).toHaveLength(1);
  });

  test('all stored deliveries are sent without a sweep, more than may run at once', async () => {
    const webhooks = bench.start({ ...PATIENT, wake: true });
    const receiver = await bench.receive();
    await bench.enqueue(
      webhooks,
      ...times(80, (i) => testDelivery(receiver.url(`/${i % 30}`), { accountId: `t${i % 10}/sandbox` })),
    );
    await until('all delivered', () => webhooks.stats().delivered === 80);
    expect(receiver.requests).toHaveLength(80);
    expect(await bench.models.deliveries.countDocuments({ leaseToken: { $exists: true } })).toBe(0);
  });

  test('after its stop it sends nothing', async () => {
    const receiver = await bench.receive();
    const webhooks = bench.start({ wake: true });
    await webhooks.worker.stop();
    await bench.enqueue(webhooks, testDelivery(receiver.url('/')));
    await webhooks.run();
    expect(receiver.requests).toHaveLength(0);
  });

  test("a receiver that hangs holds up neither another tenant nor its tenant's other receivers", async () => {
    const webhooks = bench.start();
    let waiting = 0;
    let most = 0;
    const receiver = await bench.receive({
      '/hang': (_request, response) => {
        waiting += 1;
        most = Math.max(most, waiting);
        response.on('close', () => {
          waiting -= 1;
        });
      },
    });
    const hang = testDelivery(receiver.url('/hang'));
    await bench.enqueue(webhooks, ...times(100, () => hang));
    await webhooks.worker.sweep();
    await bench.enqueue(
      webhooks,
      ...times(40, () => testDelivery(receiver.url('/good'), { accountId: 'globex/sandbox' as const })),
      ...times(10, () => testDelivery(receiver.url('/other'))),
    );
    await webhooks.worker.sweep();
    await until('the others', () => webhooks.stats().delivered === 50);
    expect(most).toBe(5);
    expect(waiting).toBe(5);
  });

  test('a tenant with many hanging receivers gets a quarter of what may run at once', async () => {
    const webhooks = bench.start();
    const receiver = await bench.receive(
      Object.fromEntries(times(20, (i): [string, Answer] => [`/hang${i}`, () => undefined])),
    );
    await bench.enqueue(
      webhooks,
      ...times(100, (i) => testDelivery(receiver.url(`/hang${i % 20}`))),
      testDelivery(receiver.url('/good'), { accountId: 'globex/sandbox' as const }),
    );
    await webhooks.worker.sweep();
    await until('the other tenant', () => webhooks.stats().delivered === 1);
    expect(webhooks.stats().inFlight).toBe(64);
  });

  test('a sweep drains more than may run at once, oldest first', async () => {
    const webhooks = bench.start();
    const receiver = await bench.receive();
    const ids: string[] = [];
    for (let i = 0; i < 4; i += 1) {
      webhooks.ahead = i;
      ids.push(...(await bench.enqueue(webhooks, ...times(20, () => testDelivery(receiver.url('/one'))))));
    }
    await webhooks.worker.sweep();
    await until('all delivered', () => webhooks.stats().delivered === 80);
    const order = receiver.requests.map(({ headers }) =>
      ids.indexOf(String(headers['x-webhook-delivery-id'])),
    );
    const batches = order.map((position) => Math.floor(position / 20));
    // With five at once, arrivals may swap with their neighbours at the edge of a batch, not more.
    for (const [index, batch] of batches.entries()) {
      expect(Math.abs(batch - Math.floor(index / 20))).toBeLessThanOrEqual(1);
    }
    expect(new Set(order).size).toBe(80);
  });

  test('hundreds that are due at one receiver are all sent, without another sweep', async () => {
    const webhooks = bench.start(PATIENT);
    const receiver = await bench.receive();
    slowDownFinds(bench, 30);
    const due = times(200, () => testDelivery(receiver.url('/one')));
    await bench.enqueue(webhooks, ...due);
    await webhooks.worker.sweep();
    await until('all delivered', () => webhooks.stats().delivered === 200);
    expect(receiver.to('/one')).toHaveLength(200);
  });

  test('two workers on two connections send each delivery once', async () => {
    const second = await mongoose
      .createConnection(bench.store.uri, { autoCreate: false, autoIndex: false })
      .asPromise();
    bench.cleanUp(() => second.close());
    const workers = [bench.start(PATIENT), bench.start(PATIENT, { connection: second })];
    const receiver = await bench.receive();
    await bench.enqueue(
      workers[0]!,
      ...times(80, (i) => testDelivery(receiver.url(`/${i % 20}`), { accountId: `t${i % 7}/sandbox` })),
    );
    await Promise.all(workers.map((worker) => worker.worker.sweep()));
    const total = () => workers.reduce((sum, worker) => sum + worker.stats().delivered, 0);
    await until('all delivered', () => total() === 80);
    await Promise.all(workers.map((worker) => worker.run()));
    expect(receiver.requests).toHaveLength(80);
    expect(new Set(receiver.requests.map(({ headers }) => headers['x-webhook-delivery-id'])).size).toBe(80);
    expect(workers.map((worker) => worker.stats().stale + worker.stats().unrecorded)).toEqual([0, 0]);
  });

  test('a paused delivery waits', async () => {
    const webhooks = bench.start();
    const receiver = await bench.receive();
    const [id = ''] = await bench.enqueue(webhooks, testDelivery(receiver.url('/')));
    const { deliveries } = bench.models;
    await deliveries.updateOne({ _id: id }, { status: 'PAUSED' });
    await webhooks.run();
    expect(receiver.requests).toHaveLength(0);
    await deliveries.updateOne({ _id: id }, { status: 'PENDING' });
    await webhooks.run();
    expect(receiver.requests).toHaveLength(1);
  });
});
