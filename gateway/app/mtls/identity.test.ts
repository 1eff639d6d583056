import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { OperatorError } from '../../../subgraphs/kernel/errors/operator-error.ts';
import { createAuthority, type Identity, issueCertificate } from '../../cli/certs/certificates.ts';
import { readMtlsIdentity } from './identity.ts';

const folder = mkdtempSync(join(tmpdir(), 'remitgraph-mtls-'));
afterAll(() => rmSync(folder, { recursive: true }));

function file(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

describe('The files of the mutual-TLS listener', () => {
  let authority: Identity;
  let server: Identity;
  let good: Parameters<typeof readMtlsIdentity>[0];
  beforeAll(async () => {
    authority = await createAuthority('CA');
    server = await issueCertificate(authority, { name: 'server', usage: 'server', hosts: ['localhost'] });
    good = {
      MTLS_PORT: 0,
      MTLS_CERT_FILE: file('cert.pem', server.cert),
      MTLS_KEY_FILE: file('key.pem', server.key),
      MTLS_CA_FILE: file('ca.pem', `The demo CA\n${authority.cert}${authority.cert}`),
    };
  });

  test('are read when all are given', () => {
    expect(readMtlsIdentity(good)).toEqual({
      port: 0,
      cert: server.cert,
      key: server.key,
      ca: expect.stringContaining(authority.cert),
    });
  });

  test('are not read if none is given', () => {
    const none = { MTLS_CERT_FILE: undefined, MTLS_KEY_FILE: undefined, MTLS_CA_FILE: undefined };
    expect(readMtlsIdentity({ MTLS_PORT: undefined, ...none })).toBeUndefined();
  });

  const NOT_PEM = 'not PEM';
  test.each([
    ['MTLS_CERT_FILE', 'nothing', () => join(folder, 'nowhere.pem'), 'cannot be read'],
    ['MTLS_KEY_FILE', 'nothing', () => join(folder, 'nowhere.pem'), 'cannot be read'],
    ['MTLS_CA_FILE', 'a folder', () => folder, 'cannot be read'],
    ['MTLS_CERT_FILE', 'other text', () => file('a.pem', NOT_PEM), 'has no certificate in PEM form'],
    ['MTLS_CA_FILE', 'other text', () => file('b.pem', NOT_PEM), 'has no certificate in PEM form'],
    ['MTLS_KEY_FILE', 'other text', () => file('c.pem', NOT_PEM), 'is no private key'],
    ['MTLS_CA_FILE', 'a key', () => file('d.pem', server.key), 'has no certificate in PEM form'],
    ['MTLS_CA_FILE', 'a broken one', () => file('e.pem', authority.cert.replace('M', '!')), 'is no cert'],
    ['MTLS_KEY_FILE', 'another key', () => file('f.pem', authority.key), 'is not the key of the certificate'],
  ] as const)('%s: %s is reported', (setting, _what, path, issue) => {
    const read = () => readMtlsIdentity({ ...good, [setting]: path() });
    expect(read).toThrow(OperatorError);
    expect(read).toThrow(new RegExp(`^${setting}: .*${issue}`));
  });
});
