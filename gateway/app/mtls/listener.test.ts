import { once } from 'node:events';
import { connect, type TLSSocket } from 'node:tls';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import Fastify, { type FastifyInstance } from 'fastify';
import { clientCertificateOf } from '../../../subgraphs/kernel/http/client-certificate.ts';
import { createLogger } from '../../../subgraphs/kernel/log/log.ts';
import { exchangeByTls, type TlsClient } from '../../../test/support/https.ts';
import { until } from '../../../test/support/until.ts';
import { createAuthority, type Identity, issueCertificate } from '../../cli/certs/certificates.ts';
import { toPkcs12 } from '../../cli/certs/pkcs12.ts';
import { httpTimeouts } from '../../http/http-timeouts.ts';
import { confineMtls } from './confine.ts';
import { addMtlsListener } from './listener.ts';

let authority: Identity;
let server: Identity;
let client: Identity;
const apps: FastifyInstance[] = [];
beforeAll(async () => {
  authority = await createAuthority('CA');
  server = await issueCertificate(authority, { name: 's', usage: 'server', hosts: ['127.0.0.1'] });
  client = await issueCertificate(authority, { name: 'c', usage: 'client' });
});
afterAll(() => Promise.all(apps.map((app) => app.close())));

/** An application on both listeners; `/v1/user/slow` is answered when `release` is called. */
async function start(timeouts = httpTimeouts()) {
  const app = Fastify();
  apps.push(app);
  const slow = { isRunning: false, release: () => {} };
  confineMtls(app, '/v1/user/', (_request, reply) => reply.code(404).send('confined'));
  app.get('/v1/user/who', async (request) => clientCertificateOf(request) ?? 'nobody');
  app.get('/v1/user/:id', async (request) => request.params);
  app.get('/v1/user/slow', async () => {
    slow.isRunning = true;
    await new Promise<void>((done) => {
      slow.release = done;
    });
    return 'done';
  });
  app.get('/elsewhere', async () => 'plain');
  const log = createLogger({ level: 'silent' });
  const identity = { port: 0, cert: server.cert, key: server.key, ca: authority.cert };
  const mtls = addMtlsListener(app, { host: '127.0.0.1', log, identity, timeouts });
  await app.listen({ port: 0, host: '127.0.0.1' });
  const { port } = await mtls.listen();
  return { app, port, slow };
}

const get = (port: number, by: TlsClient, path = '/v1/user/who') =>
  exchangeByTls(port, { ca: authority.cert, ...by })({ method: 'GET', path });

describe('The mutual-TLS listener', () => {
  let port: number;
  let app: FastifyInstance;
  beforeAll(async () => {
    ({ app, port } = await start());
  });

  test('knows the certificate of its client', async () => {
    const { status, text } = await get(port, client);
    expect([status, text]).toEqual([200, expect.stringMatching(/^[0-9a-f]{64}$/)]);
  });

  test('accepts a client with a PKCS#12 file', async () => {
    const pfx = await toPkcs12(client, [authority.cert], 'secret');
    const { text } = await get(port, { pfx, passphrase: 'secret' });
    expect(text).toBe((await get(port, client)).text);
  });

  test.each(['TLSv1.2', 'TLSv1.3'] as const)('speaks %s', async (version) => {
    const { status } = await get(port, { ...client, minVersion: version, maxVersion: version });
    expect(status).toBe(200);
  });

  const HOUR_MS = 3_600_000;
  const hours = (from: number, to: number) => ({
    from: new Date(Date.now() + from * HOUR_MS),
    to: new Date(Date.now() + to * HOUR_MS),
  });
  const issue = (validity: ReturnType<typeof hours>) =>
    issueCertificate(authority, { name: 'c', usage: 'client', validity });
  test.each<[string, () => Promise<TlsClient> | TlsClient]>([
    ['no certificate', () => ({})],
    [
      'a certificate of another authority of the same name',
      async () => issueCertificate(await createAuthority('CA'), { name: 'c', usage: 'client' }),
    ],
    ['a certificate that signs itself', () => createAuthority('c')],
    ['an expired certificate', () => issue(hours(-2, -1))],
    ['a certificate of tomorrow', () => issue(hours(24, 48))],
    ["a server's certificate", () => server],
    [
      'TLS 1.1',
      () => ({ ...client, maxVersion: 'TLSv1.1', minVersion: 'TLSv1', ciphers: 'ALL:@SECLEVEL=0' }),
    ],
  ])('rejects %s', async (_what, by) => {
    const shown = await by();
    await expect(get(port, shown)).rejects.toThrow(/alert|ECONNRESET|socket hang up|protocol version/i);
    expect((await get(port, client)).status).toBe(200);
  });

  test('serves only the paths below the prefix', async () => {
    for (const path of ['/elsewhere', '/v1/user/../../elsewhere', '/v1/user', '/V1/user/who', '/nothing']) {
      const { status, text } = await get(port, client, path);
      expect([path, status, text]).toEqual([path, 404, 'confined']);
    }
    const plain = await app.inject('/elsewhere');
    expect(plain.body).toBe('plain');
  });

  test('is not what the plain listener is', async () => {
    expect((await app.inject('/v1/user/who')).body).toBe('nobody');
  });
});

async function openUnused(port: number): Promise<TLSSocket> {
  const socket = connect({ host: '127.0.0.1', port, ca: authority.cert, ...client });
  socket.on('error', () => {});
  await once(socket, 'secureConnect');
  return socket;
}

describe('A request that does not come to an end', () => {
  test.each([
    ['half a head', 'GET /v1/user/who HTTP/1.1\r\nhost: x\r\nx-drip: '],
    ['half a body', 'POST /v1/user/who HTTP/1.1\r\nhost: x\r\ncontent-length: 100000\r\n\r\n'],
  ])('is cut off: %s', async (_what, bytes) => {
    const { port } = await start(httpTimeouts(1));
    const socket = await openUnused(port);
    let answer = '';
    socket.setEncoding('utf8').on('data', (text: string) => {
      answer += text;
    });
    socket.write(bytes);
    const drip = setInterval(() => socket.write('x'), 100);
    await once(socket, 'close');
    clearInterval(drip);
    expect(answer).toMatch(/^HTTP\/1\.1 (404|408) /);
  });
});

describe('The end of the application', () => {
  test('lets running requests finish, and does not wait for idle connections', async () => {
    const { app, port, slow } = await start();
    const unused = await openUnused(port);
    const unusedClosed = once(unused, 'close');
    const answer = get(port, client, '/v1/user/slow');
    await until('the request runs', () => slow.isRunning);
    const closed = app.close();
    await unusedClosed;
    await expect(get(port, client)).rejects.toThrow(/ECONNREFUSED|ECONNRESET/);
    slow.release();
    expect((await answer).text).toBe('done');
    await closed;
  });

  test('succeeds if it never listened', async () => {
    const app = Fastify();
    const log = createLogger({ level: 'silent' });
    addMtlsListener(app, {
      host: '127.0.0.1',
      log,
      identity: { port: 0, cert: server.cert, key: server.key, ca: authority.cert },
    });
    await app.close();
  });
});

test('A port in use is reported with its setting', async () => {
  const { port } = await start();
  const app = Fastify();
  apps.push(app);
  const log = createLogger({ level: 'silent' });
  const identity = { port, cert: server.cert, key: server.key, ca: authority.cert };
  const mtls = addMtlsListener(app, { host: '127.0.0.1', log, identity });
  await expect(mtls.listen()).rejects.toThrow(
    /^MTLS_PORT: cannot listen on 127\.0\.0\.1, port \d+: .*EADDRINUSE/,
  );
});
