/** @only-in-full */
import { beforeAll, describe, expect, test } from '@jest/globals';
import type { Role } from '../../subgraphs/kernel/config/roles.ts';
import type { Deployment } from '../support/deployment.ts';
import { type Exchange, exchangeWith } from '../support/http.ts';
import { expireMoneyRequest, untilIdle } from '../support/idle.ts';
import {
  createMoneyRequest,
  lookUp,
  moneyRequestBody,
  newReference,
  queryGraph,
  updateStatus,
} from '../support/money-requests.ts';
import { useScene } from '../support/scene.ts';
import { KEYS } from '../support/seed.ts';
import type { Server } from '../support/server.ts';
import {
  cursorOf,
  followStatuses,
  presentCursor,
  type StatusEvent,
  statusesOf,
} from '../support/statuses.ts';
import { takeTime } from '../support/ticks.ts';
import { until } from '../support/until.ts';

const scene = useScene();
let deployment: Deployment;
/** Two gateways over the same subgraphs. */
let server: Server;
let other: Server;
let exchange: Exchange;
beforeAll(async () => {
  deployment = await scene.deploy({
    arrangement: 'split',
    processes: true,
    env: { WEBHOOK_SWEEP_SECONDS: '1', WEBHOOK_RETRY_SECONDS: '1,1,1,1,1' },
  });
  server = await deployment.start();
  other = await deployment.start();
  exchange = exchangeWith(server.url);
});

const subscriberOf = ({ url }: Server) =>
  scene.subscriber({ url, connectionParams: { 'X-API-Key': KEYS.acme } });

const idle = async () => untilIdle(await deployment.database());

async function killIdle(role: Role): Promise<void> {
  await idle();
  expect(await server.kill('SIGKILL', role)).toEqual({ code: null, signal: 'SIGKILL' });
}

const unreachable = (serviceName: string) => ({
  message: expect.any(String),
  extensions: { code: 'SUBGRAPH_UNREACHABLE', serviceName },
});

/** References and new statuses. */
const movesOf = (events: readonly StatusEvent[]) =>
  events.map(({ requestMoneyStatusChanged: { requestMoney, status } }) => [requestMoney.referenceId, status]);

