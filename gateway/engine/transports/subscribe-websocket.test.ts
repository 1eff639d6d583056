import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { afterEach, describe, expect, jest, test } from '@jest/globals';
import { WebSocketServer } from 'ws';
import { holdTimers } from '../../../test/support/held-time.ts';
import { until } from '../../../test/support/until.ts';
import { type ClosesAt, serveClosingSockets } from '../testing/closing-sockets.ts';
import { createHttpTransport } from './http.ts';
import type { SubgraphFetch, SubgraphResponse } from './transport.ts';

const opened: { close(): Promise<void> }[] = [];
afterEach(async () => {
  jest.useRealTimers();
  for (const one of opened.splice(0).reverse()) {
    await one.close();
  }
});

const TICKS: SubgraphFetch = {
  subgraph: 's',
  document: 'subscription { ticks }',
  operationKind: 'subscription',
  operationName: null,
};

async function open(url: string): Promise<AsyncIterable<SubgraphResponse>> {
  const transport = createHttpTransport({ url, maxResponseBytes: 10_000 });
  opened.push(transport);
  const stream = await transport.subscribe(TICKS, {}, { requestId: 'r-1' });
  if (!(Symbol.asyncIterator in stream)) {
    throw new Error(JSON.stringify(stream));
  }
  return stream;
}

const codeOf = (error: { extensions?: { code?: unknown } }) => error.extensions?.code ?? error;

describe.each([1000, 1001, 1005, 1011, 1012, 4400, 4403, 4409, 4500])(
  'A WebSocket that the subgraph closes with %i',
  (code) => {
    test.each<ClosesAt>(['before acknowledging', 'after acknowledging', 'after subscribe', 'after an event'])(
      '%s fails the events once, and is not opened again',
      async (at) => {
        const server = await serveClosingSockets(at, code, { ticks: 1 });
        opened.push(server);
        const events: unknown[] = [];
        const read = async () => {
          for await (const event of await open(server.url)) {
            events.push(event);
          }
        };
        const error = await read().catch((thrown) => thrown);
        expect(codeOf(error)).toBe('SUBGRAPH_UNREACHABLE');
        expect(String(error.cause)).toContain(`The subgraph closed the WebSocket: ${code}`);
        expect(events).toEqual(at === 'after an event' ? [{ data: { ticks: 1 } }] : []);
        // A reconnection would have arrived by now: this connection is accepted after it.
        await open(server.url).catch(() => undefined);
        expect(server.connections()).toBe(2);
      },
    );
  },
);

test.each([
  ['is not of the protocol', '[]', 'SUBGRAPH_RESPONSE_INVALID'],
  ['is too large', 'x'.repeat(20_000), 'SUBGRAPH_RESPONSE_TOO_LARGE'],
])('A message that %s fails the events with a code of its own', async (_name, message, code) => {
  const server = new WebSocketServer({
    port: 0,
    host: '127.0.0.1',
    handleProtocols: () => 'graphql-transport-ws',
  });
  opened.push({ close: async () => server.close() });
  server.on('connection', (socket) => {
    socket.send('{"type":"connection_ack"}');
    socket.on('message', (bytes) => String(bytes).includes('"subscribe"') && socket.send(message));
  });
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const events = (await open(`http://127.0.0.1:${port}`))[Symbol.asyncIterator]();
  expect(codeOf(await events.next().catch((error) => error))).toBe(code);
});

test('A subgraph that answers no ping fails the events', async () => {
  holdTimers();
  const server = new WebSocketServer({
    port: 0,
    host: '127.0.0.1',
    handleProtocols: () => 'graphql-transport-ws',
  });
  opened.push({
    async close() {
      for (const socket of server.clients) {
        socket.terminate();
      }
      server.close();
    },
  });
  const pinged = new Promise<void>((resolve) => {
    server.on('connection', (socket) => {
      socket.send('{"type":"connection_ack"}');
      socket.on('message', (bytes) => {
        const text = String(bytes);
        if (text.includes('"subscribe"')) {
          jest.advanceTimersByTime(10_000);
        } else if (text.includes('"ping"')) {
          resolve();
        }
      });
    });
  });
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const events = (await open(`http://127.0.0.1:${port}`))[Symbol.asyncIterator]();
  const failed = events.next().catch((error) => error);
  await pinged;
  jest.advanceTimersByTime(5_000);
  expect(codeOf(await failed)).toBe('SUBGRAPH_UNREACHABLE');
});

test('A caller that leaves before it is open does not crash the process', async () => {
  let connections = 0;
  let gone = 0;
  const silent = createServer((socket) => {
    connections += 1;
    socket.resume().on('error', () => undefined);
    socket.on('close', () => {
      gone += 1;
    });
  }).listen(0, '127.0.0.1');
  await once(silent, 'listening');
  opened.push({ close: async () => void silent.close() });
  const { port } = silent.address() as AddressInfo;
  const transport = createHttpTransport({
    url: `http://127.0.0.1:${port}/graphql`,
    subscriptions: { protocol: 'websocket' },
  });
  opened.push(transport);
  const caller = new AbortController();
  const subscribed = transport.subscribe(TICKS, {}, { requestId: 'r-1', signal: caller.signal });
  await until('the connection', () => connections === 1);
  caller.abort(new Error('gone'));
  await expect(subscribed).rejects.toThrow('gone');
  // Then the socket emits an error. Without a listener it would fail this test, and end the process of the product.
  await until('the end of the connection', () => gone === 1);
});
