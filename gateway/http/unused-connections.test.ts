import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import Fastify, { type FastifyInstance } from 'fastify';
import { WebSocket } from 'ws';
import { serveGraphQLSockets } from './sockets/graphql-sockets.ts';
import { addWebSocketRoute } from './sockets/websocket-route.ts';
import { endUnusedConnections } from './unused-connections.ts';

let app: FastifyInstance;
let port: number;
let answer: () => void;

beforeEach(async () => {
  app = Fastify({ forceCloseConnections: 'idle' });
  endUnusedConnections(app);
  const held = new Promise<void>((resolve) => {
    answer = resolve;
  });
  app.get('/', async (_request, reply) => {
    await held;
    return reply.header('connection', 'close').send('done');
  });
  await app.listen({ port: 0, host: '127.0.0.1' });
  port = (app.server.address() as AddressInfo).port;
});
afterEach(async () => {
  answer();
  await app.close();
});

test('a server that closes does not wait for a connection without a request', async () => {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => undefined);
  const [accepted] = await Promise.all([once(app.server, 'connection'), once(socket, 'connect')]);
  expect(accepted).toHaveLength(1);
  await app.close();
  expect(app.server.listening).toBe(false);
});

test('an offer to upgrade that nobody takes is answered like any request', async () => {
  answer();
  const socket = connect(port, '127.0.0.1');
  socket.write('GET / HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\n');
  const received: Buffer[] = [];
  for await (const bytes of socket) {
    received.push(bytes);
  }
  expect(Buffer.concat(received).toString()).toMatch(/^HTTP\/1\.1 200 /);
});

test('a WebSocket is in use: it is closed by its own words', async () => {
  const sockets = Fastify({ forceCloseConnections: 'idle' });
  endUnusedConnections(sockets);
  addWebSocketRoute(sockets, '/graphql', (server) =>
    serveGraphQLSockets({ start: async () => ({}), textOf: JSON.stringify }, server, sockets.log),
  );
  await sockets.listen({ port: 0, host: '127.0.0.1' });
  const address = sockets.server.address() as AddressInfo;
  const socket = new WebSocket(`ws://127.0.0.1:${address.port}/graphql`, 'graphql-transport-ws');
  await once(socket, 'open');
  const ended = once(socket, 'close');
  await sockets.close();
  expect((await ended)[0]).toBe(1001);
});

test('a request that runs is answered', async () => {
  const running = fetch(`http://127.0.0.1:${port}/`);
  await once(app.server, 'request');
  const closed = app.close();
  answer();
  expect(await (await running).text()).toBe('done');
  await closed;
});
