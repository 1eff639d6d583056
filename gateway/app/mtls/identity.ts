import type { Config } from '../../../subgraphs/kernel/config/load.ts';
import {
  type PemIdentity,
  readCertificates,
  readIdentity,
  readSettingFile,
} from '../../../subgraphs/kernel/config/pem-file.ts';

/** The address of the mutual-TLS listener, and its certificates, PEM. */
export interface MtlsIdentity extends PemIdentity {
  readonly port: number;
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
  const identity = readIdentity(['MTLS_CERT_FILE', certFile], ['MTLS_KEY_FILE', keyFile]);
  const ca = readSettingFile('MTLS_CA_FILE', caFile);
  readCertificates('MTLS_CA_FILE', caFile, ca);
  return { port, ...identity, ca };
}
