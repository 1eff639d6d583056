import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { Connection } from 'mongoose';
import { countCommands } from '../../../test/support/count-commands.ts';
import { openTestDatabase } from '../../../test/support/test-database.ts';
import type { AccountId } from '../../kernel/account.ts';
import { accountsOf } from '../../kernel/account.ts';
import { countByAccount, unlessTooMany } from '../../kernel/database/count-by-account.ts';
import { makeIndexes } from '../../kernel/database/indexes.ts';
import type { Database } from '../../kernel/database/open-database.ts';
import { EMPTY_LOG } from '../../runtime/events/testing.ts';
import { createWebhookModels } from '../../webhooks/model.ts';
import { createOperators, type Operators } from './index.ts';

const NOW = new Date('2026-11-23T08:00:00.000Z');
const ago = (seconds: number) => new Date(NOW.getTime() - seconds * 1_000);

let database: Database;
let connection: Connection;
let operators: Operators;
let counted: string[][];

beforeAll(async () => {
  database = await openTestDatabase();
  ({ connection } = database);
  build();
  await makeIndexes(connection);
});
beforeEach(async () => {
  for (const name of connection.modelNames()) {
    await connection.model(name).collection.deleteMany({});
  }
  build();
});
afterAll(() => database.close());

/** New ones have read nothing yet. */
function build() {
  counted = [];
  operators = createOperators({
    connection,
    events: { status: async () => EMPTY_LOG },
    webhooks: {
      figures: {
        queue: async () => ({
          due: { depth: 3, oldestSeconds: 50, overdueSeconds: 20 },
          leased: { depth: 2, oldestSeconds: 60, overdueSeconds: 0 },
          later: { depth: 1, oldestSeconds: 10, overdueSeconds: 0 },
          held: { depth: 4, oldestSeconds: 9_000, overdueSeconds: 0 },
        }),
        heldEndpoints: async () => ({ paused: 0, open: 0, halfOpen: 0 }),
        onAttempt: () => undefined,
      },
    },
    phases: async () => ({
      CIP: {
        ...{ inProgress: 4, due: 1, leased: 2, later: 1, stuck: 1 },
        ...{ oldestSeconds: 31, overdueSeconds: 5 },
      },
    }),
    slices: {
      operations: async (ids) => {
        counted.push([...ids]);
        return [
          { accountId: 'a/sandbox', status: 'Sent', count: 2, oldestAt: NOW },
          { accountId: 'a/sandbox', status: 'Funded', count: 3, oldestAt: NOW },
        ];
      },
      moneyRequests: async () => undefined,
      remittances: async () =>
        new Map([['a/sandbox' as const, { inProgress: 1, stuck: 1, stuckSince: ago(40) }]]),
    },
    clock: () => NOW,
  });
}

/** Writes documents past their schemas: only the fields that are read count. */
const insert = (collection: string, ...documents: object[]) =>
  connection.collection(collection).insertMany(documents);

const tenant = (tenantId: string, name: string, more: object = {}) => ({
  ...{
    _id: `${tenantId}/live`,
    tenantId,
    environment: 'live',
    name,
    features: [],
    createdAt: NOW,
    webhookSecret: Buffer.from('sealed'),
  },
  ...more,
});

describe('Partners', () => {
  beforeEach(() =>
    insert(
      'tenants',
      tenant('b', 'Bücher (MX)', { country: 'MX' }),
      tenant('a', 'Acme', { webhookUrl: 'https://a.test/?token=x', features: ['LINKS'] }),
      tenant('c', 'Cooper & Co.'),
    ),
  );
  const idsOf = async (page: Parameters<Operators['tenants']>[0]) =>
    (await operators.tenants(page)).nodes.map(({ id }) => id);

  test('come in pages by id, without secrets', async () => {
    const first = await operators.tenants({ first: 2 });
    expect(first.nodes).toEqual([
      {
        ...{ id: 'a', name: 'Acme', country: null, features: ['LINKS'] },
        ...{ webhookUrls: 1, createdAt: NOW },
      },
      {
        ...{ id: 'b', name: 'Bücher (MX)', country: 'MX', features: [] },
        ...{ webhookUrls: 0, createdAt: NOW },
      },
    ]);
    expect(first.pageInfo).toMatchObject({ hasNextPage: true, hasPreviousPage: false });
    expect(await first.count()).toBe(3);
    const next = await operators.tenants({ first: 2, after: first.pageInfo.endCursor });
    expect(next.nodes.map(({ id }) => id)).toEqual(['c']);
    expect(next.pageInfo).toMatchObject({ hasNextPage: false, hasPreviousPage: true });
  });

  test('are found by a part of name or id, in any case, and by signs as they are', async () => {
    expect(await idsOf({ search: ' aCM ' })).toEqual(['a']);
    expect(await idsOf({ search: 'BÜCHER (' })).toEqual(['b']);
    expect(await idsOf({ search: 'o.' })).toEqual(['c']);
    expect(await idsOf({ search: '.*' })).toEqual([]);
    expect(await idsOf({ search: '\\' })).toEqual([]);
    expect(await idsOf({ search: 'Ac\0me' })).toEqual(['a']);
    expect(await idsOf({ search: '' })).toEqual(['a', 'b', 'c']);
    const found = await operators.tenants({ first: 1, search: 'c' });
    expect(await found.count()).toBe(3);
    expect(await idsOf({ search: 'c', after: found.pageInfo.endCursor ?? '' })).toEqual(['b', 'c']);
  });

  test.each([
    [{ first: 0 }, 'BAD_USER_INPUT'],
    [{ first: 101 }, 'BAD_USER_INPUT'],
    [{ search: 'x'.repeat(101) }, 'BAD_USER_INPUT'],
    [{ after: 'x' }, 'INVALID_CURSOR'],
  ])('are not listed for %j', async (page, code) => {
    await expect(operators.tenants(page)).rejects.toMatchObject({ extensions: { code } });
  });
});

