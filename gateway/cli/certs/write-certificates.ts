import { X509Certificate } from 'node:crypto';
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { OperatorError } from '../../../subgraphs/kernel/errors/operator-error.ts';
import { keysOf, recordOf } from '../../../subgraphs/kernel/objects.ts';
import { makePrivateDirectory } from '../../../subgraphs/kernel/private-directory.ts';
import type { CertsOptions } from './arguments.ts';
import { createAuthority, issueCertificate } from './certificates.ts';
import { toPkcs12 } from './pkcs12.ts';

/** The paths of the files, and the client's fingerprint for the server. */
export interface WrittenCertificates {
  /** Absolute paths. */
  readonly paths: Readonly<Record<FileName, string>>;
  /** SHA-256 of the client's certificate, 64 hexadecimal digits: a tenant is pinned to it. */
  readonly clientSha256: string;
}

const LOCAL_HOSTS = ['localhost', '127.0.0.1', '::1'];
const PRIVATE = 0o600;
const PUBLIC = 0o644;

/** The files by their content. */
const FILES = {
  authority: { name: 'ca.pem', mode: PUBLIC },
  authorityKey: { name: 'ca-key.pem', mode: PRIVATE },
  server: { name: 'server.pem', mode: PUBLIC },
  serverKey: { name: 'server-key.pem', mode: PRIVATE },
  client: { name: 'client.pem', mode: PUBLIC },
  clientKey: { name: 'client-key.pem', mode: PRIVATE },
  clientPkcs12: { name: 'client.p12', mode: PRIVATE },
} as const;
type FileName = keyof typeof FILES;

/**
 * Makes a certificate authority, and a server and a client certificate of it, and writes them all. @throws OperatorError when
 * one of the files exists; then nothing is written
 */
export async function writeCertificates({
  out,
  hosts,
  passphrase,
}: Omit<CertsOptions, 'json'>): Promise<WrittenCertificates> {
  const paths = pathsIn(resolve(out));
  const present = Object.values(paths).filter((path) => existsSync(path));
  if (present.length > 0) {
    throw new OperatorError(
      `Nothing was written: ${present.join(', ')} would be overwritten. Name another folder by --out.`,
    );
  }
  const authority = await createAuthority('remitgraph demo CA');
  const server = await issueCertificate(authority, {
    name: 'remitgraph demo server',
    usage: 'server',
    hosts: [...new Set([...LOCAL_HOSTS, ...hosts])],
  });
  const client = await issueCertificate(authority, { name: 'remitgraph demo client', usage: 'client' });
  await writeAll(out, paths, {
    authority: authority.cert,
    authorityKey: authority.key,
    server: server.cert,
    serverKey: server.key,
    client: client.cert,
    clientKey: client.key,
    clientPkcs12: await toPkcs12(client, [authority.cert], passphrase),
  });
  return { paths, clientSha256: sha256Of(client.cert) };
}

function pathsIn(folder: string): Record<FileName, string> {
  return recordOf(keysOf(FILES), (key) => join(folder, FILES[key].name));
}

async function writeAll(
  folder: string,
  paths: Readonly<Record<FileName, string>>,
  contents: Readonly<Record<FileName, string | Buffer>>,
): Promise<void> {
  makePrivateDirectory(folder);
  for (const key of keysOf(FILES)) {
    await writeFile(paths[key], contents[key], { mode: FILES[key].mode, flag: 'wx' });
  }
}

function sha256Of(pem: string): string {
  return new X509Certificate(pem).fingerprint256.replaceAll(':', '').toLowerCase();
}
