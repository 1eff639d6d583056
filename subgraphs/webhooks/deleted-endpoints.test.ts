import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { until } from '../../test/support/until.ts';
import type { Tenant } from '../partners/tenants/service.ts';
import { openTestBench, type TestBench, testDelivery, times } from './testing-engine.ts';

const ACME = 'acme/sandbox';
const OTHER_ENVIRONMENT = 'acme/live';

describe('webhooks of a deleted endpoint', () => {
  let bench: TestBench;
  /** Ids that the process knows, and ids that the database has. */
  let known: string[];
  let stored: string[];
  beforeAll(async () => {
    bench = await openTestBench();
  });
  afterEach(() => bench.reset());
  afterAll(() => bench.close());

  const find = async () =>
    // The cast: the engine reads ids alone.
    ({ webhookEndpoints: known.map((id) => ({ id })) }) as unknown as Tenant;
  const tenants = {
    find,
    findStored: find,
    endpoints: {
      exists: async (accountId: string, id: string) => accountId === ACME && stored.includes(id),
    },
  };
  const lasting = { endpointId: 'we_lasting' };
  const gone = { endpointId: 'we_gone' };

  test('are dead-lettered in place of their next attempt, without a request or an attempt; all others are sent', async () => {
    [known, stored] = [['we_lasting'], ['we_lasting', 'we_new']];
    const receiver = await bench.receive();
    const engine = bench.start({}, { tenants });
    const url = receiver.url('/in');
    const ids = await bench.enqueue(engine, ...times(70, () => testDelivery(url, gone)));
    const sent = await bench.enqueue(
      engine,
      testDelivery(url, lasting),
      // Another process has just added it: this one does not know it yet.
      testDelivery(url, { endpointId: 'we_new' }),
      testDelivery(url, { endpointId: 'first' }),
      testDelivery(url),
    );
    const [foreign = ''] = await bench.enqueue(
      engine,
      testDelivery(url, { accountId: OTHER_ENVIRONMENT, endpointId: 'we_new' }),
    );
    await engine.run();
    await engine.run();
    for (const id of [...ids, foreign]) {
      expect(await bench.stored(id)).toMatchObject({
        status: 'DEAD_LETTERED',
        lastError: 'endpoint_deleted',
        attempt: 0,
        finishedAt: expect.any(Date),
      });
      expect((await bench.eventsOf(id)).map(({ status }) => status)).toEqual(['PENDING', 'DEAD_LETTERED']);
    }
    for (const id of sent) {
      expect(await bench.stored(id)).toMatchObject({ status: 'DELIVERED' });
    }
    expect(receiver.requests).toHaveLength(sent.length);
    expect(await bench.models.attempts.countDocuments({ deliveryId: { $in: ids } })).toBe(0);
    expect(bench.logged()).toContain('webhook.endpoint_deleted');
  });

  test('are dead-lettered too if they are for operational events and their URL is gone, not if another process has just set it', async () => {
    known = [];
    const receiver = await bench.receive();
    const engine = bench.start({}, { tenants });
    const operational = { endpointId: 'operational' };
    const deliver = async () => {
      const [id = ''] = await bench.enqueue(engine, testDelivery(receiver.url('/ops'), operational));
      await engine.run();
      return bench.stored(id);
    };
    stored = ['operational'];
    expect(await deliver()).toMatchObject({ status: 'DELIVERED' });
    stored = [];
    expect(await deliver()).toMatchObject({ status: 'DEAD_LETTERED', lastError: 'endpoint_deleted' });
    expect(receiver.requests).toHaveLength(1);
  });

  test('let those that wait for them in order go on', async () => {
    [known, stored] = [['we_lasting'], ['we_lasting']];
    const receiver = await bench.receive();
    const engine = bench.start({}, { tenants });
    const inOrder = { entity: 'reference|1' };
    const ids = await bench.enqueue(
      engine,
      ...times(3, () => testDelivery(receiver.url('/in'), { ...gone, ...inOrder })),
    );
    for (const _id of ids) {
      await engine.run();
    }
    for (const id of ids) {
      expect(await bench.stored(id)).toMatchObject({ status: 'DEAD_LETTERED' });
    }
    expect(await bench.models.orders.countDocuments({ last: { $exists: true } })).toBe(0);
  });

  test('end after a running attempt: its answer counts, its retry is not made', async () => {
    [known, stored] = [['we_gone'], ['we_gone']];
    let finish: () => void = () => undefined;
    const receiver = await bench.receive({
      '/in': (_request, response) => {
        finish = () => response.writeHead(500).end();
      },
    });
    const engine = bench.start({}, { tenants });
    const [id = ''] = await bench.enqueue(engine, testDelivery(receiver.url('/in'), gone));
    await engine.worker.sweep();
    await until('the request', () => receiver.requests.length === 1);
    [known, stored] = [[], []];
    finish();
    await engine.idle();
    expect(await bench.stored(id)).toMatchObject({ status: 'PENDING', attempt: 1 });
    engine.ahead = 61_000;
    await engine.run();
    expect(await bench.stored(id)).toMatchObject({
      status: 'DEAD_LETTERED',
      lastError: 'endpoint_deleted',
      attempt: 1,
    });
    expect(receiver.requests).toHaveLength(1);
  });
});