describe('Figures of partners', () => {
  test('count keys in force, by environment', async () => {
    const key = (_id: string, more: object) => ({ _id, hash: _id, scopes: [], ...more });
    await insert(
      'apiKeys',
      key('k1', { accountId: 'a/live' as const, lastUsedAt: ago(60) }),
      key('k2', { accountId: 'a/sandbox' as const, lastUsedAt: ago(30) }),
      key('k3', { accountId: 'a/sandbox' as const, endsAt: ago(-60) }),
      key('k4', { accountId: 'a/sandbox' as const, endsAt: ago(1) }),
      key('k5', { accountId: 'a/live' as const, revokedAt: ago(5) }),
      key('k6', { accountId: 'other/live' as const }),
    );
    expect(await operators.figures.keys(['a', 'b'])).toEqual(
      new Map([['a', { live: 1, sandbox: 2, lastUsedAt: ago(30) }]]),
    );
  });

  test('count receivers, and those that are held', async () => {
    const state = (_id: string, accountId: AccountId, holds: string[], breaker: string) => ({
      ...{ _id, accountId, holds },
      breaker: { state: breaker, since: NOW, failedProbes: 0 },
    });
    await insert(
      'webhookEndpoints',
      { _id: 'we_1', accountId: 'a/sandbox' as const, slot: 0, endpoint: 'one' },
      { _id: 'we_2', accountId: 'a/sandbox' as const, slot: 1, endpoint: 'two' },
      { _id: 'we_3', accountId: 'other/sandbox' as const, slot: 0, endpoint: 'one' },
    );
    await insert(
      'webhookEndpointStates',
      state('e1', 'a/sandbox', [], 'CLOSED'),
      state('e2', 'a/sandbox', ['PAUSED', 'BREAKER'], 'OPEN'),
      state('e3', 'b/sandbox', ['BREAKER'], 'HALF_OPEN'),
      state('e4', 'other/sandbox', ['PAUSED'], 'CLOSED'),
    );
    expect(await operators.figures.endpoints(['a', 'b'])).toEqual(
      new Map([
        ['a', { further: 2, paused: 1, open: 1, halfOpen: 0 }],
        ['b', { further: 0, paused: 0, open: 0, halfOpen: 1 }],
      ]),
    );
  });

  test('count webhooks that wait and those that were given up', async () => {
    const delivery = (_id: string, accountId: AccountId, status: string, seconds: number) => ({
      ...{ _id, accountId, status, createdAt: ago(seconds), nextAttemptAt: NOW },
    });
    await insert(
      'webhookDeliveries',
      delivery('d1', 'a/sandbox', 'PENDING', 10),
      delivery('d2', 'a/sandbox', 'PENDING', 20),
      delivery('d3', 'a/sandbox', 'DEAD_LETTERED', 30),
      delivery('d4', 'a/sandbox', 'DELIVERED', 40),
      delivery('d5', 'b/sandbox', 'DEAD_LETTERED', 50),
      delivery('d6', 'other/sandbox', 'PENDING', 60),
    );
    expect(await operators.figures.webhooks(['a', 'b', 'c'])).toEqual(
      new Map([
        ['a', { pending: 2, oldestPendingAt: ago(20), deadLettered: 1 }],
        ['b', { pending: 0, oldestPendingAt: null, deadLettered: 1 }],
      ]),
    );
  });

  test('add the counts of the slices; a count that takes too long is unknown', async () => {
    const { operations, moneyRequests, remittances } = operators.figures;
    expect(await operations(['a', 'b'])).toEqual(new Map([['a', 5]]));
    expect(await moneyRequests(['a', 'b'])).toBeUndefined();
    expect((await remittances(['a']))?.get('a')).toEqual({ inProgress: 1, stuck: 1, stuckSince: ago(40) });
  });

  test('are read once for a page, in one or two commands each, however many look at it', async () => {
    const page = Array.from({ length: 50 }, (_, index) => `t${index}`);
    const { keys, endpoints, webhooks, operations } = operators.figures;
    const counts = await countCommands(connection, async () => {
      for (let again = 0; again < 3; again += 1) {
        await Promise.all([keys(page), endpoints(page), webhooks(page), operations(page)]);
      }
    });
    expect(counts).toEqual({
      'find apiKeys': 1,
      'find webhookEndpoints': 1,
      'find webhookEndpointStates': 1,
      'aggregate webhookDeliveries': 1,
    });
    expect(counted).toEqual([accountsOf(page)]);
  });
});

