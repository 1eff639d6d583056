import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import Fastify, { type FastifyBaseLogger, type FastifyInstance } from 'fastify';
import WebSocket, { type ClientOptions } from 'ws';
import { createLogger } from '../../../subgraphs/kernel/log/log.ts';
import { until } from '../../../test/support/until.ts';
import { serveGraphQLSockets } from './graphql-sockets.ts';
import type { SocketOperation, StartedOperation } from './socket-operation.ts';
import { addWebSocketRoute } from './websocket-route.ts';

const PING_MS = 12_000;
const MIB = 1024 * 1024;

let app: FastifyInstance;
let lines: string[];
/** Sockets, as the server has them. */
let opened: WebSocket[];
/** The server's functions for operations. */
let start: (operation: SocketOperation) => Promise<StartedOperation>;

beforeEach(async () => {
  lines = [];
  opened = [];
  const loggerInstance: FastifyBaseLogger = createLogger({
    level: 'info',
    destination: { write: (line) => void lines.push(line) },
  });
  app = Fastify({ loggerInstance });
  addWebSocketRoute(app, '/graphql', (server) => {
    server.on('connection', (socket) => opened.push(socket));
    return serveGraphQLSockets(
      { start: (operation) => start(operation), textOf: JSON.stringify },
      server,
      app.log,
    );
  });
  await app.listen({ host: '127.0.0.1', port: 0 });
});
afterEach(async () => {
  jest.useRealTimers();
  for (const socket of opened) {
    socket.terminate();
  }
  await app.close();
});

async function connect(options: ClientOptions = {}): Promise<WebSocket> {
  const { port } = app.server.address() as AddressInfo;
  const client = new WebSocket(`ws://127.0.0.1:${port}/graphql`, 'graphql-transport-ws', options);
  client.on('error', () => undefined);
  await once(client, 'open');
  client.send('{"type":"connection_init"}');
  await once(client, 'message');
  return client;
}

function subscribe(client: WebSocket, id: string): void {
  client.send(JSON.stringify({ id, type: 'subscribe', payload: { query: '{ any }' } }));
}

/** Pings come when the test lets time pass, not while a busy machine passes on what stands before them. */
const holdPings = () =>
  jest.useFakeTimers({
    doNotFake: ['nextTick', 'setImmediate', 'setTimeout', 'clearTimeout', 'performance', 'Date'],
  });

describe('a socket', () => {
  test('should be ended when its client lets too much wait', async () => {
    holdPings();
    const text = 'x'.repeat(16 * MIB);
    start = async () =>
      (async function* () {
        while (true) {
          yield { data: { text } };
          await nextTurn();
        }
      })();
    const client = await connect();
    client.pause();
    for (const id of ['1', '2', '3', '4', '5', '6']) {
      subscribe(client, id);
    }
    await until('the server has ended it', async () => opened[0]?.readyState === WebSocket.CLOSED);
    const reported = lines.find((line) => line.includes('websocket.client_too_slow'));
    const { waitingBytes } = JSON.parse(reported ?? '{}') as { waitingBytes?: number };
    expect(waitingBytes).toBeGreaterThan(32 * MIB);
    // The answers of six subscriptions at most: each waits for its message before it makes another one.
    expect(waitingBytes).toBeLessThan(6 * 17 * MIB);
    client.terminate();
  });

  test('should read no more events for a client while it is closing', async () => {
    let read = 0;
    start = async () =>
      (async function* () {
        while (true) {
          read += 1;
          yield { data: { read } };
          await nextTurn();
        }
      })();
    const client = await connect();
    subscribe(client, '1');
    await until('events are read', async () => read > 1);
    // It does not answer the close.
    client.pause();
    opened[0]?.close(4403, 'Forbidden');
    const before = read;
    for (let turns = 0; turns < 1_000; turns += 1) {
      await nextTurn();
    }
    expect(read - before).toBeLessThan(3);
    client.terminate();
  });

  test('should stay open, and lose nothing, while its client reads', async () => {
    holdPings();
    const text = 'x'.repeat(16 * MIB);
    start = async () =>
      (async function* () {
        for (const _ of [1, 2, 3, 4]) {
          yield { data: { text } };
        }
      })();
    const client = await connect();
    const types: string[] = [];
    client.on('message', (bytes) => types.push((JSON.parse(String(bytes)) as { type: string }).type));
    subscribe(client, '1');
    await until('all of it has come', async () => types.at(-1) === 'complete');
    expect(types).toEqual(['next', 'next', 'next', 'next', 'complete']);
    expect(opened[0]?.readyState).toBe(WebSocket.OPEN);
    client.close();
  });

  test.each([
    ['be ended by the ping after the one that its client has not answered', false],
    ['stay open while its client answers pings', true],
  ])('should %s', async (_name, autoPong) => {
    holdPings();
    const client = await connect({ autoPong });
    let pings = 0;
    let pongs = 0;
    client.on('ping', () => {
      pings += 1;
    });
    opened[0]?.on('pong', () => {
      pongs += 1;
    });
    jest.advanceTimersByTime(PING_MS);
    await until('the client has the ping', async () => pings === 1 && pongs === Number(autoPong));
    expect(opened[0]?.readyState).toBe(WebSocket.OPEN);
    const closed = once(client, 'close');
    jest.advanceTimersByTime(PING_MS);
    if (autoPong) {
      await until('the client has another one', async () => pings === 2);
      expect(opened[0]?.readyState).toBe(WebSocket.OPEN);
      client.close();
    }
    const [code] = (await closed) as [number];
    expect([code, pings]).toEqual(autoPong ? [1005, 2] : [1006, 1]);
  });
});
