import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type AddressInfo, createServer as createTcpServer, type Server, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { TLSSocket } from 'node:tls';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createTestCertificate, type TestCertificate } from '../../test/support/test-certificate.ts';
import { createAddressGuard } from './address-guard.ts';
import type { ResolveAll } from './connector.ts';
import { createSender, type Sender, type SendOutcome } from './sender.ts';

const never = new AbortController().signal;
const DNS_MS = 40;
const TLS_MS = 120;
const ANSWER_MS = 80;
const TIMEOUT_MS = 1_000;

let certificate: TestCertificate;
let server: Server;
let sender: Sender;
const sockets: Socket[] = [];
/** Whether the receiver shakes hands. */
let speaksTls = true;

const answer = async (request: IncomingMessage, response: ServerResponse) => {
  request.resume();
  if (request.url === '/silent') {
    return;
  }
  await delay(ANSWER_MS);
  response.writeHead(request.url === '/500' ? 500 : 204).end();
};

/** Takes its time before the handshake. */
const handshake = async (socket: Socket, http: ReturnType<typeof createServer>) => {
  sockets.push(socket);
  await delay(TLS_MS);
  if (speaksTls) {
    const { key, cert } = certificate;
    http.emit('connection', new TLSSocket(socket, { isServer: true, key, cert }));
  }
};

const resolve: ResolveAll = (hostname, _options, callback) => {
  const found = () =>
    callback(null, [{ address: hostname === 'inside' ? '10.0.0.1' : '127.0.0.1', family: 4 }]);
  setTimeout(found, DNS_MS);
};

beforeAll(async () => {
  certificate = await createTestCertificate();
  const http = createServer(answer);
  server = createTcpServer((socket) => handshake(socket, http));
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const guard = createAddressGuard(['127.0.0.0/8']);
  sender = createSender({ guard, timeoutMs: TIMEOUT_MS, ca: [certificate.cert], resolve });
});
afterAll(async () => {
  await sender.close();
  for (const socket of sockets) {
    socket.destroy();
  }
  await new Promise((closed) => server.close(closed));
  certificate.remove();
});

async function timingOf(host: string, path: string, by: Sender = sender) {
  const { port } = server.address() as AddressInfo;
  const request = { url: `https://${host}:${port}${path}`, headers: {}, body: Buffer.from('{}') };
  const started = performance.now();
  const outcome = (await by.send(request, never)) as Exclude<SendOutcome, { kind: 'aborted' }>;
  return { timing: outcome.timing, ms: performance.now() - started };
}

test('each part is timed by itself on a new connection, and those of the connection are absent on one that was kept', async () => {
  const { timing, ms } = await timingOf('localhost', '/');
  const { reused, dnsMs = 0, connectMs = 0, tlsMs = 0, firstByteMs = 0 } = timing ?? {};
  expect(reused).toBe(false);
  // Timers may be a millisecond early.
  expect(dnsMs).toBeGreaterThanOrEqual(DNS_MS - 2);
  expect(tlsMs).toBeGreaterThanOrEqual(TLS_MS - 5);
  expect(firstByteMs).toBeGreaterThanOrEqual(ANSWER_MS - 2);
  expect(dnsMs + connectMs + tlsMs + firstByteMs).toBeLessThanOrEqual(ms + 4);

  // The connection counts as busy for a moment after the answer.
  await delay(20);
  const kept = await timingOf('localhost', '/500');
  expect(kept.timing).toEqual({ reused: true, firstByteMs: expect.any(Number) });
  expect(kept.timing?.firstByteMs).toBeGreaterThanOrEqual(ANSWER_MS - 2);
});

test('two at once are not taken for one another', async () => {
  const timings = await Promise.all(['/', '/', '/'].map((path) => timingOf('127.0.0.1', path)));
  for (const { timing } of timings) {
    expect(timing).toEqual({
      reused: false,
      connectMs: expect.any(Number),
      tlsMs: expect.any(Number),
      firstByteMs: expect.any(Number),
    });
  }
});

test('a phase that never ended is absent: the answer, the handshake', async () => {
  expect((await timingOf('localhost', '/silent')).timing).not.toHaveProperty('firstByteMs');
  speaksTls = false;
  expect((await timingOf('mute', '/')).timing).toEqual({
    reused: false,
    dnsMs: expect.any(Number),
    connectMs: expect.any(Number),
  });
  speaksTls = true;
});

test('a host that leads nowhere is not timed: that would distinguish an inside address from none', async () => {
  expect((await timingOf('inside', '/')).timing).toBeUndefined();
  expect((await timingOf('10.0.0.1', '/')).timing).toBeUndefined();
});
