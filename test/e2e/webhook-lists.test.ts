import { beforeAll, describe, expect, test } from '@jest/globals';
import type { Connection } from 'mongoose';
import { type Exchange, injectInto } from '../support/http.ts';
import { createMoneyRequest, moneyRequestBody, newReference, queryGraph } from '../support/money-requests.ts';
import { findUnserved, recordQueries, type StoreQuery } from '../support/query-shapes.ts';
import { useScene } from '../support/scene.ts';
import { KEYS } from '../support/seed.ts';
import { buildTestApp } from '../support/test-app.ts';
import { until } from '../support/until.ts';
import { changeDelivery, listDeliveries, REPLAY, SEND_TEST, showDelivery } from '../support/webhook-graph.ts';

const scene = useScene();
let exchange: Exchange;
let connection: Connection;
let queries: readonly StoreQuery[];
/** In the order in which they were stored. */
const ids: string[] = [];
beforeAll(async () => {
  const { env, receiver } = await scene.deploy({ env: { WEBHOOK_MAX_ATTEMPTS: '1' } });
  const app = await buildTestApp(env);
  scene.atEnd(app.close);
  connection = app.connection;
  queries = recordQueries(connection);
  exchange = injectInto(app.app);
  const store = async (event?: string, status = 204) => {
    receiver.answer(() => status);
    const sent = await changeDelivery(exchange, SEND_TEST, { event });
    const { id } = (sent as { webhookDelivery: { id: string } }).webhookDelivery;
    ids.push(id);
    await until('its end', async () => (await showDelivery(exchange, id))?.status !== 'PENDING');
  };
  await store();
  await store('operation_error');
  await store('operation_error', 500);
  await store(undefined, 500);
  await store();
  await createMoneyRequest(exchange, moneyRequestBody(newReference()), { key: KEYS.globex });
});

async function setDelivery(_id: string, set: object): Promise<void> {
  await connection.collection<{ _id: string }>('webhookDeliveries').updateOne({ _id }, { $set: set });
}

async function changeEndpoint(change: 'pause' | 'resume'): Promise<void> {
  const document = `mutation { ${change}WebhookEndpoint(input: { id: "first" }) { userErrors { code } } }`;
  const { data } = await queryGraph<Record<string, unknown>>(exchange, document);
  expect(data).toEqual({ [`${change}WebhookEndpoint`]: { userErrors: [] } });
}

const listed = async (variables: Record<string, unknown>) => {
  const { nodes } = await listDeliveries(exchange, variables);
  return nodes.map(({ id }) => ids.indexOf(id) + 1);
};

