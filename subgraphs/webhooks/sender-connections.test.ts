import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createTestCertificate, type TestCertificate } from '../../test/support/test-certificate.ts';
import { createAddressGuard } from './address-guard.ts';
import type { ResolveAll } from './connector.ts';
import { createSender, type Sender } from './sender.ts';

const never = new AbortController().signal;
const AT_ONCE = 4;

let certificate: TestCertificate;
let server: Server;
let sender: Sender;
let connections = 0;
/** Where the receiver's name leads. */
let address = '127.0.0.1';
let lookups = 0;

beforeAll(async () => {
  certificate = await createTestCertificate();
  server = createServer({ key: certificate.key, cert: certificate.cert }, (request, response) => {
    request.resume().on('end', () => response.writeHead(204).end());
  });
  server.on('secureConnection', () => {
    connections += 1;
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const resolve: ResolveAll = (_hostname, _options, callback) => {
    lookups += 1;
    callback(null, [{ address, family: 4 }]);
  };
  sender = createSender({
    guard: createAddressGuard(['127.0.0.0/8']),
    timeoutMs: 20_000,
    ca: [certificate.cert],
    resolve,
  });
});
afterAll(async () => {
  await sender.close();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  certificate.remove();
});

const send = () => {
  const { port } = server.address() as AddressInfo;
  const request = { url: `https://localhost:${port}/hook`, headers: {}, body: Buffer.from('{}') };
  return sender.send(request, never);
};

test('many deliveries to one receiver share few connections, and one that is closed is made anew past the guard', async () => {
  const sendInTurn = async () => {
    for (let sent = 0; sent < 25; sent += 1) {
      expect(await send()).toMatchObject({ kind: 'delivered' });
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, sendInTurn));
  // One that has just answered may count as busy for a moment, so there may be some more.
  expect(connections).toBeLessThanOrEqual(2 * AT_ONCE);
  expect(lookups).toBe(connections);

  address = '10.0.0.1';
  expect(await send()).toMatchObject({ kind: 'delivered' });
  const before = connections;
  server.closeAllConnections();
  // The first may still have been given a connection that was closing.
  const outcomes = [await send(), await send()];
  expect(outcomes.at(-1)).toMatchObject({ kind: 'failed', errorClass: 'refused_address' });
  expect(connections).toBe(before);
});
