import { once } from 'node:events';
import { request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from '@jest/globals';
import Fastify from 'fastify';
import { ignoreExpectations } from './expectations.ts';
import { endUnusedConnections } from './unused-connections.ts';

test('a request with an unknown expectation is answered, also by a server that begins to close meanwhile', async () => {
  const app = Fastify({ forceCloseConnections: 'idle' });
  endUnusedConnections(app);
  ignoreExpectations(app.server);
  let answer: () => void = () => undefined;
  const held = new Promise<void>((resolve) => {
    answer = resolve;
  });
  const arrived = new Promise<void>((resolve) => {
    app.get('/', async (_request, reply) => {
      resolve();
      await held;
      return reply.header('connection', 'close').send('done');
    });
  });
  await app.listen({ port: 0, host: '127.0.0.1' });
  const { port } = app.server.address() as AddressInfo;
  const call = request({ host: '127.0.0.1', port, headers: { expect: 'a-miracle' } }).end();
  const response = once(call, 'response');
  await arrived;
  const closed = app.close();
  // By now, connections without a request are destroyed.
  await new Promise((resolve) => setTimeout(resolve, 50));
  answer();
  const [answered] = await response;
  answered.resume();
  expect(answered.statusCode).toBe(200);
  await closed;
});
