import type { LookupAddress } from 'node:dns';
import { type AddressInfo, createServer as createTcpServer, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createTestCertificate, type TestCertificate } from '../../test/support/test-certificate.ts';
import { createAddressGuard } from './address-guard.ts';
import type { ResolveAll } from './connector.ts';
import { createSender, type Sender, type SendOutcome } from './sender.ts';
import { signedHeaders } from './sign.ts';
import { type Receiver, startReceiver } from './testing.ts';

/** For what is to run into the time-out. */
const TIMEOUT_MS = 400;
/** For all else: busy cores are no fault of the sender. */
const PATIENCE_MS = 20_000;
const never = new AbortController().signal;
const TIMED = expect.objectContaining({ reused: false });

/** A name server of fixed answers; the answers of one name are given in turn, the last for ever. */
function nameServer(answers: Record<string, string[][]>): { resolve: ResolveAll; asked: string[] } {
  const asked: string[] = [];
  const resolve: ResolveAll = (hostname, _options, callback) => {
    const turn = asked.filter((name) => name === hostname).length;
    asked.push(hostname);
    const addresses = answers[hostname]?.[turn] ?? answers[hostname]?.at(-1);
    if (!addresses) {
      callback(Object.assign(new Error('no such host'), { code: 'ENOTFOUND' }), []);
      return;
    }
    const found = addresses.map(
      (address): LookupAddress => ({ address, family: address.includes(':') ? 6 : 4 }),
    );
    callback(null, found);
  };
  return { resolve, asked };
}