describe('A subgraph that is killed', () => {
  const QUERY = `query ($referenceId: String!) {
    requestMoney(referenceId: $referenceId) { referenceId user { firstName } }
    link(id: "lnk_none") { id }
  }`;
  const CREATE_LINK = `mutation {
    createLink(input: { flow: TRANSFER, referenceId: "u-77", userData: { name: { firstName: "Ana", lastName: "Ruiz" } } }) {
      link { flow }
    }
  }`;

  test('is named in errors, the rest is served; it comes back to the gateway that is there', async () => {
    const referenceId = newReference();
    await createMoneyRequest(exchange, moneyRequestBody(referenceId));
    const requestMoney = { referenceId, user: { firstName: 'Ana' } };
    expect(await queryGraph(exchange, QUERY, { referenceId })).toEqual({
      status: 200,
      data: { requestMoney, link: null },
    });

    await killIdle('subgraph-links');
    expect(await queryGraph(exchange, QUERY, { referenceId })).toEqual({
      status: 200,
      data: { requestMoney, link: null },
      errors: [{ ...unreachable('links'), path: ['link'] }],
    });
    const rejected = await queryGraph(exchange, CREATE_LINK);
    expect(rejected.errors).toEqual([{ ...unreachable('links'), path: ['createLink'] }]);
    expect((await createMoneyRequest(exchange, moneyRequestBody(newReference()))).status).toBe(201);
    expect((await lookUp(exchange, referenceId)).status).toBe(200);

    await server.restart('subgraph-links');
    expect(await queryGraph(exchange, CREATE_LINK)).toEqual({
      status: 200,
      data: { createLink: { link: { flow: 'TRANSFER' } } },
    });
    expect(await queryGraph(exchange, QUERY, { referenceId })).toEqual({
      status: 200,
      data: { requestMoney, link: null },
    });
  });

  test('is missing in an event of a subscription, which goes on', async () => {
    const referenceId = newReference();
    const socket = await subscriberOf(server);
    const live = followStatuses(socket, { referenceId, after: await presentCursor(socket, exchange) });
    await createMoneyRequest(exchange, moneyRequestBody(referenceId));
    const [created] = await live.take(1);

    await killIdle('subgraph-users');
    await updateStatus(exchange, { referenceId, status: 'processing' });
    await until('an event with an error', () => live.errors.length > 0);
    expect(live.errors).toMatchObject([unreachable('users')]);

    await server.restart('subgraph-users');
    await updateStatus(exchange, { referenceId, status: 'completed' });
    await until('an event without', () =>
      statusesOf(live.events).some(([, status]) => status === 'COMPLETED'),
    );
    expect(live.errors).toHaveLength(1);
    const again = followStatuses(socket, { referenceId, after: cursorOf(created) });
    expect(statusesOf(await again.take(2))).toEqual([
      ['PENDING', 'PROCESSING'],
      ['PROCESSING', 'COMPLETED'],
    ]);
  });

  test('and one that hangs is not waited for: 503 within 5 s; it is called again when it goes on', async () => {
    const pid = server.pidOf('subgraph-links');
    const list = async () => {
      const [response, seconds] = await takeTime(() =>
        exchange({ method: 'GET', path: '/partner/links', headers: { 'X-API-Key': KEYS.acme } }),
      );
      return { ...response, inTime: seconds < 5 };
    };
    expect((await list()).status).toBe(200);
    process.kill(pid, 'SIGSTOP');
    try {
      const { status, headers, text, inTime } = await list();
      expect([status, headers['retry-after'], inTime]).toEqual([503, '5', true]);
      expect(JSON.parse(text)).toMatchObject({ success: false, error: { code: 'SERVICE_UNAVAILABLE' } });
    } finally {
      process.kill(pid, 'SIGCONT');
    }
    await until('an answer', async () => (await list()).status === 200);
  });

  test('ends its subscriptions with its name; they resume without gap or duplicate', async () => {
    const [expiring, paid] = [newReference(), newReference()];
    const socket = await subscriberOf(server);
    const live = followStatuses(socket, { after: await presentCursor(socket, exchange) });
    await createMoneyRequest(exchange, moneyRequestBody(expiring, { expiresInMinutes: 1 }));
    await createMoneyRequest(exchange, moneyRequestBody(paid));
    await until('both', () => movesOf(live.events).some(([reference]) => reference === paid));
    const after = cursorOf(live.events.at(-1));

    await killIdle('subgraph-request-money');
    await until('the end', () => live.completed());
    expect(live.errors).toMatchObject([unreachable('request-money')]);
    const unserved = await createMoneyRequest(exchange, moneyRequestBody(newReference()));
    expect([unserved.status, JSON.parse(unserved.text)]).toMatchObject([
      503,
      { error: { code: 'SERVICE_UNAVAILABLE' } },
    ]);
    expect(unserved.headers['retry-after']).toBe('5');
    expect(server.output()).toMatch(/"level":"warn".*"subgraph":"request-money".*"subgraph\.request_failed"/);
    // The worker does the rest meanwhile: a money request whose time is over.
    await expireMoneyRequest(await deployment.database(), expiring);
    const rejected = followStatuses(socket, { after });
    await until('an error', () => rejected.errors.length > 0);
    expect(rejected.errors).toMatchObject([unreachable('request-money')]);

    await server.restart('subgraph-request-money');
    const resumed = followStatuses(socket, { after });
    await updateStatus(exchange, { referenceId: paid, status: 'processing' });
    await resumed.take(2);
    await updateStatus(exchange, { referenceId: paid, status: 'completed' });
    expect(movesOf(await resumed.take(3))).toEqual([
      [expiring, 'CANCELLED'],
      [paid, 'PROCESSING'],
      [paid, 'COMPLETED'],
    ]);
    expect(resumed.errors).toEqual([]);
  });
});

describe('Two gateways', () => {
  test('show what happens through each other, and take over from one that is killed', async () => {
    const [first, second] = [newReference(), newReference()];
    const socket = await subscriberOf(other);
    const live = followStatuses(socket, { after: await presentCursor(socket, exchange) });
    await createMoneyRequest(exchange, moneyRequestBody(first));
    await until('the event', () => movesOf(live.events).some(([reference]) => reference === first));
    const after = cursorOf(live.events.at(-1));

    await idle();
    await other.kill('SIGKILL', 'gateway');
    expect(await socket.closed).toMatchObject({ code: 1006 });
    await createMoneyRequest(exchange, moneyRequestBody(second));
    const resumed = followStatuses(await subscriberOf(server), { after });
    await resumed.take(1);
    await updateStatus(exchange, { referenceId: second, status: 'cancelled' });
    expect(movesOf(await resumed.take(2))).toEqual([
      [second, 'PENDING'],
      [second, 'CANCELLED'],
    ]);
  });
});

describe('A worker that is killed', () => {
  test('leaves events and webhooks to the next', async () => {
    const referenceId = newReference();
    const attempts = () => deployment.receiver.webhooks.filter(({ text }) => text.includes(referenceId));
    const socket = await subscriberOf(server);
    const live = followStatuses(socket, { referenceId, after: await presentCursor(socket, exchange) });
    await killIdle('worker');
    deployment.receiver.answer((_webhook, nth) => (nth === 1 ? 500 : 204));
    await createMoneyRequest(exchange, moneyRequestBody(referenceId));
    const deliveries = (await deployment.database()).collection('webhookDeliveries');
    const countOverdue = () =>
      deliveries.countDocuments({ status: 'PENDING', attempt: 1, nextAttemptAt: { $lt: new Date() } });
    await until('a second attempt to be due', async () => (await countOverdue()) === 1);
    expect([attempts().length, live.events]).toEqual([1, []]);

    await server.restart('worker');
    await until('a second attempt', () => attempts().length === 2);
    expect(statusesOf(await live.take(1))).toEqual([[null, 'PENDING']]);
    await idle();
  });
});