describe('webhookDeliveries', () => {
  test('lists the newest first, or the oldest, page by page', async () => {
    expect(await listed({})).toEqual([5, 4, 3, 2, 1]);
    const sortBy = { field: 'CREATED_AT', direction: 'ASC' };
    expect(await listed({ sortBy })).toEqual([1, 2, 3, 4, 5]);
    const { pageInfo } = await listDeliveries(exchange, { sortBy, first: 2 });
    expect(pageInfo.hasNextPage).toBe(true);
    expect(await listed({ sortBy, after: pageInfo.endCursor })).toEqual([3, 4, 5]);
  });

  test.each([
    ['one status', { status: 'DEAD_LETTERED' }, [4, 3]],
    ['several', { status: ['DEAD_LETTERED', 'DELIVERED', 'DELIVERED'] }, [5, 4, 3, 2, 1]],
    ['a status that none has', { status: 'PAUSED' }, []],
    ['no status', { status: [] }, []],
    ['an event', { event: 'operation_error' }, [3, 2]],
    ['an event and a status', { event: 'operation_error', status: 'DELIVERED' }, [2]],
    ['an unknown event', { event: 'nothing' }, []],
    ['null', { status: null, event: null, createdAt: null }, [5, 4, 3, 2, 1]],
  ])('filters by %s', async (_what, where, expected) => {
    expect(await listed({ where })).toEqual(expected);
    expect((await listDeliveries(exchange, { where })).totalCount).toBe(expected.length);
  });

  test('filters by time, alone and with the rest', async () => {
    const { nodes } = await listDeliveries(exchange);
    const [, fourth, third, second] = nodes.map(({ createdAt }) => createdAt);
    expect(await listed({ where: { createdAt: { gte: second, lt: fourth } } })).toEqual([3, 2]);
    expect(await listed({ where: { createdAt: { gte: third }, status: 'DELIVERED' } })).toEqual([5]);
    const all = { createdAt: { lt: fourth }, event: 'operation_error', status: 'DEAD_LETTERED' };
    expect(await listed({ where: all })).toEqual([3]);
  });

  test('filters by endpoint, with the rest, within a short time', async () => {
    const day = 86_400_000;
    const createdAt = {
      gte: new Date(Date.now() - 30 * day).toISOString(),
      lt: new Date(Date.now() + day).toISOString(),
    };
    expect(await listed({ where: { endpointId: 'first', createdAt } })).toEqual([5, 4, 3, 2, 1]);
    const all = { endpointId: 'first', createdAt, event: 'operation_error', status: 'DELIVERED' };
    expect(await listed({ where: all })).toEqual([2]);
    expect((await listDeliveries(exchange, { where: all })).totalCount).toBe(1);
    const sortBy = { field: 'CREATED_AT', direction: 'ASC' };
    const { pageInfo } = await listDeliveries(exchange, { where: all, sortBy, first: 1 });
    expect(await listed({ where: { ...all, status: null }, sortBy, after: pageInfo.endCursor })).toEqual([3]);
    await setDelivery(String(ids[1]), { endpointId: 'other' });
    expect(await listed({ where: { endpointId: 'other', createdAt } })).toEqual([2]);
    expect(await listed({ where: { ...all, endpointId: 'other', status: ['PAUSED', 'DELIVERED'] } })).toEqual(
      [2],
    );
    expect(await listed({ where: all })).toEqual([]);
    await setDelivery(String(ids[1]), { endpointId: 'first' });
    for (const where of [
      { endpointId: 'first' },
      { endpointId: 'first', createdAt: { gte: createdAt.gte } },
      {
        endpointId: 'first',
        createdAt: { ...createdAt, gte: new Date(Date.now() - 31 * day).toISOString() },
      },
    ]) {
      await expect(listed({ where })).rejects.toThrow(/where\.endpointId.*BAD_USER_INPUT/);
    }
  });

  test('gives each its own attempts, all in one read', async () => {
    const reads = () => queries.filter(({ collection }) => collection === 'webhookAttempts').length;
    const before = reads();
    const { nodes } = await listDeliveries(exchange);
    expect(reads() - before).toBe(1);
    expect(nodes.map(({ attempts }) => attempts.map(({ statusCode }) => statusCode))).toEqual([
      [204],
      [500],
      [500],
      [204],
      [204],
    ]);
  });

  test('shows and finds a waiting webhook as PAUSED while its endpoint is paused', async () => {
    const found = async (...status: string[]) => (await listed({ where: { status } })).length;
    const id = String(ids[0]);
    const hour = 3_600_000;
    await setDelivery(id, {
      status: 'PENDING',
      waitMs: hour,
      nextAttemptAt: new Date(Date.now() + hour),
    });
    await changeEndpoint('pause');
    expect(await showDelivery(exchange, id)).toMatchObject({ status: 'PAUSED', nextAttemptAt: null });
    expect([await found('PAUSED'), await found('PENDING'), await found('PAUSED', 'PENDING')]).toEqual([
      1, 0, 1,
    ]);
    expect([await found('PAUSED', 'DELIVERED'), await found('PENDING', 'DELIVERED')]).toEqual([3, 2]);
    await changeEndpoint('resume');
    expect(await showDelivery(exchange, id)).toMatchObject({ status: 'PENDING' });
    expect([await found('PAUSED'), await found('PENDING')]).toEqual([0, 1]);
    await setDelivery(id, { status: 'DELIVERED' });
  });

  test('rejects invalid pages', async () => {
    const { errors } = await queryGraph(exchange, '{ webhookDeliveries(first: 101) { totalCount } }');
    expect(errors?.[0]?.extensions?.code).toBe('BAD_USER_INPUT');
  });
});

test('a declared index serves every query, filter and sort together', async () => {
  await changeDelivery(exchange, REPLAY, { id: ids[3] });
  expect(findUnserved(connection, queries)).toEqual([]);
  expect(queries.filter(({ collection }) => collection === 'webhookDeliveries').length).toBeGreaterThan(20);
});
