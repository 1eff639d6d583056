import type { LookupAddress } from 'node:dns';
import { type AddressInfo, createServer, type Server, Socket } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { createTestCertificate, type TestCertificate } from '../../test/support/test-certificate.ts';
import { parseUrl } from '../kernel/parse-url.ts';
import { createAddressGuard } from './address-guard.ts';
import type { ResolveAll } from './connector.ts';
import { createSender, type Sender, type SendOutcome } from './sender.ts';
import { type Receiver, startReceiver } from './testing.ts';

/** Longer than any of these needs: no result must look like a time-out. */
const TIMEOUT_MS = 20_000;

/** Hosts of URLs that lead into the inside by themselves. PORT is the port of a server that listens there. */
const LITERALS: readonly (readonly [name: string, host: string])[] = [
  ['loopback', '127.0.0.1:PORT'],
  ['loopback by another address', '127.127.127.127:PORT'],
  ['decimal', '2130706433:PORT'],
  ['decimal metadata', '2852039166'],
  ['hexadecimal', '0x7f000001:PORT'],
  ['hexadecimal in capitals', '0X7F000001:PORT'],
  ['hexadecimal parts', '0x7f.0x0.0x0.0x1:PORT'],
  ['octal', '0177.0.0.1:PORT'],
  ['octal with many zeros', '00000000177.0.0.01:PORT'],
  ['octal in one number', '017700000001:PORT'],
  ['bases mixed', '0x7f.0.01:PORT'],
  ['short', '127.1:PORT'],
  ['shorter', '127.0.1:PORT'],
  ['zero', '0:PORT'],
  ['unspecified', '0.0.0.0:PORT'],
  ['trailing dot', '127.0.0.1.:PORT'],
  ['full-width digits', '１２７.０.０.１:PORT'],
  ['ideographic full stops', '127。0。0。1:PORT'],
  ['half-width full stops', '127｡0｡0｡1:PORT'],
  ['digits in circles', '①②⑦.⓪.⓪.①:PORT'],
  ['percent-encoded digits', '%31%32%37.0.0.1:PORT'],
  ['percent-encoded dots', '127%2e0%2e0%2e1:PORT'],
  ['a soft hyphen', '127.0.0\u00ad.1:PORT'],
  ['a tab and a line feed', '127.0.\t0.\n1:PORT'],
  ['behind a user', 'hooks.example.com@127.0.0.1:PORT'],
  ['behind a user and a password', 'hooks.example.com:443@127.0.0.1:PORT'],
  ['behind two users', 'a@hooks.example.com@127.0.0.1:PORT'],
  ['behind an encoded @', 'hooks.example.com%40@127.0.0.1:PORT'],
  ['before a backslash', '127.0.0.1:PORT\\@hooks.example.com'],
  ['before a fragment', '127.0.0.1:PORT#@hooks.example.com/'],
  ['before a question mark', '127.0.0.1:PORT?@hooks.example.com/'],
  ['behind too many slashes', '//127.0.0.1:PORT'],
  ['the port of SSH', '127.0.0.1:22'],
  ['port 0', '127.0.0.1:0'],
  ['the highest port', '127.0.0.1:65535'],
  ['private 10', '10.0.0.1'],
  ['private 172', '172.31.255.255'],
  ['private 192', '192.168.0.1'],
  ['carrier-grade NAT', '100.64.0.1'],
  ['cloud metadata', '169.254.169.254'],
  ['cloud metadata in octal', '0251.0376.0251.0376'],
  ['cloud metadata in hexadecimal', '0xa9fea9fe'],
  ['container credentials', '169.254.170.2'],
  ['metadata in shared space', '100.100.100.200'],
  ['metadata at 192.0.0.192', '192.0.0.192'],
  ['broadcast', '255.255.255.255'],
  ['multicast', '224.0.0.1'],
  ['IPv6 loopback', '[::1]:PORT'],
  ['IPv6 loopback in full', '[0:0:0:0:0:0:0:1]:PORT'],
  ['IPv6 unspecified', '[::]:PORT'],
  ['mapped', '[::ffff:127.0.0.1]:PORT'],
  ['mapped in hexadecimal', '[::ffff:7f00:1]:PORT'],
  ['mapped metadata', '[::ffff:a9fe:a9fe]'],
  ['IPv4-compatible', '[::127.0.0.1]:PORT'],
  ['IPv4-translated', '[::ffff:0:127.0.0.1]:PORT'],
  ['NAT64', '[64:ff9b::127.0.0.1]:PORT'],
  ['local NAT64', '[64:ff9b:1::7f00:1]:PORT'],
  ['6to4', '[2002:7f00:1::]:PORT'],
  ['Teredo', '[2001:0:7f00:1::80ff:fffe]:PORT'],
  ['ISATAP on a link', '[fe80::5efe:7f00:1]:PORT'],
  ['link-local', '[fe80::1]:PORT'],
  ['unique-local', '[fd00::1]'],
  ['metadata over IPv6', '[fd00:ec2::254]'],
  ['site-local', '[fec0::1]'],
  ['IPv6 multicast to all nodes', '[ff02::1]'],
];