describe('sender', () => {
  let certificate: TestCertificate;
  let receiver: Receiver;
  const senders: Sender[] = [];
  const servers: Server[] = [];
  const sockets: Socket[] = [];

  interface SenderOptions {
    readonly allowed?: string[];
    readonly resolve?: ResolveAll;
    readonly ca?: boolean;
    readonly timeoutMs?: number;
  }

  const senderFor = (options: SenderOptions = {}) => {
    const { allowed = ['127.0.0.0/8'], resolve, ca = true, timeoutMs = PATIENCE_MS } = options;
    const sender = createSender({
      guard: createAddressGuard(allowed),
      timeoutMs,
      // Without the public authorities, which each sender reads anew: a hundred and more.
      ...(ca ? { ca: [certificate.cert] } : {}),
      ...(resolve ? { resolve } : {}),
    });
    senders.push(sender);
    return sender;
  };
  const post = (url: string, options?: SenderOptions, signal = never) =>
    senderFor(options).send({ url, headers: {}, body: Buffer.from('{}') }, signal);
  const listen = async (server: Server) => {
    servers.push(server);
    server.on('connection', (socket) => sockets.push(socket));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return (server.address() as AddressInfo).port;
  };

  const postInVain = (url: string, options: SenderOptions = {}, signal = never) =>
    post(url, { ...options, timeoutMs: TIMEOUT_MS }, signal);

  beforeAll(async () => {
    certificate = await createTestCertificate();
    receiver = await startReceiver(certificate, {
      '/200': (_request, response) => response.end('thanks'),
      '/500': (_request, response) => response.writeHead(500).end('broken'),
      '/404': (_request, response) => response.writeHead(404).end(),
      '/302': (_request, response) =>
        response.writeHead(302, { location: receiver.url('/200') }).end('moved'),
      '/304': (_request, response) => response.writeHead(304).end(),
      '/silent': () => undefined,
      '/reset': (_request, response) => response.socket?.destroy(),
    });
  });

  afterAll(async () => {
    await Promise.all(senders.map((sender) => sender.close()));
    await receiver.close();
    for (const socket of sockets) {
      socket.destroy();
    }
    await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
    certificate.remove();
  });

  test('any 2xx is a delivery', async () => {
    expect(await post(receiver.url('/200'))).toEqual({
      kind: 'delivered',
      statusCode: 200,
      answer: Buffer.from('thanks'),
      timing: TIMED,
    });
    expect(await post(receiver.url('/204'))).toMatchObject({ kind: 'delivered', statusCode: 204 });
  });

  test.each([
    ['/500', 'http_status', 500, 'broken'],
    ['/404', 'http_status', 404, ''],
    ['/302', 'redirect', 302, 'moved'],
    ['/304', 'redirect', 304, ''],
  ])('%s fails as %s', async (path, errorClass, statusCode, answer) => {
    const before = receiver.to('/200').length;
    expect(await post(receiver.url(path))).toEqual({
      kind: 'failed',
      errorClass,
      statusCode,
      answer: Buffer.from(answer),
      timing: TIMED,
    });
    expect(receiver.to('/200')).toHaveLength(before);
  });

  test('no answer in time', async () => {
    const started = performance.now();
    expect(await postInVain(receiver.url('/silent'))).toMatchObject({
      kind: 'failed',
      errorClass: 'timeout',
    });
    expect(performance.now() - started).toBeGreaterThanOrEqual(TIMEOUT_MS - 5);
  });

  test('the time covers the TLS handshake', async () => {
    const port = await listen(createTcpServer(() => undefined));
    expect(await postInVain(`https://127.0.0.1:${port}/`)).toMatchObject({ errorClass: 'timeout' });
  });

  test('the time covers the resolver', async () => {
    const outcome = await postInVain(`https://slow.test:${receiver.port}/`, { resolve: () => undefined });
    expect(outcome).toMatchObject({ errorClass: 'timeout' });
  });

  test('a connection that breaks before the answer', async () => {
    expect(await post(receiver.url('/reset'))).toMatchObject({ kind: 'failed', errorClass: 'network' });
  });

  test('nobody listens', async () => {
    const port = await listen(createTcpServer());
    await new Promise((resolve) => servers.pop()?.close(resolve));
    expect(await post(`https://127.0.0.1:${port}/`)).toMatchObject({ errorClass: 'network' });
  });

  test('an unknown host', async () => {
    const { resolve } = nameServer({});
    expect(await post('https://nowhere.test/', { resolve })).toMatchObject({ errorClass: 'network' });
  });

  test('a certificate that nobody vouches for, or of another host', async () => {
    expect(await post(receiver.url('/200'), { ca: false })).toMatchObject({ errorClass: 'tls' });
    const { resolve } = nameServer({ 'other.test': [['127.0.0.1']] });
    const url = `https://other.test:${receiver.port}/200`;
    expect(await post(url, { resolve })).toMatchObject({ kind: 'failed', errorClass: 'tls' });
  });

  test('a server that does not speak TLS', async () => {
    const port = await listen(createTcpServer((socket) => socket.end('HTTP/1.1 200 OK\r\n\r\n')));
    expect(await post(`https://127.0.0.1:${port}/`)).toMatchObject({ errorClass: 'tls' });
  });

  test.each(['http://127.0.0.1/', 'ftp://127.0.0.1/', 'localhost', '', 'https://'])(
    'not an HTTPS URL: %j',
    async (url) => {
      expect(await post(url)).toEqual({ kind: 'failed', errorClass: 'bad_url', answer: Buffer.alloc(0) });
    },
  );

  test('credentials in the URL become Basic authentication', async () => {
    await post(`https://user:p%40ss@127.0.0.1:${receiver.port}/auth`);
    expect(receiver.to('/auth')[0]?.headers.authorization).toBe('Basic dXNlcjpwQHNz');
  });

  test('given up by the caller, under way or before', async () => {
    const controller = new AbortController();
    const underWay = post(receiver.url('/silent'), {}, controller.signal);
    controller.abort();
    expect(await underWay).toEqual({ kind: 'aborted' });
    expect(await post(receiver.url('/200'), {}, controller.signal)).toEqual({ kind: 'aborted' });
  });

  describe('forbidden addresses', () => {
    const rejected: Partial<SendOutcome> = { kind: 'failed', errorClass: 'refused_address' };
    let port: number;
    let connections = 0;
    beforeAll(async () => {
      port = await listen(createTcpServer(() => undefined));
      servers.at(-1)?.on('connection', () => {
        connections += 1;
      });
    });

    test.each([
      '127.0.0.1',
      '2130706433',
      '0x7f.1',
      '0177.0.0.1',
      'user@127.0.0.1',
      '[::1]',
      '[::ffff:7f00:1]',
    ])('written as %s', async (host) => {
      expect(await postInVain(`https://${host}:${port}/`, { allowed: [] })).toMatchObject(rejected);
      expect(connections).toBe(0);
    });

    test('behind a name', async () => {
      const { resolve } = nameServer({ 'inside.test': [['10.0.0.1', '::1', '169.254.169.254']] });
      expect(await postInVain(`https://inside.test:${port}/`, { allowed: [], resolve })).toMatchObject(
        rejected,
      );
      expect(connections).toBe(0);
    });

    test('take as long as a name that does not exist, which partners must not distinguish from them', async () => {
      const { resolve } = nameServer({ 'inside.test': [['10.0.0.1']] });
      for (const host of ['inside.test', 'nowhere.test', '10.0.0.1']) {
        const started = performance.now();
        await postInVain(`https://${host}/`, { allowed: [], resolve });
        expect(performance.now() - started).toBeGreaterThan(TIMEOUT_MS - 10);
      }
    });

    test('a stop does not wait for that', async () => {
      const controller = new AbortController();
      const underWay = post('https://10.0.0.1/', { allowed: [] }, controller.signal);
      setTimeout(() => controller.abort(), 50);
      expect(await underWay).toEqual({ kind: 'aborted' });
    });

    test('behind a name of the system resolver', async () => {
      expect(await post(`https://localhost:${port}/`, { allowed: [] })).toMatchObject(rejected);
      expect(connections).toBe(0);
    });

    test('connects only to the permitted ones of several addresses', async () => {
      const { resolve } = nameServer({ localhost: [['10.255.255.1', '127.0.0.1']] });
      const outcome = await post(`https://localhost:${receiver.port}/200`, { resolve });
      expect(outcome).toMatchObject({ kind: 'delivered' });
    });

    test('a name that changes its mind is asked once, and what was checked is connected to', async () => {
      const { resolve, asked } = nameServer({ localhost: [['127.0.0.1'], ['127.0.0.2']] });
      const outcome = await post(`https://localhost:${receiver.port}/200`, {
        allowed: ['127.0.0.1/32'],
        resolve,
      });
      expect(outcome).toMatchObject({ kind: 'delivered' });
      expect(asked).toEqual(['localhost']);
    });
  });

  test('header names are on the wire as the documents print them', async () => {
    let wire = '';
    const { key, cert } = certificate;
    const port = await listen(
      createTlsServer({ key, cert }, (socket) => {
        socket.on('data', (chunk: Buffer) => {
          wire += chunk.toString('latin1');
          if (wire.endsWith('{"a":1}')) {
            socket.end('HTTP/1.1 204 No Content\r\nconnection: close\r\n\r\n');
          }
        });
      }),
    );
    const body = Buffer.from('{"a":1}');
    const lines = new Map<string, string[]>();
    for (const scheme of ['request_money', 'partner', 'outcome'] as const) {
      wire = '';
      const headers = signedHeaders({ scheme, event: 'e', deliveryId: 'd', secret: 'secret_0', body, at: 1 });
      const outcome = await senderFor().send(
        { url: `https://127.0.0.1:${port}/hook?x=1`, headers, body },
        never,
      );
      expect(outcome.kind).toBe('delivered');
      const [first = '', ...names] = wire.split('\r\n\r\n')[0]?.split('\r\n') ?? [];
      expect(first).toBe('POST /hook?x=1 HTTP/1.1');
      lines.set(
        scheme,
        names.map((line) => line.slice(0, line.indexOf(':'))),
      );
    }
    expect(Object.fromEntries(lines)).toEqual({
      request_money: expect.arrayContaining([
        'Content-Type',
        'X-Webhook-Event',
        'X-Webhook-Delivery-Id',
        'X-Webhook-Signature',
      ]),
      partner: expect.arrayContaining([
        'Content-Type',
        'X-RAAS-Signature',
        'X-RAAS-Timestamp',
        'X-RAAS-Event',
        'X-Webhook-Delivery-Id',
      ]),
      outcome: expect.arrayContaining(['Content-Type', 'X-Webhook-Delivery-Id', 'x-raas-signature']),
    });
    expect(lines.get('outcome')).not.toContain('X-Webhook-Event');
  });
});
