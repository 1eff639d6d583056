import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { createAuthority, issueCertificate } from '../../gateway/cli/certs/certificates.ts';
import type { Deployment } from '../support/deployment.ts';
import { type Exchange, exchangeWith } from '../support/http.ts';
import { exchangeByTls, type TlsClient } from '../support/https.ts';
import { useScene } from '../support/scene.ts';
import { KEYS } from '../support/seed.ts';
import { MOSTLY_ALL, type Server } from '../support/server.ts';
import { failToStartHere } from '../support/server-here.ts';
import { runProduct } from '../support/server-process.ts';

const scene = useScene();
const PASSPHRASE = 'of the tests';

/** The files and the output of `npm run certs -- --json`. */
interface Certs {
  readonly folder: string;
  read(file: string): string;
  readonly env: Readonly<Record<string, string>>;
  readonly clientSha256: string;
}
let certs: Certs;

beforeAll(async () => {
  const folder = mkdtempSync(join(tmpdir(), 'remitgraph-mtls-'));
  scene.atEnd(async () => rmSync(folder, { recursive: true }));
  const args = ['--out', folder, '--passphrase', PASSPHRASE, '--json'];
  const program = runProduct(resolve('dist/bin/certs.js'), args, {});
  expect((await program.exited).code).toBe(0);
  const { paths, passphrase, clientSha256 } = JSON.parse(program.output());
  expect([paths.clientPkcs12, passphrase]).toEqual([join(folder, 'client.p12'), PASSPHRASE]);
  certs = {
    folder,
    read: (file) => readFileSync(join(folder, file), 'utf8'),
    env: {
      MTLS_PORT: '0',
      MTLS_CERT_FILE: join(folder, 'server.pem'),
      MTLS_KEY_FILE: join(folder, 'server-key.pem'),
      MTLS_CA_FILE: join(folder, 'ca.pem'),
    },
    clientSha256,
  };
});

/** The seed, with acme's calls by mutual TLS pinned to one certificate. */
function seedWithPin(deployment: Deployment, pin: string): string {
  const seed = JSON.parse(readFileSync(String(deployment.env.SEED_FILE), 'utf8')) as {
    tenants: { tenantId: string; mtlsClientCertSha256?: string[] }[];
  };
  for (const tenant of seed.tenants.filter(({ tenantId }) => tenantId === 'acme')) {
    tenant.mtlsClientCertSha256 = ['00'.repeat(32), pin];
  }
  const path = join(deployment.dataDir, 'pinned.json');
  writeFileSync(path, JSON.stringify(seed));
  return path;
}

function mtlsPortOf(server: Server): number {
  return Number(/"port":(\d+),"msg":"mtls\.listening"/.exec(server.output())?.[1]);
}

describe.each(MOSTLY_ALL)('The mutual-TLS listener of a server, arrangement %s', (arrangement) => {
  let server: Server;
  let own: TlsClient;
  let other: TlsClient;
  const by = (client: TlsClient): Exchange =>
    exchangeByTls(mtlsPortOf(server), { ca: certs.read('ca.pem'), ...client });
  const detail = (key: string) => ({
    method: 'GET',
    path: '/v1/user/operations/detail/none',
    headers: { api_key: key },
  });

  beforeAll(async () => {
    const deployment = await scene.deploy({ arrangement });
    const pin = String(certs.clientSha256.toUpperCase().match(/../g)?.join(':'));
    server = await deployment.start({ ...certs.env, SEED_FILE: seedWithPin(deployment, pin) });
    own = { pfx: readFileSync(join(certs.folder, 'client.p12')), passphrase: PASSPHRASE };
    const authority = { cert: certs.read('ca.pem'), key: certs.read('ca-key.pem') };
    other = await issueCertificate(authority, { name: 'other', usage: 'client' });
  });

  test("answers document 1's calls to the PKCS#12 file", async () => {
    const { status, text, headers } = await by(own)(detail(KEYS.acme));
    expect([status, text]).toEqual([404, '{"reason":"There is no such operation."}']);
    expect(headers['content-type']).toBe('application/json');
    expect(headers['x-request-id']).toBeDefined();
    const description = await by(own)({ method: 'GET', path: '/v1/user/openapi.json' });
    expect(description.status).toBe(200);
  });

  test('rejects the handshake without a certificate, and with one of another authority', async () => {
    const stranger = await issueCertificate(await createAuthority('remitgraph demo CA'), {
      name: 'remitgraph demo client',
      usage: 'client',
    });
    for (const client of [{}, stranger]) {
      await expect(by(client)(detail(KEYS.acme))).rejects.toThrow(/alert|ECONNRESET|socket hang up/i);
    }
  });

  test('wants the key all the same', async () => {
    const { status } = await by(own)({ method: 'GET', path: '/v1/user/operations/detail/none' });
    expect(status).toBe(401);
  });

  test('lets a pinned partner in with its own certificate alone', async () => {
    const rejected = await by(other)(detail(KEYS.acme));
    const reason = "The client certificate is not one of this partner's.";
    expect([rejected.status, rejected.text]).toEqual([401, JSON.stringify({ reason })]);
    for (const path of ['/v1/user/operations/request-money-full', '/v1/user/register-v2']) {
      const answer = await by(other)({
        method: 'POST',
        path,
        headers: { api_key: KEYS.acme },
        body: '{}',
      });
      const body = JSON.stringify({ reason, code: 'ERROR_INVALID_PARTNER_TOKEN' });
      expect([path, answer.status, answer.text]).toEqual([path, 401, body]);
    }
  });

  test('takes any certificate for a partner without pins', async () => {
    expect((await by(other)(detail(KEYS.globex))).status).toBe(404);
  });

  test('does not concern the plain listener', async () => {
    const plain = await exchangeWith(server.url)(detail(KEYS.acme));
    expect([plain.status, plain.text]).toEqual([404, '{"reason":"There is no such operation."}']);
  });

  test.each([
    ['/v1/request-money/AB12cd34', '{"error":"not_found","message":"There is no such path or method."}'],
    ['/graphql', '{"error":"not_found","message":"There is no such path or method."}'],
    ['/health/ready', '{"error":"not_found","message":"There is no such path or method."}'],
    ['/v1/user', '{"reason":"There is no such path or method."}'],
    ['/v1/user/nothing', '{"reason":"There is no such path or method."}'],
    [
      '/partner/me',
      '{"success":false,"error":{"code":"NOT_FOUND","message":"There is no such path or method.","details":null}}',
    ],
  ])('has no %s', async (path, body) => {
    const { status, text } = await by(own)({ method: 'GET', path, headers: { api_key: KEYS.acme } });
    expect([status, text]).toEqual([404, body]);
  });
});

test("A start with a key that is not the certificate's fails and says so", async () => {
  const { env } = await scene.deploy();
  const invalid = { ...env, ...certs.env, MTLS_KEY_FILE: join(certs.folder, 'client-key.pem') };
  const output = await failToStartHere(invalid);
  expect(output).toContain('MTLS_KEY_FILE: ');
  expect(output).not.toContain('    at ');
});
