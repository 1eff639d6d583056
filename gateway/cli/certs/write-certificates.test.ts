import { X509Certificate } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createSecureContext } from 'node:tls';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type WrittenCertificates, writeCertificates } from './write-certificates.ts';

const folder = mkdtempSync(join(tmpdir(), 'remitgraph-certs-'));
afterAll(() => rmSync(folder, { recursive: true }));

const read = (path: string) => new X509Certificate(readFileSync(path));

describe('The certificates', () => {
  let written: WrittenCertificates;
  beforeAll(async () => {
    written = await writeCertificates({
      out: join(folder, 'certs'),
      hosts: ['pay.acme.test', '10.0.0.7'],
      passphrase: 'a: pass/phrase',
    });
  });

  test('are signed by the authority, which signs itself', () => {
    const { authority, server, client } = written.paths;
    const { publicKey } = read(authority);
    for (const path of [authority, server, client]) {
      expect(read(path).verify(publicKey)).toBe(true);
      expect(read(path).issuer).toBe('CN=remitgraph demo CA');
      expect(read(path).checkIssued(read(authority))).toBe(true);
    }
    expect(read(client).subject).toBe('CN=remitgraph demo client');
    expect([read(authority).ca, read(server).ca, read(client).ca]).toEqual([true, false, false]);
  });

  test('for the server name this machine and the given hosts', () => {
    const server = read(written.paths.server);
    for (const host of ['localhost', 'pay.acme.test']) {
      expect(server.checkHost(host)).toBe(host);
    }
    for (const address of ['127.0.0.1', '::1', '10.0.0.7']) {
      expect(server.checkIP(address)).toBeDefined();
    }
    expect(server.checkHost('other.acme.test')).toBeUndefined();
  });

  test('are valid for server and client only', () => {
    expect(read(written.paths.server).keyUsage).toEqual(['1.3.6.1.5.5.7.3.1']);
    expect(read(written.paths.client).keyUsage).toEqual(['1.3.6.1.5.5.7.3.2']);
  });

  test('are valid now and for two years, the authority for ten', () => {
    const DAY_MS = 86_400_000;
    for (const [path, days] of [
      [written.paths.server, 730],
      [written.paths.client, 730],
      [written.paths.authority, 3640],
    ] as const) {
      expect(Date.parse(read(path).validFrom)).toBeLessThan(Date.now());
      expect(Date.parse(read(path).validTo)).toBeGreaterThan(Date.now() + days * DAY_MS);
    }
  });

  test('are stored beside their keys, which only their owner may read', () => {
    const { paths } = written;
    const mode = (path: string) => statSync(path).mode & 0o777;
    for (const path of [paths.authorityKey, paths.serverKey, paths.clientKey, paths.clientPkcs12]) {
      expect([path, mode(path)]).toEqual([path, 0o600]);
    }
    const { authority, authorityKey, server, serverKey, client, clientKey } = paths;
    for (const [cert, key] of [
      [authority, authorityKey],
      [server, serverKey],
      [client, clientKey],
    ] as const) {
      const context = { cert: readFileSync(cert), key: readFileSync(key) };
      expect(() => createSecureContext(context)).not.toThrow();
    }
  });

  test('of the client are in the PKCS#12 file too, and only the passphrase opens it', () => {
    const pfx = readFileSync(written.paths.clientPkcs12);
    expect(() => createSecureContext({ pfx, passphrase: 'a: pass/phrase' })).not.toThrow();
    expect(() => createSecureContext({ pfx, passphrase: 'another' })).toThrow('mac verify failure');
  });

  test('are identified by the SHA-256 to which tenants are pinned', () => {
    const fingerprint = read(written.paths.client).fingerprint256;
    expect(written.clientSha256).toMatch(/^[0-9a-f]{64}$/);
    expect(written.clientSha256).toBe(fingerprint.replaceAll(':', '').toLowerCase());
  });

  test('are never overwritten', async () => {
    const before = readFileSync(written.paths.authorityKey, 'utf8');
    const out = join(folder, 'certs');
    await expect(writeCertificates({ out, hosts: [], passphrase: 'x' })).rejects.toThrow('ca-key.pem');
    expect(readFileSync(written.paths.authorityKey, 'utf8')).toBe(before);
  });
});

test('If one of the files exists, none is written', async () => {
  const out = mkdtempSync(join(folder, 'partial-'));
  writeFileSync(join(out, 'client.p12'), 'mine');
  await expect(writeCertificates({ out, hosts: [], passphrase: 'x' })).rejects.toThrow('client.p12');
  expect(readdirSync(out)).toEqual(['client.p12']);
});
