import { generate } from 'selfsigned';

/** A TLS server's identity, PEM. */
export interface Certificate {
  readonly key: string;
  /** Self-signed: clients must trust this certificate itself. */
  readonly cert: string;
}

const LIFETIME_MS = 7 * 24 * 3_600_000;
const CLOCK_SKEW_MS = 60_000;

/** Makes a certificate for 127.0.0.1, good for a week. */
export async function createCertificate(): Promise<Certificate> {
  const now = Date.now();
  const { private: key, cert } = await generate([{ name: 'commonName', value: '127.0.0.1' }], {
    keyType: 'ec',
    algorithm: 'sha256',
    notBeforeDate: new Date(now - CLOCK_SKEW_MS),
    notAfterDate: new Date(now + LIFETIME_MS),
    extensions: [
      { name: 'basicConstraints', cA: true, critical: true },
      { name: 'keyUsage', digitalSignature: true, keyCertSign: true, critical: true },
      { name: 'extKeyUsage', serverAuth: true },
      { name: 'subjectAltName', altNames: [{ type: 7, ip: '127.0.0.1' }] },
    ],
  });
  return { key, cert };
}