/** The answers of a name server for a partner's host. */
const ANSWERS: readonly (readonly [name: string, addresses: readonly string[]])[] = [
  ['loopback', ['127.0.0.1']],
  ['IPv6 loopback', ['::1']],
  ['several, all of them inside', ['10.0.0.1', '::1', '169.254.169.254', '192.168.1.1']],
  ['link-local with a zone', ['fe80::1%eth0']],
  ['loopback with a zone', ['::1%lo']],
  ['mapped with a zone', ['::ffff:127.0.0.1%1']],
  ['mapped', ['::ffff:127.0.0.1']],
  ['NAT64 of loopback', ['64:ff9b::7f00:1']],
  ['6to4 of loopback', ['2002:7f00:1::']],
  ['Teredo', ['2001:0:7f00:1::80ff:fffe']],
  ['unspecified', ['0.0.0.0']],
  ['another name in place of an address', ['localhost']],
  ['an address that only some parsers take', ['127.1']],
  ['octal', ['0177.0.0.1']],
  ['nothing', []],
];

/** URLs that are none for a webhook. */
const NO_URLS = [
  'https://[fe80::1%25lo]:PORT/',
  'https://[fe80::1%lo]:PORT/',
  'https://[::1%25lo]:PORT/',
  'https://127.0.0.1.1:PORT/',
  'https://256.0.0.1:PORT/',
  'https://0x100000000:PORT/',
  'https://127.0.0.1:99999/',
  'https://127.0.0.1 :PORT/',
  'https://[127.0.0.1]:PORT/',
  'https://127.0.0.1%00.hooks.example.com:PORT/',
  'https:///',
  'http://127.0.0.1:PORT/',
  'gopher://127.0.0.1:PORT/',
  'file:///etc/passwd',
  'data:text/plain,hello',
  'unix:/var/run/docker.sock',
  'ws://127.0.0.1:PORT/',
];

const OWN_NAMES = [
  'localhost',
  'LOCALHOST',
  'localhost.',
  'ｌｏｃａｌｈｏｓｔ',
  'ⓛⓞⓒⓐⓛⓗⓞⓢⓣ',
  'local\u00adhost',
];

const PROXY_VARIABLES = ['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY', 'NODE_USE_ENV_PROXY'].flatMap((name) => [
  name,
  name.toLowerCase(),
]);