test('a count that runs out of its time is unknown; other errors stay errors', async () => {
  const failing = (error: object) => unlessTooMany(Promise.reject(Object.assign(new Error('no'), error)));
  expect(await failing({ code: 50 })).toBeUndefined();
  await expect(failing({ code: 51 })).rejects.toThrow('no');
  expect(
    await countByAccount(createWebhookModels(connection).deliveries, ['a/sandbox'], ['PENDING']),
  ).toEqual([]);
});

test('processes come by role, machine and start; one that was not seen for five minutes is gone', async () => {
  const one = (_id: string, role: string, host: string, seconds: number) => ({
    ...{ _id, role, host, version: '1', pid: 1, settings: [] },
    ...{ startedAt: ago(seconds), seenAt: ago(Number(_id)) },
  });
  await insert(
    'processes',
    one('1', 'worker', 'b', 10),
    one('2', 'worker', 'a', 5),
    one('3', 'worker', 'a', 20),
    one('4', 'gateway', 'z', 1),
    one('299', 'worker', 'c', 400),
    one('300', 'worker', 'c', 400),
  );
  expect((await operators.processes()).map(({ _id }) => _id)).toEqual(['4', '3', '2', '1', '299']);
});

test('queues are those of webhooks, of running replays and of each phase', async () => {
  const replay = (number: number, state: string, found: number, replayed: number) => ({
    ...{ _id: `wr_${number}`, accountId: 'a/sandbox' as const, number, state, found, replayed, skipped: 1 },
    createdAt: ago(number),
  });
  await insert(
    'webhookReplays',
    replay(100, 'RUNNING', 10, 4),
    replay(50, 'RUNNING', 3, 2),
    replay(900, 'DONE', 9, 1),
  );
  expect(await operators.queues()).toEqual([
    {
      ...{ name: 'webhooks', waiting: 10, due: 3, leased: 2, later: 5, stuck: null },
      ...{ oldestSeconds: 9_000, overdueSeconds: 20 },
    },
    {
      ...{ name: 'webhooks.replay', waiting: 5, due: null, leased: null, later: null, stuck: null },
      ...{ oldestSeconds: 100, overdueSeconds: null },
    },
    {
      ...{ name: 'pipeline.CIP', waiting: 4, due: 1, leased: 2, later: 1, stuck: 1 },
      ...{ oldestSeconds: 31, overdueSeconds: 5 },
    },
  ]);
});

test('jobs report when they ran, and how late they are', async () => {
  await insert(
    'agendaJobs',
    { name: 'retention', repeatInterval: 300_000, lastRunAt: ago(290), nextRunAt: ago(-10) },
    { name: 'links.expire', repeatInterval: 20_000, lastRunAt: ago(50), nextRunAt: ago(30) },
    { name: 'new', nextRunAt: null },
  );
  expect(await operators.jobs()).toEqual([
    ...[
      { name: 'links.expire', everySeconds: 20, lastRunAt: ago(50), nextRunAt: ago(30), overdueSeconds: 30 },
    ],
    ...[{ name: 'new', everySeconds: null, lastRunAt: null, nextRunAt: null, overdueSeconds: 0 }],
    ...[
      { name: 'retention', everySeconds: 300, lastRunAt: ago(290), nextRunAt: ago(-10), overdueSeconds: 0 },
    ],
  ]);
});

test('a lease is held, was given back, or its holder has gone without giving it back; no token is shown', async () => {
  await insert(
    'leases',
    ...([
      { _id: 'held', term: 2, token: 'secret', until: ago(-5) },
      { _id: 'lapsed', term: 3, token: 'secret', until: ago(5) },
      { _id: 'free', term: 4, until: new Date(0) },
    ] as object[]),
  );
  expect(await operators.leases()).toEqual([
    { name: 'free', term: 4, state: 'FREE', until: null },
    { name: 'held', term: 2, state: 'HELD', until: ago(-5) },
    { name: 'lapsed', term: 3, state: 'LAPSED', until: ago(5) },
  ]);
});
