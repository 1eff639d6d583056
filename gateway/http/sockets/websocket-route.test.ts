import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import { expect, test } from '@jest/globals';
import Fastify from 'fastify';
import { paceOf } from '../../../test/runner/pace.ts';
import { takeTime } from '../../../test/support/ticks.ts';
import { serveGraphQLSockets } from './graphql-sockets.ts';
import { addWebSocketRoute } from './websocket-route.ts';

test('an application that closes does not wait for a client that never answers the close of its socket', async () => {
  const app = Fastify();
  const application = { start: async () => ({}), textOf: JSON.stringify };
  addWebSocketRoute(app, '/graphql', (server) =>
    serveGraphQLSockets(application, server, app.log, { initWithinMs: 60_000 }),
  );
  await app.listen({ host: '127.0.0.1', port: 0 });
  const socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1');
  socket.on('error', () => undefined);
  const upgrade = [
    'GET /graphql HTTP/1.1',
    'host: localhost',
    'connection: upgrade',
    'upgrade: websocket',
    'sec-websocket-version: 13',
    `sec-websocket-key: ${randomBytes(16).toString('base64')}`,
    'sec-websocket-protocol: graphql-transport-ws',
  ];
  socket.write(`${upgrade.join('\r\n')}\r\n\r\n`);
  expect(String(await once(socket, 'data'))).toMatch(/^HTTP\/1\.1 101 /);
  const [, seconds] = await takeTime(() => app.close());
  expect(seconds).toBeLessThan(10 * paceOf());
  socket.destroy();
});
