import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import Fastify, { type FastifyInstance } from 'fastify';
import WebSocket from 'ws';
import type { Principal, RequestContext } from '../../../subgraphs/kernel/principal.ts';
import { until } from '../../../test/support/until.ts';
import { BoundedQueue, type Engine } from '../../engine/index.ts';
import { createTestGraph } from '../../engine/testing/index.ts';
import { createClientDocuments } from '../documents/client-documents.ts';
import { createStreamDrain } from '../drain.ts';
import { paceOf } from '../sockets/inbound.ts';
import { createClientStreams } from './client-streams.ts';
import { countOfPartners } from './open-counts.ts';
import { addWebSocket } from './websocket.ts';

const PRINCIPAL: Principal = { accountId: 'acme/sandbox', keyId: 'k', scopes: ['partner'] };
const PAIRS = 300;

interface Message {
  readonly id: string;
  readonly type: string;
  readonly payload: unknown;
}

let app: FastifyInstance;
let socket: WebSocket;
let received: Message[];
/** Those that follow, by the number that they follow. */
let followers: Map<BoundedQueue<{ changed: number }>, number>;
let queries: number;

beforeEach(async () => {
  received = [];
  followers = new Map();
  queries = 0;
  const { engine } = createTestGraph({
    subgraphs: { one: 'type Query { a: Int } type Subscription { changed(n: Int): Int }' },
    resolvers: {
      Query: {
        a: async () => {
          queries += 1;
          await new Promise((resolve) => setTimeout(resolve, 20));
          return 7;
        },
      },
      Subscription: {
        changed: {
          // Some start sooner than those before them.
          subscribe: async (_source, { n }) => {
            await new Promise((resolve) => setTimeout(resolve, 20 * Math.random()));
            const queue = new BoundedQueue<{ changed: number }>({
              limit: 1_000,
              returned: () => void followers.delete(queue),
            });
            followers.set(queue, Number(n));
            return queue;
          },
        },
      },
    },
  });
  app = Fastify({ forceCloseConnections: true });
  addWebSocket(app, {
    engine: engine as unknown as Engine<RequestContext>,
    documents: createClientDocuments(),
    credentials: { authenticate: async () => PRINCIPAL },
    revocations: { watch: () => () => undefined },
    sockets: countOfPartners(1_000, 1),
    drain: createStreamDrain({ seconds: 0 }),
    clients: createClientStreams({
      limits: { events: 10, bytes: 10_000 },
      metrics: { started: () => undefined, sent: () => undefined, ended: () => undefined },
      log: app.log,
    }),
    limits: { take: () => ({ allowed: true, quotas: [] }) },
    pace: paceOf(10_000),
    requestLog: { record: () => undefined },
  });
  await app.listen({ host: '127.0.0.1', port: 0 });
  socket = new WebSocket(
    `ws://127.0.0.1:${(app.server.address() as AddressInfo).port}/graphql`,
    'graphql-transport-ws',
  );
  await once(socket, 'open');
  socket.on('message', (data) => received.push(JSON.parse(String(data))));
  socket.send('{"type":"connection_init","payload":{"X-API-Key":"key"}}');
  await until('the acknowledgement', () => received.length === 1);
  received.length = 0;
});
afterEach(async () => {
  socket.terminate();
  await app.close();
});

const say = (message: object) => socket.send(JSON.stringify(message));
const subscribe = (id: string, n: number) =>
  say({
    id,
    type: 'subscribe',
    payload: { query: 'subscription ($n: Int) { changed(n: $n) }', variables: { n } },
  });
const complete = (id: string) => say({ id, type: 'complete' });

function publish(): void {
  for (const [queue, n] of followers) {
    queue.push({ changed: n });
  }
}

test('A subscription that is completed at once never runs instead of the next one with its id', async () => {
  for (let n = 0; n < PAIRS; n++) {
    subscribe('1', n);
    complete('1');
  }
  subscribe('1', PAIRS);
  await until('only the last one', () => followers.size === 1 && [...followers.values()].includes(PAIRS));
  // A query through the same engine is answered after all earlier operations.
  say({ id: 'q', type: 'subscribe', payload: { query: '{ a }' } });
  await until('the answer', () => received.some(({ id, type }) => id === 'q' && type === 'complete'));
  await until('the others have gone', () => followers.size === 1);
  publish();
  await until('its event', () => received.some(({ id }) => id === '1'));
  expect(received.filter(({ id }) => id === '1')).toEqual([
    { id: '1', type: 'next', payload: { data: { changed: PAIRS } } },
  ]);
  complete('1');
  await until('none is left', () => followers.size === 0);
});

test('Each operation with an id is answered by its own result', async () => {
  say({ id: '1', type: 'subscribe', payload: { query: '{ a }' } });
  complete('1');
  subscribe('1', 5);
  await until('the subscription', () => followers.size === 1);
  publish();
  await until('its event', () => received.length > 0);
  expect(received).toEqual([{ id: '1', type: 'next', payload: { data: { changed: 5 } } }]);
});

test('A mutation or query that is completed before it has started does not run', async () => {
  say({ id: '1', type: 'subscribe', payload: { query: '{ a }' } });
  complete('1');
  say({ id: '2', type: 'subscribe', payload: { query: '{ a }' } });
  await until('the second answer', () => received.some(({ type }) => type === 'complete'));
  expect(received.map(({ id, type }) => [id, type])).toEqual([
    ['2', 'next'],
    ['2', 'complete'],
  ]);
  expect(queries).toBe(1);
});
