import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type AddressInfo, createServer as createTcpServer, type Server, type Socket } from 'node:net';
import { setTimeout as delay, setImmediate as nextTurn } from 'node:timers/promises';
import { TLSSocket } from 'node:tls';
import { afterAll, afterEach, beforeAll, expect, jest, test } from '@jest/globals';
import { holdTimers } from '../../test/support/held-time.ts';
import { createTestCertificate, type TestCertificate } from '../../test/support/test-certificate.ts';
import { until } from '../../test/support/until.ts';
import { createAddressGuard } from './address-guard.ts';
import type { ResolveAll } from './connector.ts';
import { createSender, type Sender, type SendOutcome } from './sender.ts';

const never = new AbortController().signal;
const DNS_MS = 40;
const TLS_MS = 120;
const ANSWER_MS = 80;
/** More than any attempt takes on a busy machine. */
const TIMEOUT_MS = 30_000;

let certificate: TestCertificate;
let server: Server;
let sender: Sender;
const sockets: Socket[] = [];
let requests = 0;

/** Takes at least `ms` of the stopwatch's clock. A timer alone may take less: it counts from the start of its turn. */
async function pause(ms: number) {
  const end = performance.now() + ms;
  while (performance.now() < end) {
    await delay(1);
  }
}

/** Whether the receiver shakes hands. */
let speaksTls = true;

const answer = async (request: IncomingMessage, response: ServerResponse) => {
  request.resume();
  requests += 1;
  if (request.url === '/silent') {
    return;
  }
  await pause(ANSWER_MS);
  response.writeHead(request.url === '/500' ? 500 : 204).end();
};

/** Takes its time before the handshake. */
const handshake = async (socket: Socket, http: ReturnType<typeof createServer>) => {
  sockets.push(socket);
  // The sender, too, has noticed its connection.
  await nextTurn();
  await nextTurn();
  await pause(TLS_MS);
  if (speaksTls) {
    const { key, cert } = certificate;
    http.emit('connection', new TLSSocket(socket, { isServer: true, key, cert }));
  }
};

const resolve: ResolveAll = (hostname, _options, callback) => {
  const found = () =>
    callback(null, [{ address: hostname === 'inside' ? '10.0.0.1' : '127.0.0.1', family: 4 }]);
  void pause(DNS_MS).then(found);
};

beforeAll(async () => {
  certificate = await createTestCertificate();
  const http = createServer(answer);
  server = createTcpServer((socket) => handshake(socket, http));
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const guard = createAddressGuard(['127.0.0.0/8']);
  sender = createSender({ guard, timeoutMs: TIMEOUT_MS, ca: [certificate.cert], resolve });
});
afterEach(() => void jest.useRealTimers());
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
  expect(dnsMs).toBeGreaterThanOrEqual(DNS_MS);
  expect(tlsMs).toBeGreaterThanOrEqual(TLS_MS);
  expect(firstByteMs).toBeGreaterThanOrEqual(ANSWER_MS);
  expect(dnsMs + connectMs + tlsMs + firstByteMs).toBeLessThanOrEqual(ms + 4);

  let kept: typeof timing;
  await until('a kept connection', async () => {
    // The connection counts as busy for a moment after the answer.
    await delay(20);
    kept = (await timingOf('localhost', '/500')).timing;
    return kept?.reused === true;
  });
  expect(kept).toEqual({ reused: true, firstByteMs: expect.any(Number) });
  expect(kept?.firstByteMs).toBeGreaterThanOrEqual(ANSWER_MS);
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

/** An attempt whose time ends as soon as it `hasCome` to the receiver. */
async function timingInVain(host: string, path: string, hasCome: () => boolean) {
  holdTimers();
  const attempt = timingOf(host, path);
  while (!hasCome()) {
    await nextTurn();
  }
  // The sender, too, has noticed its connection.
  await nextTurn();
  await nextTurn();
  jest.advanceTimersByTime(TIMEOUT_MS);
  return attempt;
}

test('a phase that never ended is absent: the answer, the handshake', async () => {
  const asked = requests;
  const silent = await timingInVain('localhost', '/silent', () => requests > asked);
  expect(silent.timing).toMatchObject({ reused: expect.any(Boolean) });
  expect(silent.timing).not.toHaveProperty('firstByteMs');
  speaksTls = false;
  const connected = sockets.length;
  const mute = await timingInVain('mute', '/', () => sockets.length > connected);
  expect(mute.timing).toEqual({
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
