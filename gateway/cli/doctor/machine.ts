import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import type { Config } from '../../../subgraphs/kernel/config/load.ts';
import {
  CERTIFICATE_FILES,
  type CertificateSettings,
  readCertificates,
  readIdentity,
} from '../../../subgraphs/kernel/config/pem-file.ts';
import { isSystemError } from '../../../subgraphs/kernel/errors/operator-error.ts';
import { messageOf } from '../../../subgraphs/kernel/errors/thrown.ts';
import { readMtlsIdentity } from '../../app/mtls/identity.ts';
import { type Finding, failure, warning, well } from './finding.ts';

const ANSWER_MS = 2_000;
const DAY_MS = 86_400_000;
const WARNING_DAYS = 30;
const MIB = 2 ** 20;
/**
 * Free space, MiB, below which a development store will soon stop writing (failure), and below which the operator
 * should act (warning).
 */
const SPACE = { failure: 200, warning: 1_024 };

/** Checks that the server can listen, or already does. */
export async function checkPort({ HOST: host, PORT: port }: Pick<Config, 'HOST' | 'PORT'>): Promise<Finding> {
  const address = `${host}:${port}`;
  const error = await listenOnce(host, port);
  if (error === undefined) {
    return well('port', `${address} is free.`);
  }
  if (error.code === 'EADDRINUSE') {
    return (await answersAsServer(host, port))
      ? well('port', `A server answers at ${address}.`)
      : failure(
          'port',
          `Another program listens on ${address}.`,
          'Stop it, or set PORT to a port that is free.',
        );
  }
  const fix =
    error.code === 'EACCES'
      ? 'Ports below 1024 need rights: set PORT to a higher one, and let a proxy listen on the lower.'
      : 'Set HOST to an address of this machine: 127.0.0.1, or 0.0.0.0 for all.';
  return failure('port', `Nothing can listen on ${address}: ${error.message}.`, fix);
}

function listenOnce(host: string, port: number): Promise<NodeJS.ErrnoException | undefined> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', resolve);
    server.listen(port, host, () => server.close(() => resolve(undefined)));
  });
}

async function answersAsServer(host: string, port: number): Promise<boolean> {
  const reached = host === '0.0.0.0' ? '127.0.0.1' : host;
  const signal = AbortSignal.timeout(ANSWER_MS);
  try {
    const answer = await fetch(`http://${reached}:${port}/health/live`, { signal });
    return answer.status === 200 && (await answer.text()) === '{"status":"ok"}';
  } catch {
    return false;
  }
}

/** Checks that certificates can be read, belong to their keys, and are valid for at least another month. */
export function checkCertificates(
  config: CertificateSettings & Pick<Config, 'MTLS_PORT' | 'MTLS_KEY_FILE' | 'WEBHOOK_CLIENT_KEY_FILE'>,
  now: Date,
): Finding[] {
  const { WEBHOOK_CLIENT_CERT_FILE: certFile, WEBHOOK_CLIENT_KEY_FILE: keyFile } = config;
  try {
    readMtlsIdentity(config);
    if (certFile !== undefined && keyFile !== undefined) {
      readIdentity(['WEBHOOK_CLIENT_CERT_FILE', certFile], ['WEBHOOK_CLIENT_KEY_FILE', keyFile]);
    }
  } catch (error) {
    return [failure('certificates', messageOf(error), 'Put the right file there, or correct the setting.')];
  }
  const findings = CERTIFICATE_FILES.flatMap((setting) => {
    const path = config[setting];
    return path === undefined ? [] : checkValidity(setting, path, now);
  });
  return findings.length > 0 ? findings : [well('certificates', 'No certificate is configured.')];
}

function checkValidity(setting: (typeof CERTIFICATE_FILES)[number], path: string, now: Date): Finding[] {
  let certificates: ReturnType<typeof readCertificates>;
  try {
    certificates = readCertificates(setting, path, readFileSync(path, 'utf8'));
  } catch (error) {
    return [failure('certificates', messageOf(error), 'Put the right file there, or correct the setting.')];
  }
  return certificates.map(({ subject, validTo }) => {
    const days = Math.floor((Date.parse(validTo) - now.getTime()) / DAY_MS);
    const name = `${setting}: the certificate of ${subject.replaceAll('\n', ', ')}`;
    const renew = 'Have it renewed, put the new one there, and restart the processes one after the other.';
    if (days < 0) {
      return failure('certificates', `${name} has expired on ${validTo}.`, renew);
    }
    return days < WARNING_DAYS
      ? warning('certificates', `${name} expires in ${days} days.`, renew)
      : well('certificates', `${name} is valid until ${validTo}.`);
  });
}

/** Checks that a development store has space to write. @param freeBytes of the file system that a folder is in */
export async function checkSpace(
  { MONGODB_URI: uri, DATA_DIR: folder }: Pick<Config, 'MONGODB_URI' | 'DATA_DIR'>,
  freeBytes: (folder: string) => Promise<number>,
): Promise<Finding> {
  if (uri !== undefined) {
    return well('disk', 'DATA_DIR is not used: MONGODB_URI names the database.');
  }
  const free = await freeBytes(folder).catch((error: unknown) => {
    if (isSystemError(error)) {
      return undefined;
    }
    throw error;
  });
  if (free === undefined) {
    return well('disk', `${folder} is not there yet.`);
  }
  const what = `${folder} has ${Math.floor(free / MIB).toLocaleString('en')} MiB left.`;
  const fix = 'Free space there, or set DATA_DIR to a folder with more of it.';
  if (free < SPACE.failure * MIB) {
    return failure('disk', what, fix);
  }
  return free < SPACE.warning * MIB ? warning('disk', what, fix) : well('disk', what);
}
