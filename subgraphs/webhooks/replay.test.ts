import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { until } from '../../test/support/until.ts';
import type { AccountId } from '../kernel/account.ts';
import { createTransactions } from '../kernel/database/transaction.ts';
import type { UnitOfWork } from '../kernel/database/unit-of-work.ts';
import type { NewEvent } from '../runtime/events/model.ts';
import type { Answer } from './testing.ts';
import { openTestBench, type TestBench, type TestEngine, testDelivery, times } from './testing-engine.ts';

const fail: Answer = (_request, response) => response.writeHead(500).end('no');

describe('sending again, and its events in the log', () => {
  let bench: TestBench;
  beforeAll(async () => {
    bench = await openTestBench();
  });
  afterEach(() => bench.reset());
  afterAll(() => bench.close());

  const moves = (events: readonly NewEvent[]) =>
    events.map(({ version, previousStatus, status, statusDetails }) => [
      version,
      previousStatus,
      status,
      ...(statusDetails === undefined ? [] : [statusDetails]),
    ]);

  /** A delivery that used up its two attempts, and what its receiver answers from now on. */
  async function deadLetter(webhooks: TestEngine) {
    const answers: Record<string, Answer> = { '/hook': fail };
    const receiver = await bench.receive(answers);
    const [id = ''] = await bench.enqueue(webhooks, testDelivery(receiver.url('/hook')));
    await webhooks.run();
    await webhooks.run();
    expect(await bench.stored(id)).toMatchObject({ status: 'DEAD_LETTERED', attempt: 2 });
    return { id, receiver, answer: (how: Answer) => Object.assign(answers, { '/hook': how }) };
  }
  const TWICE = { maxAttempts: 2, retrySeconds: [0], wake: false };

  test('a dead-lettered one is sent again with the same id and bytes, its attempts counted anew and all kept', async () => {
    const webhooks = bench.start(TWICE);
    const { id, receiver, answer } = await deadLetter(webhooks);
    answer((_request, response) => response.writeHead(200).end());

    const replayed = await webhooks.deliveries.replay('acme/sandbox', id);
    expect(replayed).toMatchObject({
      ok: true,
      value: { id, status: 'PENDING', attempt: 0, finishedAt: null, lastError: null, lastStatusCode: null },
    });
    await webhooks.run();
    expect(receiver.requests).toHaveLength(3);
    expect(new Set(receiver.requests.map(({ body }) => body.toString())).size).toBe(1);
    expect(new Set(receiver.requests.map(({ headers }) => headers['x-webhook-delivery-id']))).toEqual(
      new Set([id]),
    );
    expect(await bench.find(webhooks, id)).toMatchObject({ status: 'DELIVERED', attempt: 1 });
    const attempts = await bench.attempts(webhooks, id);
    expect(attempts.map(({ number, statusCode }) => [number, statusCode])).toEqual([
      [1, 500],
      [2, 500],
      [3, 200],
    ]);
    expect(moves(await bench.eventsOf(id))).toEqual([
      [1, null, 'PENDING'],
      [2, 'PENDING', 'DEAD_LETTERED', 'http_status'],
      [3, 'DEAD_LETTERED', 'PENDING'],
      [4, 'PENDING', 'DELIVERED'],
    ]);
  });

  test('a delivered one too, and it has all its attempts again', async () => {
    const webhooks = bench.start(TWICE);
    const { id, receiver, answer } = await deadLetter(webhooks);
    answer((_request, response) => response.writeHead(200).end());
    await webhooks.deliveries.replay('acme/sandbox', id);
    await webhooks.run();
    answer(fail);
    expect((await webhooks.deliveries.replay('acme/sandbox', id)).ok).toBe(true);
    await webhooks.run();
    expect(await bench.stored(id)).toMatchObject({ status: 'PENDING', attempt: 1, earlierAttempts: 3 });
    await webhooks.run();
    expect(await bench.stored(id)).toMatchObject({ status: 'DEAD_LETTERED', attempt: 2 });
    expect(receiver.requests).toHaveLength(5);
    expect((await bench.attempts(webhooks, id)).map(({ number }) => number)).toEqual([1, 2, 3, 4, 5]);
  });

  test('one that is due, or being tried, is not sent beside itself', async () => {
    const webhooks = bench.start(TWICE);
    let finish: () => void = () => undefined;
    const receiver = await bench.receive({
      '/hook': (_request, response) => {
        finish = () => response.writeHead(200).end();
      },
    });
    const [id = ''] = await bench.enqueue(webhooks, testDelivery(receiver.url('/hook')));
    const failed = { ok: false, failures: [{ code: 'WEBHOOK_DELIVERY_NOT_REPLAYABLE' }] };
    expect(await webhooks.deliveries.replay('acme/sandbox', id)).toMatchObject(failed);
    await webhooks.worker.sweep();
    await until('the request', () => receiver.requests.length === 1);
    const claimed = await bench.stored(id);
    expect(await webhooks.deliveries.replay('acme/sandbox', id)).toMatchObject(failed);
    expect(await bench.stored(id)).toEqual(claimed);
    finish();
    await webhooks.idle();
    expect(receiver.requests).toHaveLength(1);
    expect(moves(await bench.eventsOf(id))).toEqual([
      [1, null, 'PENDING'],
      [2, 'PENDING', 'DELIVERED'],
    ]);
  });

  test('when several calls come at once, one of them sends it, once', async () => {
    const webhooks = bench.start(TWICE);
    const { id, receiver, answer } = await deadLetter(webhooks);
    answer((_request, response) => response.writeHead(200).end());
    const other = bench.start(TWICE);
    const asked = await Promise.all(
      times(6, (index) => (index % 2 === 0 ? webhooks : other).deliveries.replay('acme/sandbox', id)),
    );
    expect(asked.filter(({ ok }) => ok)).toHaveLength(1);
    await Promise.all([webhooks.run(), other.run()]);
    expect(receiver.requests).toHaveLength(3);
    expect(await bench.stored(id)).toMatchObject({ status: 'DELIVERED', version: 4 });
  });

  test('a paused, unknown or foreign endpoint is not', async () => {
    const webhooks = bench.start(TWICE);
    const { id } = await deadLetter(webhooks);
    const codeOf = async (accountId: AccountId, deliveryId: string) => {
      const result = await webhooks.deliveries.replay(accountId, deliveryId);
      return result.ok ? 'replayed' : result.failures[0]?.code;
    };
    expect(await codeOf('globex/sandbox', id)).toBe('WEBHOOK_DELIVERY_NOT_FOUND');
    expect(await codeOf('acme/sandbox', 'nobody')).toBe('WEBHOOK_DELIVERY_NOT_FOUND');
    await bench.models.deliveries.updateOne({ _id: id }, { status: 'PAUSED' });
    expect(await codeOf('acme/sandbox', id)).toBe('WEBHOOK_DELIVERY_NOT_REPLAYABLE');
    expect(await bench.eventsOf(id)).toHaveLength(2);
  });

  test('the log gets the event in the transaction or not at all', async () => {
    const webhooks = bench.start(TWICE);
    const transaction = createTransactions(bench.store.connection);
    let stored: { _id: string }[] = [];
    const enqueue = (unit: UnitOfWork) => {
      stored = webhooks.queue.enqueue([testDelivery('https://hooks.acme.test/')], unit);
      return stored[0]?._id ?? '';
    };
    await expect(
      transaction((unit) => {
        enqueue(unit);
        throw new Error('changed my mind');
      }),
    ).rejects.toThrow('changed my mind');
    expect(await bench.eventsOf(stored[0]?._id ?? '')).toEqual([]);
    expect(await bench.eventsOf(await transaction(enqueue))).toHaveLength(1);
  });
});
