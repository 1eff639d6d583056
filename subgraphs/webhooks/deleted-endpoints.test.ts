import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { findUnserved, recordQueries } from '../../test/support/query-shapes.ts';
import { until } from '../../test/support/until.ts';
import type { AccountId } from '../kernel/account.ts';
import type { Tenant } from '../partners/tenants/service.ts';
import { openTestBench, type TestBench, testDelivery, times } from './testing-engine.ts';

const ACME = 'acme/sandbox';
const FOREVER = new AbortController().signal;
/** Every process knows of the deletion. */
const KNOWN_MS = 6_000;
const OVER_MS = 6 * 60_000;

describe('webhooks of a deleted endpoint', () => {
  let bench: TestBench;
  let urls: string[];
  beforeAll(async () => {
    bench = await openTestBench();
  });
  afterEach(() => bench.reset());
  afterAll(() => bench.close());

  /** A partner that has endpoints with these URLs, as far as the engine asks for them. */
  const tenants = {
    find: async (accountId: AccountId) =>
      accountId === ACME
        ? // The cast: only the endpoints' URLs are read.
          ({ accountId, webhookEndpoints: urls.map((url) => ({ id: url, url })) } as unknown as Tenant)
        : undefined,
  };

  test('are sent no more and dead-lettered with the reason, in batches, those in order too', async () => {
    urls = [];
    const receiver = await bench.receive();
    const engine = bench.start({}, { tenants });
    const url = receiver.url('/gone');
    const endpoint = engine.endpoints.identify(ACME, url);
    await engine.endpoints.close(ACME, endpoint);
    const ids = await bench.enqueue(
      engine,
      ...times(120, (index) => testDelivery(url, index < 20 ? { entity: 'reference|1' } : {})),
    );
    const [kept = ''] = await bench.enqueue(engine, testDelivery(receiver.url('/other')));
    await engine.run();
    expect([receiver.to('/gone').length, receiver.to('/other').length]).toEqual([0, 1]);
    await engine.deletedEndpoints.work(FOREVER);
    expect(await bench.models.deliveries.countDocuments({ status: 'PENDING' })).toBe(120);

    engine.ahead = KNOWN_MS;
    const queries = recordQueries(bench.store.connection);
    await engine.deletedEndpoints.work(FOREVER);
    expect(findUnserved(bench.store.connection, queries)).toEqual([]);
    const ended = await bench.models.deliveries.find({ _id: { $in: ids } }).lean();
    expect(
      ended.every(
        ({ status, lastError, attempt }) =>
          `${status} ${lastError} ${attempt}` === 'DEAD_LETTERED endpoint_deleted 0',
      ),
    ).toBe(true);
    expect(await bench.models.orders.countDocuments({ last: { $exists: true } })).toBe(0);
    expect(await bench.find(engine, kept)).toMatchObject({ status: 'DELIVERED' });
    const [first = ''] = ids;
    expect((await bench.eventsOf(first)).map(({ status, statusDetails }) => [status, statusDetails])).toEqual(
      [
        ['PENDING', undefined],
        ['DEAD_LETTERED', 'endpoint_deleted'],
      ],
    );
    expect(await engine.endpoints.health(ACME, [endpoint])).toHaveLength(1);
    engine.ahead = OVER_MS;
    await engine.deletedEndpoints.work(FOREVER);
    expect(await engine.endpoints.health(ACME, [endpoint])).toEqual([]);
  });

  test('end once when two processes end them at once', async () => {
    urls = [];
    const engines = [bench.start({}, { tenants }), bench.start({}, { tenants })] as const;
    const [engine, other] = engines;
    const url = 'https://127.0.0.1:1/gone';
    const ids = await bench.enqueue(engine, ...times(30, () => testDelivery(url)));
    await engine.endpoints.close(ACME, engine.endpoints.identify(ACME, url));
    engine.ahead = KNOWN_MS;
    other.ahead = KNOWN_MS;
    await Promise.all(engines.map(({ deletedEndpoints }) => deletedEndpoints.work(FOREVER)));
    for (const id of ids) {
      expect(await bench.eventsOf(id)).toHaveLength(2);
    }
  });

  test('end after a running attempt: its answer counts, its retry is not made', async () => {
    urls = [];
    let finish: () => void = () => undefined;
    const receiver = await bench.receive({
      '/gone': (_request, response) => {
        finish = () => response.writeHead(500).end();
      },
    });
    const engine = bench.start({}, { tenants });
    const url = receiver.url('/gone');
    const [id = ''] = await bench.enqueue(engine, testDelivery(url));
    await engine.worker.sweep();
    await until('the request', () => receiver.requests.length === 1);
    await engine.endpoints.close(ACME, engine.endpoints.identify(ACME, url));
    engine.ahead = KNOWN_MS;
    await engine.deletedEndpoints.work(FOREVER);
    expect(await bench.stored(id)).toMatchObject({ status: 'PENDING', attempt: 0 });
    finish();
    await engine.idle();
    await engine.deletedEndpoints.work(FOREVER);
    expect(await bench.stored(id)).toMatchObject({
      status: 'DEAD_LETTERED',
      lastError: 'endpoint_deleted',
      attempt: 1,
    });
  });

  test('are sent when the account has an endpoint with the URL again', async () => {
    const receiver = await bench.receive();
    const engine = bench.start({}, { tenants });
    const url = receiver.url('/again');
    const endpoint = engine.endpoints.identify(ACME, url);
    urls = [url];
    const [id = ''] = await bench.enqueue(engine, testDelivery(url));
    await engine.endpoints.close(ACME, endpoint);
    engine.ahead = KNOWN_MS;
    await engine.deletedEndpoints.work(FOREVER);
    await engine.run();
    expect(await bench.find(engine, id)).toMatchObject({ status: 'DELIVERED' });

    await engine.endpoints.close(ACME, endpoint);
    await engine.endpoints.reopen('globex/sandbox', endpoint);
    const [held = ''] = await bench.enqueue(engine, testDelivery(url));
    await engine.run();
    expect(await bench.find(engine, held)).toMatchObject({ status: 'PENDING' });
    await engine.endpoints.reopen(ACME, endpoint);
    await engine.run();
    expect(await bench.find(engine, held)).toMatchObject({ status: 'DELIVERED' });
  });
});
