import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, jest, test } from '@jest/globals';
import { type WebSocket, WebSocketServer } from 'ws';
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

/** Waits, in real time, until a value no longer changes. */
async function untilStill(value: () => number): Promise<void> {
  for (let last = -1; last !== value(); ) {
    last = value();
    await sleep(50);
  }
}

/** A subgraph with more events than the buffers of the system hold; it sends each when the one before has left the process. */
async function serveReplay(total: number) {
  const server = new WebSocketServer({
    port: 0,
    host: '127.0.0.1',
    handleProtocols: () => 'graphql-transport-ws',
  });
  const replay = { url: '', sent: 0, pongs: 0, open: () => server.clients.size };
  opened.push({
    async close() {
      for (const socket of server.clients) {
        socket.terminate();
      }
      server.close();
    },
  });
  const filler = 'x'.repeat(5_000);
  const sendNext = (socket: WebSocket, id: string): void => {
    if (replay.sent === total) {
      socket.send(JSON.stringify({ id, type: 'complete' }));
      return;
    }
    replay.sent += 1;
    const payload = { data: { ticks: replay.sent, filler } };
    socket.send(JSON.stringify({ id, type: 'next', payload }), () => sendNext(socket, id));
  };
  server.on('connection', (socket) => {
    socket.on('pong', () => {
      replay.pongs += 1;
    });
    socket.send('{"type":"connection_ack"}');
    socket.on('message', (bytes) => {
      const { type, id } = JSON.parse(String(bytes));
      if (type === 'subscribe') {
        sendNext(socket, id);
      } else if (type === 'ping') {
        socket.send('{"type":"pong"}');
      }
    });
  });
  await once(server, 'listening');
  replay.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return replay;
}

const MANY = 4_000;

describe('A slow reader of a WebSocket', () => {
  test('slows the sender, and loses nothing', async () => {
    const replay = await serveReplay(MANY);
    const events = await open(replay.url);
    await untilStill(() => replay.sent);
    expect(replay.sent).toBeLessThan(MANY);
    let seen = 0;
    for await (const event of events) {
      seen += 1;
      expect(event.data?.ticks).toBe(seen);
    }
    expect(seen).toBe(MANY);
  });

  test('keeps its connection: unsolicited pongs answer for it, and no pong is expected while it is paused', async () => {
    holdTimers();
    const replay = await serveReplay(MANY);
    const events = await open(replay.url);
    await untilStill(() => replay.sent);
    for (let n = 1; n <= 10; n += 1) {
      jest.advanceTimersByTime(10_000);
      // Real moments: the pong is on its way.
      while (replay.pongs < n) {
        await sleep(5);
      }
    }
    let seen = 0;
    for await (const _event of events) {
      seen += 1;
    }
    expect(seen).toBe(MANY);
  });

  test('closes its connection at once when it leaves', async () => {
    holdTimers();
    const replay = await serveReplay(MANY);
    const events = (await open(replay.url))[Symbol.asyncIterator]();
    await untilStill(() => replay.sent);
    await events.return?.();
    // Not after the 30 s that ws waits for the answer to a close, which this test does not let pass.
    await untilStill(replay.open);
    expect(replay.open()).toBe(0);
  });
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
