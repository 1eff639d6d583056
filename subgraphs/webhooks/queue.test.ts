import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { createTransactions } from '../kernel/database/transaction.ts';
import { type Answer } from './testing.ts';
import { openTestBench, type TestBench, testDelivery } from './testing-engine.ts';

const fail: Answer = (_request, response) => response.writeHead(500).end('no');

describe('the records and reports', () => {
  let bench: TestBench;
  beforeAll(async () => {
    bench = await openTestBench();
  });
  afterEach(() => bench.reset());
  afterAll(() => bench.close());

  test('is stored with the transaction or not at all, sealed', async () => {
    const webhooks = bench.start();
    const url = 'https://hooks.acme.test/very-secret-path';
    await expect(
      createTransactions(bench.store.connection)(async (unit) => {
        await webhooks.queue.enqueue([testDelivery(url)], unit);
        throw new Error('changed my mind');
      }),
    ).rejects.toThrow('changed my mind');
    expect(await bench.models.deliveries.countDocuments()).toBe(0);
    expect(await bench.enqueue(webhooks)).toEqual([]);

    const [id = ''] = await bench.enqueue(webhooks, testDelivery(url));
    const raw = await bench.store.connection
      .collection<{ _id: string }>('webhookDeliveries')
      .findOne({ _id: id }, { promoteBuffers: true });
    const everything = Object.values(raw ?? {})
      .map((value: unknown) => (Buffer.isBuffer(value) ? value.toString('latin1') : String(value)))
      .join('|');
    expect(everything).toContain('operation_created');
    expect(everything).not.toMatch(/very-secret-path|whsec_acme|Ana/);
  });

  test("answers another tenant's id like an unknown one", async () => {
    const webhooks = bench.start();
    const receiver = await bench.receive({ '/hook': fail });
    const [id = ''] = await bench.enqueue(webhooks, testDelivery(receiver.url('/hook')));
    await webhooks.run();
    expect(await bench.find(webhooks, id, 'globex/sandbox')).toBeUndefined();
    expect(await bench.attempts(webhooks, id, 'globex/sandbox')).toEqual([]);
    expect(await bench.attempts(webhooks, id)).toHaveLength(1);
  });

  test('the log has each attempt, and no URL, secret or body', async () => {
    const webhooks = bench.start();
    const receiver = await bench.receive({ '/hook': fail });
    const [id = ''] = await bench.enqueue(
      webhooks,
      testDelivery(receiver.url('/hook').replace('//', '//user:hunter2@'), { body: '{"name":"Ana"}' }),
    );
    await webhooks.run();
    const lines = bench
      .logged()
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(lines).toEqual([
      {
        level: 'info',
        time: expect.any(String),
        msg: 'webhook.attempt',
        deliveryId: id,
        accountId: 'acme/sandbox',
        event: 'operation_created',
        scheme: 'request_money',
        endpoint: expect.any(String),
        status: 'PENDING',
        attempt: 1,
        connectMs: expect.any(Number),
        tlsMs: expect.any(Number),
        firstByteMs: expect.any(Number),
        reused: false,
        ms: expect.any(Number),
        statusCode: 500,
        errorClass: 'http_status',
        nextAttemptAt: expect.any(String),
      },
    ]);
    expect(bench.logged()).not.toMatch(/127\.0\.0\.1|hook"|hunter2|whsec|Ana/);
  });
});
