import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createSecureContext } from 'node:tls';
import type { Config } from '../../subgraphs/platform/config/load.ts';
import type { SettingName } from '../../subgraphs/platform/config/schema.ts';
import { OperatorError } from '../../subgraphs/platform/errors/operator-error.ts';
import { messageOf } from '../message-of.ts';

/** Where the mutual-TLS listener listens, and with what; PEM. */
export interface MtlsIdentity {
  readonly port: number;
  readonly cert: string;
  readonly key: string;
  /** Authorities of client certificates; one or more. */
  readonly ca: string;
}

type MtlsSettings = Pick<Config, 'MTLS_PORT' | 'MTLS_CERT_FILE' | 'MTLS_KEY_FILE' | 'MTLS_CA_FILE'>;

const CERTIFICATE = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;

/**
 * Reads and checks the files of the mutual-TLS listener; undefined when it is not configured.
 * @throws OperatorError naming the setting at fault: a file that cannot be read, or that is not what it must be; a key
 * that is not the certificate's
 */
export function readMtlsIdentity(config: MtlsSettings): MtlsIdentity | undefined {
  const { MTLS_PORT: port, MTLS_CERT_FILE: certFile, MTLS_KEY_FILE: keyFile, MTLS_CA_FILE: caFile } = config;
  if (port === undefined || certFile === undefined || keyFile === undefined || caFile === undefined) {
    return undefined;
  }
  const cert = readSetting('MTLS_CERT_FILE', certFile);
  const key = readSetting('MTLS_KEY_FILE', keyFile);
  const ca = readSetting('MTLS_CA_FILE', caFile);
  const [certificate] = checkCertificates('MTLS_CERT_FILE', certFile, cert);
  checkCertificates('MTLS_CA_FILE', caFile, ca);
  if (!certificate?.checkPrivateKey(readKey(keyFile, key))) {
    throw new OperatorError(
      `MTLS_KEY_FILE: ${keyFile} is not the key of the certificate in MTLS_CERT_FILE, ${certFile}.`,
    );
  }
  attempt('MTLS_CERT_FILE', `${certFile} cannot be used`, () => createSecureContext({ cert, key, ca }));
  return { port, cert, key, ca };
}

function readSetting(setting: SettingName, path: string): string {
  return attempt(setting, `${path} cannot be read`, () => readFileSync(path, 'utf8'));
}

/** Node passes over what it cannot read of an authorities' file: then nobody could connect, and nobody would know. */
function checkCertificates(setting: SettingName, path: string, pem: string): X509Certificate[] {
  const blocks = pem.match(CERTIFICATE) ?? [];
  if (blocks.length === 0) {
    throw new OperatorError(`${setting}: ${path} has no certificate in PEM form.`);
  }
  return attempt(setting, `${path} is no certificate`, () =>
    blocks.map((block) => new X509Certificate(block)),
  );
}

function readKey(path: string, pem: string): KeyObject {
  return attempt('MTLS_KEY_FILE', `${path} is no private key without a passphrase, in PEM form`, () =>
    createPrivateKey(pem),
  );
}

function attempt<T>(setting: SettingName, fault: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw new OperatorError(`${setting}: ${fault}: ${messageOf(error)}`);
  }
}