describe('no URL and no name server has a webhook sent inside', () => {
  let certificate: TestCertificate;
  let receiver: Receiver;
  let inside: Server;
  let port: number;
  let accepted = 0;
  /** Addresses that a connection of this process was begun to. */
  const dialled: string[] = [];
  const { connect } = Socket.prototype;
  const senders: Sender[] = [];

  const send = (url: string, resolve?: ResolveAll, allowed: string[] = []): Promise<SendOutcome> => {
    const sender = createSender({
      guard: createAddressGuard(allowed),
      timeoutMs: TIMEOUT_MS,
      ca: [certificate.cert],
      ...(resolve ? { resolve } : {}),
    });
    senders.push(sender);
    return sender.send({ url, headers: {}, body: Buffer.from('{}') }, new AbortController().signal);
  };
  const withPort = (text: string) => text.replace('PORT', String(port));

  beforeAll(async () => {
    Socket.prototype.connect = function (this: Socket, ...args: Parameters<typeof connect>) {
      this.on('connectionAttempt', (ip: string) => dialled.push(ip));
      return Reflect.apply(connect, this, args);
    } as typeof connect;
    certificate = await createTestCertificate();
    receiver = await startReceiver(certificate, {
      ...Object.fromEntries(
        [301, 302, 303, 307, 308].map((status) => [
          `/${status}`,
          (_request, response) =>
            response.writeHead(status, { location: withPort('https://127.0.0.1:PORT/') }).end(),
        ]),
      ),
      '/refresh': (_request, response) =>
        response.writeHead(200, { refresh: withPort('0; url=https://127.0.0.1:PORT/') }).end(),
    });
    inside = createServer((socket) => {
      accepted += 1;
      socket.destroy();
    });
    // All addresses of this machine, of both kinds.
    await new Promise<void>((listening) => inside.listen(0, listening));
    ({ port } = inside.address() as AddressInfo);
  });
  beforeEach(() => {
    dialled.length = 0;
  });
  afterAll(async () => {
    Socket.prototype.connect = connect;
    await Promise.all(senders.map((sender) => sender.close()));
    await receiver.close();
    await new Promise((closed) => inside.close(closed));
    certificate.remove();
  });

  test('the proof notices a packet: what may be sent inside is dialled, and accepted there', async () => {
    const before = accepted;
    expect(await send(withPort('https://127.0.0.1:PORT/'), undefined, ['127.0.0.0/8'])).toMatchObject({
      kind: 'failed',
    });
    expect(dialled).toEqual(['127.0.0.1']);
    expect(accepted).toBe(before + 1);
  });

  test(`${LITERALS.length} ways to write an address into a URL`, async () => {
    const before = accepted;
    // None is known to a name server: what is no address to the URL parser must not become one later.
    const outcomes = await Promise.all(
      LITERALS.map(async ([name, host]) => [name, await send(`https://${withPort(host)}/`, resolveNothing)]),
    );
    const rejected = { kind: 'failed', errorClass: 'refused_address', answer: Buffer.alloc(0) };
    expect(outcomes).toEqual(LITERALS.map(([name]) => [name, rejected]));
    expect(dialled).toEqual([]);
    expect(accepted).toBe(before);
  });

  test(`${ANSWERS.length} answers of a name server`, async () => {
    const before = accepted;
    const outcomes = await Promise.all(
      ANSWERS.map(async ([name, addresses]) => [
        name,
        await send(withPort('https://hooks.example.com:PORT/'), resolveTo(addresses)),
      ]),
    );
    const rejected = expect.objectContaining({ kind: 'failed', errorClass: 'refused_address' });
    expect(outcomes).toEqual(ANSWERS.map(([name]) => [name, rejected]));
    expect(dialled).toEqual([]);
    expect(accepted).toBe(before);
  });

  test.each(NO_URLS)('not a URL of a webhook: %s', async (url) => {
    expect(await send(withPort(url), resolveTo(['127.0.0.1']))).toMatchObject({ errorClass: 'bad_url' });
    expect(dialled).toEqual([]);
  });

  // The URL Standard takes such a host as it is since 2026 (whatwg/url a8d5ca37), and so does Node from 24 on.
  test.each(['https://xn--/', 'https://xn--a.example:PORT/'])(
    'a host with broken Punycode, which only some versions of Node take for a URL: %s',
    async (url) => {
      const errorClass = parseUrl(withPort(url)) ? 'refused_address' : 'bad_url';
      expect(await send(withPort(url), resolveTo(['127.0.0.1']))).toMatchObject({ errorClass });
      expect(dialled).toEqual([]);
    },
  );

  test('the machine by its own name, asked of the system', async () => {
    const before = accepted;
    const outcomes = await Promise.all(OWN_NAMES.map((host) => send(withPort(`https://${host}:PORT/`))));
    expect(outcomes.map(({ kind }) => kind)).toEqual(OWN_NAMES.map(() => 'failed'));
    expect(dialled).toEqual([]);
    expect(accepted).toBe(before);
  });

  test('a name that leads outside first and inside at the next attempt', async () => {
    const before = accepted;
    const answers = [['127.0.0.1'], ['127.0.0.2', '::1']];
    const asked: string[] = [];
    const sender = createSender({
      guard: createAddressGuard(['127.0.0.1/32']),
      timeoutMs: TIMEOUT_MS,
      ca: [certificate.cert],
      resolve: (hostname, options, callback) => {
        asked.push(hostname);
        resolveTo(answers.shift() ?? [])(hostname, options, callback);
      },
    });
    senders.push(sender);
    const post = (url: string) =>
      sender.send({ url, headers: {}, body: Buffer.from('{}') }, new AbortController().signal);
    const outside = `https://localhost:${receiver.port}/`;
    expect(await post(outside)).toMatchObject({ kind: 'delivered' });
    // Another port is another connection, and another look.
    const rebound = withPort('https://localhost:PORT/');
    expect(await post(rebound)).toMatchObject({ errorClass: 'refused_address' });
    expect(asked).toEqual(['localhost', 'localhost']);
    expect(dialled).toEqual(['127.0.0.1']);
    expect(accepted).toBe(before);
  });

  test.each(['301', '302', '303', '307', '308', 'refresh'])(
    'an answer that leads inside: %s',
    async (path) => {
      const before = accepted;
      await send(receiver.url(`/${path}`), undefined, ['127.0.0.1/32']);
      expect(dialled).toEqual(['127.0.0.1']);
      expect(accepted).toBe(before);
    },
  );

  test('proxies that the environment names are not asked, neither for what is rejected nor for what is sent', async () => {
    const before = accepted;
    for (const name of PROXY_VARIABLES) {
      process.env[name] = withPort('http://127.0.0.1:PORT');
    }
    try {
      expect(await send('https://10.0.0.1/')).toMatchObject({ errorClass: 'refused_address' });
      const outcome = await send(receiver.url('/sent'), undefined, ['127.0.0.1/32']);
      expect(outcome).toMatchObject({ kind: 'delivered' });
    } finally {
      for (const name of PROXY_VARIABLES) {
        delete process.env[name];
      }
    }
    expect(dialled).toEqual(['127.0.0.1']);
    expect(accepted).toBe(before);
  });
});

const resolveNothing: ResolveAll = (_hostname, _options, callback) =>
  callback(Object.assign(new Error('no such host'), { code: 'ENOTFOUND' }), []);

function resolveTo(addresses: readonly string[]): ResolveAll {
  return (_hostname, _options, callback) => {
    const found = addresses.map(
      (address): LookupAddress => ({ address, family: address.includes(':') ? 6 : 4 }),
    );
    callback(null, found);
  };
}
