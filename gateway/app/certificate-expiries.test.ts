import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createAuthority, issueCertificate } from '../cli/certs/certificates.ts';
import { certificateExpiries } from './certificate-expiries.ts';

const folder = mkdtempSync(join(tmpdir(), 'remitgraph-expiries-'));
const at = (day: number) => new Date(Date.UTC(2027, 0, day));
const seconds = (day: number) => at(day).getTime() / 1_000;
const [cert, ca, bundle, sender, none] = ['cert', 'ca', 'bundle', 'sender', 'none'].map((name) =>
  join(folder, name),
);
const files = {
  MTLS_CERT_FILE: cert,
  MTLS_CA_FILE: ca,
  WEBHOOK_CA_FILE: bundle,
  WEBHOOK_CLIENT_CERT_FILE: sender,
};

beforeAll(async () => {
  const authority = await createAuthority('CA');
  const issue = async (day: number) =>
    (
      await issueCertificate(authority, {
        name: 's',
        usage: 'server',
        hosts: ['127.0.0.1'],
        validity: { from: at(1), to: at(day) },
      })
    ).cert;
  writeFileSync(String(cert), await issue(20));
  writeFileSync(String(ca), await issue(25));
  writeFileSync(String(bundle), (await issue(12)) + (await issue(11)) + (await issue(13)));
  writeFileSync(String(sender), await issue(9));
  writeFileSync(String(none), 'no certificate');
});
afterAll(() => rmSync(folder, { recursive: true }));

test.each([
  [
    'a gateway with mutual TLS',
    { ROLE: 'gateway', MTLS_PORT: 4443 },
    { MTLS_CERT_FILE: 20, MTLS_CA_FILE: 25 },
  ],
  ['a gateway without it', { ROLE: 'gateway', MTLS_PORT: undefined }, {}],
  ['a worker, which has no listener for it', { ROLE: 'worker', MTLS_PORT: 4443 }, {}],
] as const)('%s has the files that it uses, of each the certificate that ends first', (_name, role, own) => {
  const days = Object.entries({ ...own, WEBHOOK_CA_FILE: 11, WEBHOOK_CLIENT_CERT_FILE: 9 });
  expect(certificateExpiries({ ...files, ...role })).toEqual(
    Object.fromEntries(days.map(([setting, day]) => [setting, seconds(day)])),
  );
});

test('a deployment without certificates has none', () => {
  const unset = {
    MTLS_CERT_FILE: undefined,
    MTLS_CA_FILE: undefined,
    WEBHOOK_CA_FILE: undefined,
    WEBHOOK_CLIENT_CERT_FILE: undefined,
  };
  expect(certificateExpiries({ ...unset, ROLE: 'all', MTLS_PORT: undefined })).toEqual({});
});

test('a file without a certificate is an error that names its setting', () => {
  const config = { ...files, WEBHOOK_CA_FILE: none, ROLE: 'worker', MTLS_PORT: undefined } as const;
  expect(() => certificateExpiries(config)).toThrow(/^WEBHOOK_CA_FILE: .* has no certificate/);
});
