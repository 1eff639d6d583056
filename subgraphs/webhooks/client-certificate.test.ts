import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { createAuthority, type Identity, issueCertificate } from '../../test/support/test-certificate.ts';
import type { ReceiverTls } from './testing.ts';
import { openTestBench, type TestBench, testDelivery } from './testing-engine.ts';

const DAY_MS = 86_400_000;
/**
 * By version of TLS, the class of an attempt without the right certificate. In TLS 1.3 a client's handshake ends before the
 * receiver has checked it, and Node's receivers close the connection without a reason.
 */
const REFUSED = [
  ['TLSv1.2', 'tls'],
  ['TLSv1.3', 'network'],
] as const;

describe('A receiver of client certificates', () => {
  const folder = mkdtempSync(join(tmpdir(), 'remitgraph-client-certificate-'));
  let bench: TestBench;
  let authority: Identity;
  let own: Identity;
  beforeAll(async () => {
    [bench, authority] = await Promise.all([openTestBench(), createAuthority('Webhooks CA')]);
    own = await issueCertificate(authority, { name: 'webhooks', usage: 'client' });
  });
  afterEach(() => bench.reset());
  afterAll(async () => {
    await bench.close();
    rmSync(folder, { recursive: true });
  });

  /** The settings with this certificate, in files. */
  function presenting({ cert, key }: Identity) {
    const client = { certFile: join(folder, 'cert.pem'), keyFile: join(folder, 'key.pem') };
    writeFileSync(client.certFile, cert);
    writeFileSync(client.keyFile, key);
    return { client };
  }

  /** The first attempt at such a receiver, and the requests that the receiver got. */
  async function deliver(config: Parameters<TestBench['start']>[0], tls: ReceiverTls = {}) {
    const receiver = await bench.receive({}, { ca: authority.cert, requestCert: true, ...tls });
    const engine = bench.start(config);
    const [id = ''] = await bench.enqueue(engine, testDelivery(receiver.url('/hook')));
    await engine.run();
    const [attempt] = await bench.attempts(engine, id);
    return { attempt, requests: receiver.requests.length };
  }

  test.each(REFUSED)('gets that of the settings, by %s', async (version, _errorClass) => {
    const tls = { minVersion: version, maxVersion: version };
    expect(await deliver(presenting(own), tls)).toMatchObject({
      attempt: { statusCode: 204, errorClass: null },
      requests: 1,
    });
  });

  test.each(REFUSED)('gets no webhook without one, by %s', async (version, errorClass) => {
    const tls = { minVersion: version, maxVersion: version };
    const { attempt, requests } = await deliver({}, tls);
    expect([attempt?.statusCode, attempt?.errorClass, requests]).toEqual([null, errorClass, 0]);
  });

  test('gets no webhook with a certificate that has expired, or that another authority has signed', async () => {
    const validity = { from: new Date(Date.now() - 2 * DAY_MS), to: new Date(Date.now() - DAY_MS) };
    const expired = await issueCertificate(authority, { name: 'webhooks', usage: 'client', validity });
    const another = await createAuthority('Another CA');
    const foreign = await issueCertificate(another, { name: 'webhooks', usage: 'client' });
    for (const identity of [expired, foreign]) {
      const { attempt, requests } = await deliver(presenting(identity));
      expect([attempt?.statusCode, attempt?.errorClass, requests]).toEqual([null, 'network', 0]);
    }
  });

  test('gets webhooks too if it asks for none', async () => {
    expect(await deliver(presenting(own), { requestCert: false })).toMatchObject({
      attempt: { statusCode: 204 },
      requests: 1,
    });
  });

  test('gets the certificates between that of the settings and an authority that it knows', async () => {
    expect(await deliver(presenting({ ...own, cert: own.cert + authority.cert }))).toMatchObject({
      attempt: { statusCode: 204 },
    });
  });
});
