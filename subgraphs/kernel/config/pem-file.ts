import { createPrivateKey, X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createSecureContext } from 'node:tls';
import { OperatorError } from '../errors/operator-error.ts';
import { messageOf } from '../errors/thrown.ts';
import type { SettingName } from './schema.ts';

/** The settings that name files with certificates. */
export const CERTIFICATE_FILES = [
  'MTLS_CERT_FILE',
  'MTLS_CA_FILE',
  'WEBHOOK_CA_FILE',
  'WEBHOOK_CLIENT_CERT_FILE',
] as const;

/** The paths that they have. */
export type CertificateSettings = Readonly<Record<(typeof CERTIFICATE_FILES)[number], string | undefined>>;

const CERTIFICATE = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;

/** Reads the file that a setting names. @throws OperatorError naming the setting */
export function readSettingFile(setting: SettingName, path: string): string {
  return attemptSetting(setting, `${path} cannot be read`, () => readFileSync(path, 'utf8'));
}

/**
 * The certificates in a file's text. Node ignores what it cannot read in a file of authorities; then no certificate could be
 * verified, and nobody would know.
 * @throws OperatorError naming the setting, when there is none or one that cannot be read
 */
export function readCertificates(setting: SettingName, path: string, pem: string): X509Certificate[] {
  const blocks = pem.match(CERTIFICATE) ?? [];
  if (blocks.length === 0) {
    throw new OperatorError(`${setting}: ${path} has no certificate in PEM form.`);
  }
  return attemptSetting(setting, `${path} is no certificate`, () =>
    blocks.map((block) => new X509Certificate(block)),
  );
}

/** A certificate, with those between it and its authority if there are any, and its private key; PEM. */
export interface PemIdentity {
  readonly cert: string;
  readonly key: string;
}

/** A setting and the path that it names. */
type NamedFile = readonly [setting: SettingName, path: string];

/**
 * Reads and checks a certificate and its key.
 * @throws OperatorError naming the setting: for an unreadable file, a file of another kind, or a key of another certificate
 */
export function readIdentity(
  [certSetting, certFile]: NamedFile,
  [keySetting, keyFile]: NamedFile,
): PemIdentity {
  const cert = readSettingFile(certSetting, certFile);
  const key = readSettingFile(keySetting, keyFile);
  const [certificate] = readCertificates(certSetting, certFile, cert);
  const privateKey = attemptSetting(
    keySetting,
    `${keyFile} is no private key without a passphrase, in PEM form`,
    () => createPrivateKey(key),
  );
  if (!certificate?.checkPrivateKey(privateKey)) {
    throw new OperatorError(
      `${keySetting}: ${keyFile} is not the key of the certificate in ${certSetting}, ${certFile}.`,
    );
  }
  attemptSetting(certSetting, `${certFile} cannot be used`, () => createSecureContext({ cert, key }));
  return { cert, key };
}

/** Does the work for a setting. @throws OperatorError naming the setting and the issue */
function attemptSetting<T>(setting: SettingName, issue: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw new OperatorError(`${setting}: ${issue}: ${messageOf(error)}`);
  }
}
