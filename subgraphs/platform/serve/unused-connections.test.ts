import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import Fastify, { type FastifyInstance } from 'fastify';
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

test('a request that runs is answered', async () => {
  const running = fetch(`http://127.0.0.1:${port}/`);
  await once(app.server, 'request');
  const closed = app.close();
  answer();
  expect(await (await running).text()).toBe('done');
  await closed;
});
