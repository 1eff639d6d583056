import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { countCommands } from '../../test/support/count-commands.ts';
import { findUnserved, recordQueries } from '../../test/support/query-shapes.ts';
import { until } from '../../test/support/until.ts';
import { createTransactions } from '../kernel/database/transaction.ts';
import { CRASH_LOOP_CLAIMS } from '../runtime/work/attempt.ts';
import { type DeliveryDocument, NOT_DUE } from './model.ts';
import { createDeliveryOrder } from './order.ts';
import type { NewDelivery } from './queue.ts';
import type { ReceivedRequest } from './testing.ts';
import { openTestBench, type TestBench, type TestEngine, testDelivery, times } from './testing-engine.ts';

const MINUTE = 60_000;
const PATIENT = { timeoutSeconds: 60 };
/** With the time-out of {@link PATIENT}. */
const LEASE_MS = 81_000;
const idOf = ({ headers }: ReceivedRequest) => String(headers['x-webhook-delivery-id']);

describe('deliveries in order', () => {
  let bench: TestBench;
  beforeAll(async () => {
    bench = await openTestBench();
  });
  afterEach(() => bench.reset());
  afterAll(() => bench.close());

  const about = (url: string, entity: string) => testDelivery(url, { entity });
  const statusOf = async (id: string) => (await bench.stored(id)).status;

  test('the later one of an entity waits while the earlier one is tried again; other entities and endpoints do not', async () => {
    let isDown = true;
    const receiver = await bench.receive({
      '/hook': (_request, response) => response.writeHead(isDown ? 500 : 204).end(),
    });
    const webhooks = bench.start({ ...PATIENT, wake: true });
    const [first = ''] = await bench.enqueue(webhooks, about(receiver.url('/hook'), 'reference|1'));
    await until('the first attempt', async () => (await bench.stored(first)).attempt === 1);
    isDown = false;
    const queries = recordQueries(bench.store.connection);
    const [second = '', third = '', other = '', elsewhere = '', unordered = ''] = await bench.enqueue(
      webhooks,
      about(receiver.url('/hook'), 'reference|1'),
      about(receiver.url('/hook'), 'reference|1'),
      about(receiver.url('/hook'), 'reference|2'),
      about(receiver.url('/other'), 'reference|1'),
      testDelivery(receiver.url('/hook')),
    );
    await webhooks.run();
    expect(await Promise.all([other, elsewhere, unordered].map(statusOf))).toEqual(
      times(3, () => 'DELIVERED'),
    );
    expect(await bench.stored(second)).toMatchObject({
      status: 'PENDING',
      attempt: 0,
      claims: 0,
      after: first,
      nextAttemptAt: NOT_DUE,
    });
    expect(await bench.find(webhooks, second)).toMatchObject({ status: 'PENDING', nextAttemptAt: null });

    webhooks.ahead = 2 * MINUTE;
    await webhooks.worker.sweep();
    // No further sweep: the end of each has the next one tried.
    await until('the last one', async () => (await statusOf(third)) === 'DELIVERED');
    const sent = receiver.to('/hook').map(idOf);
    expect(sent.filter((id) => [first, second, third].includes(id))).toEqual([first, first, second, third]);
    const ofNext = queries.filter(({ filter }) => 'after' in filter);
    expect([ofNext.length > 0, findUnserved(bench.store.connection, ofNext)]).toEqual([true, []]);
    expect(await bench.stored(third)).not.toHaveProperty('after');
    expect(await bench.models.orders.countDocuments({ last: { $exists: true } })).toBe(0);
  });

  test('an order costs one read when it is stored and one when it ends; without an order none', async () => {
    const webhooks = bench.start(PATIENT);
    const { connection } = bench.store;
    const counted = async (work: () => Promise<unknown>) => {
      const counts = Object.entries(await countCommands(connection, work));
      // All other reads are by time.
      return counts.filter(([kind]) => /webhookOrders|webhookDeliveries|Write|commit/.test(kind));
    };
    const [bulkWrite, commit] = [
      ['bulkWrite', 1],
      ['commitTransaction', 1],
    ];
    const url = 'https://127.0.0.1/hook';
    const store = (delivery: NewDelivery) => counted(() => bench.enqueue(webhooks, delivery));
    expect(await store(testDelivery(url))).toEqual([bulkWrite, commit]);
    expect(await store(about(url, 'reference|1'))).toEqual([['find webhookOrders', 1], bulkWrite, commit]);

    const transaction = createTransactions(connection);
    const order = createDeliveryOrder({ models: bench.models });
    const release = async (filter: object) => {
      const document = await bench.models.deliveries.findOne(filter).orFail().lean();
      return counted(() => transaction((unit) => order.release([{ document, at: new Date() }], unit)));
    };
    expect(await release({ order: { $exists: false } })).toEqual([]);
    expect(await release({ order: { $exists: true } })).toEqual([
      ['find webhookDeliveries', 1],
      bulkWrite,
      commit,
    ]);
  });

  test('a dead-lettered one lets the next one go, also one that killed its workers', async () => {
    const receiver = await bench.receive({
      '/hook': (_request, response) => response.writeHead(500).end(),
    });
    const webhooks = bench.start({ ...PATIENT, maxAttempts: 1 });
    const [poison = '', second = '', third = ''] = await bench.enqueue(
      webhooks,
      ...times(3, () => about(receiver.url('/hook'), 'reference|1')),
    );
    await bench.models.deliveries.updateOne({ _id: poison }, { claims: CRASH_LOOP_CLAIMS });
    await webhooks.run();
    await webhooks.run();
    await webhooks.run();
    expect(await Promise.all([poison, second, third].map(statusOf))).toEqual(times(3, () => 'DEAD_LETTERED'));
    expect(receiver.requests.map(idOf)).toEqual([second, third]);
  });

  test('transactions at once put theirs one behind the other: none is lost, and none has two behind it', async () => {
    const receiver = await bench.receive();
    const webhooks = bench.start(PATIENT);
    const url = receiver.url('/hook');
    await Promise.all(times(9, () => bench.enqueue(webhooks, about(url, 'reference|1'))));
    const stored = await bench.models.deliveries.find().lean();
    expect(stored).toHaveLength(9);
    const next = new Map(stored.map(({ _id, after }) => [after, _id]));
    expect(next.size).toBe(9);
    const chain: string[] = [];
    for (let one = next.get(undefined); one !== undefined; one = next.get(one)) {
      chain.push(one);
    }
    expect(chain).toHaveLength(9);
    for (const _one of chain) {
      await webhooks.run();
    }
    expect(receiver.requests.map(idOf)).toEqual(chain);
  });

  test('stored while the one before it ends, each is sent and none is left waiting', async () => {
    const receiver = await bench.receive();
    const webhooks = bench.start({ ...PATIENT, wake: true });
    const ids: string[] = [];
    for (const _one of times(40, () => undefined)) {
      ids.push(...(await bench.enqueue(webhooks, about(receiver.url('/hook'), 'reference|1'))));
    }
    // Without a sweep: the end of each has the next one tried.
    const delivered = () => bench.models.deliveries.countDocuments({ status: 'DELIVERED' });
    await until('all are delivered', async () => (await delivered()) === ids.length);
    expect(receiver.requests.map(idOf)).toEqual(ids);
    expect(await bench.models.orders.countDocuments({ last: { $exists: true } })).toBe(0);
  });

  test('two calls in one transaction come one behind the other', async () => {
    const webhooks = bench.start(PATIENT);
    const one = about('https://127.0.0.1/hook', 'reference|1');
    const stored = await createTransactions(bench.store.connection)((unit) => [
      ...webhooks.queue.enqueue([one], unit),
      ...webhooks.queue.enqueue([one], unit),
    ]);
    const [first = '', second = ''] = stored.map(({ _id }) => _id);
    expect(await bench.stored(first)).not.toHaveProperty('after');
    expect(await bench.stored(second)).toHaveProperty('after', first);
  });

  test('one that is sent again waits for none, and none waits for it', async () => {
    const receiver = await bench.receive();
    const webhooks = bench.start(PATIENT);
    const url = receiver.url('/hook');
    const [first = ''] = await bench.enqueue(webhooks, about(url, 'reference|1'));
    await webhooks.run();
    const [second = ''] = await bench.enqueue(webhooks, about(url, 'reference|1'));
    await webhooks.deliveries.replay('acme/sandbox', first);
    const [third = ''] = await bench.enqueue(webhooks, about(url, 'reference|1'));
    expect(await bench.stored(second)).not.toHaveProperty('after');
    expect(await bench.stored(third)).toHaveProperty('after', second);
    expect(await bench.stored(first)).not.toHaveProperty('order');
    await webhooks.run();
    await webhooks.run();
    expect(await Promise.all([first, second, third].map(statusOf))).toEqual(times(3, () => 'DELIVERED'));
  });

  test('once the setting is off again, new ones go at once, and those that wait keep their order', async () => {
    const receiver = await bench.receive({
      '/hook': (_request, response) => response.writeHead(receiver.requests.length === 1 ? 500 : 204).end(),
    });
    const webhooks = bench.start(PATIENT);
    const url = receiver.url('/hook');
    const [first = '', second = ''] = await bench.enqueue(
      webhooks,
      about(url, 'reference|1'),
      about(url, 'reference|1'),
    );
    await webhooks.run();
    const [later = ''] = await bench.enqueue(webhooks, testDelivery(url));
    await webhooks.run();
    webhooks.ahead = 2 * MINUTE;
    await webhooks.run();
    await webhooks.run();
    expect(receiver.requests.map(idOf)).toEqual([first, later, first, second]);
  });

  test('paused, an endpoint keeps its order; resumed, all are sent in it', async () => {
    const receiver = await bench.receive();
    const webhooks = bench.start({ ...PATIENT, wake: true });
    const url = receiver.url('/hook');
    const endpoint = webhooks.endpoints.identify('acme/sandbox', url);
    await bench.hold('pause', webhooks, endpoint);
    await webhooks.run();
    const ids = await bench.enqueue(webhooks, ...times(5, () => about(url, 'reference|1')));
    await webhooks.run();
    expect(receiver.requests).toHaveLength(0);
    await bench.hold('resume', webhooks, endpoint);
    await until('all are sent', () => receiver.requests.length === ids.length);
    expect(receiver.requests.map(idOf)).toEqual(ids);
  });

  test.each([1, 2, 3])(
    'whatever fails, dies or is late, none overtakes an earlier one of its entity, and all end (seed %d)',
    async (seed) => {
      const random = randomFrom(seed);
      const receiver = await bench.receive({
        '/hook': (_request, response) => response.writeHead(random() < 0.3 ? 500 : 204).end(),
      });
      const config = { ...PATIENT, wake: true, retrySeconds: [1, 1], maxAttempts: 3 };
      // Dies between the answer and the record: what was sent is sent again once its lease is over.
      const append = () => {
        if (random() < 0.2) {
          throw new Error('died');
        }
      };
      const engines: TestEngine[] = [
        bench.start(config),
        ...times(2, () => bench.start(config, { events: { append } })),
      ];
      const [storing] = engines;
      const entities = new Map<string, string[]>(times(4, (index) => [`reference|${index}`, []]));
      for (let round = 0; round < 12; round += 1) {
        for (const [entity, ids] of entities) {
          if (storing && random() < 0.6) {
            ids.push(...(await bench.enqueue(storing, about(receiver.url('/hook'), entity))));
          }
        }
        await runAll(engines);
      }
      const open = () => bench.models.deliveries.countDocuments({ status: 'PENDING' });
      for (let round = 0; round < 60 && (await open()) > 0; round += 1) {
        await runAll(engines);
      }
      const left: DeliveryDocument[] = await bench.models.deliveries.find({ status: 'PENDING' }).lean();
      expect(left).toEqual([]);
      const sent = receiver.requests.map(idOf);
      for (const ids of entities.values()) {
        const places = sent.map((id) => ids.indexOf(id)).filter((place) => place >= 0);
        expect(places).toEqual([...places].sort((one, other) => one - other));
        expect(new Set(places).size).toBe(ids.length);
      }
      expect(await bench.models.orders.countDocuments({ last: { $exists: true } })).toBe(0);
    },
  );

  /** A sweep of each; then all leases and retries that are left are due. */
  async function runAll(engines: readonly TestEngine[]): Promise<void> {
    for (const engine of engines) {
      await engine.run();
    }
    for (const engine of engines) {
      engine.ahead += LEASE_MS;
    }
  }
});

/** Numbers from 0 to less than 1, the same ones for the same seed. */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
