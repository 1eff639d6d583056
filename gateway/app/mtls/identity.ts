import { createPrivateKey, type KeyObject } from 'node:crypto';
import { createSecureContext } from 'node:tls';
import type { Config } from '../../../subgraphs/kernel/config/load.ts';
import {
  attemptSetting,
  readCertificates,
  readSettingFile,
} from '../../../subgraphs/kernel/config/pem-file.ts';
import { OperatorError } from '../../../subgraphs/kernel/errors/operator-error.ts';

/** The address of the mutual-TLS listener, and its certificates, PEM. */
export interface MtlsIdentity {
  readonly port: number;
  readonly cert: string;
  readonly key: string;
  /** Authorities of client certificates; one or more. */
  readonly ca: string;
}

type MtlsSettings = Pick<Config, 'MTLS_PORT' | 'MTLS_CERT_FILE' | 'MTLS_KEY_FILE' | 'MTLS_CA_FILE'>;

/**
 * Reads and checks the files of the mutual-TLS listener; undefined when it is not configured. @throws OperatorError that
 * names the setting: for an unreadable file, a file of another kind, or a key that does not belong to the certificate
 */
export function readMtlsIdentity(config: MtlsSettings): MtlsIdentity | undefined {
  const { MTLS_PORT: port, MTLS_CERT_FILE: certFile, MTLS_KEY_FILE: keyFile, MTLS_CA_FILE: caFile } = config;
  if (port === undefined || certFile === undefined || keyFile === undefined || caFile === undefined) {
    return undefined;
  }
  const cert = readSettingFile('MTLS_CERT_FILE', certFile);
  const key = readSettingFile('MTLS_KEY_FILE', keyFile);
  const ca = readSettingFile('MTLS_CA_FILE', caFile);
  const [certificate] = readCertificates('MTLS_CERT_FILE', certFile, cert);
  readCertificates('MTLS_CA_FILE', caFile, ca);
  if (!certificate?.checkPrivateKey(readKey(keyFile, key))) {
    throw new OperatorError(
      `MTLS_KEY_FILE: ${keyFile} is not the key of the certificate in MTLS_CERT_FILE, ${certFile}.`,
    );
  }
  attemptSetting('MTLS_CERT_FILE', `${certFile} cannot be used`, () =>
    createSecureContext({ cert, key, ca }),
  );
  return { port, cert, key, ca };
}

function readKey(path: string, pem: string): KeyObject {
  return attemptSetting('MTLS_KEY_FILE', `${path} is no private key without a passphrase, in PEM form`, () =>
    createPrivateKey(pem),
  );
}
