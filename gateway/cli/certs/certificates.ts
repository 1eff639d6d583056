// @peculiar/x509 needs it.
import 'reflect-metadata';
import { KeyObject, randomBytes, type webcrypto } from 'node:crypto';
import { isIP } from 'node:net';
import * as x509 from '@peculiar/x509';

/** A certificate and its private key, PEM. */
export interface Identity {
  readonly cert: string;
  /** PKCS#8. */
  readonly key: string;
}

/** The validity of a certificate; default: from five minutes ago (clocks differ) for {@link LEAF_DAYS}. */
interface Validity {
  readonly from: Date;
  readonly to: Date;
}

interface Subject {
  /** Common name. */
  readonly name: string;
  readonly usage: 'server' | 'client';
  /** DNS names and addresses of a server. */
  readonly hosts?: readonly string[];
  readonly validity?: Validity;
}

const DAY_MS = 86_400_000;
const CLOCK_SKEW_MS = 300_000;
const AUTHORITY_DAYS = 3650;
/** Some clients reject server certificates with a longer life. */
const LEAF_DAYS = 825;
const SERIAL_BYTES = 16;
const ALGORITHM = {
  name: 'RSASSA-PKCS1-v1_5',
  hash: 'SHA-256',
  modulusLength: 2048,
  publicExponent: Uint8Array.of(1, 0, 1),
};

/** For certificates that only programs of our own read: its keys are made in a moment. */
const QUICK_ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };

const { KeyUsageFlags } = x509;

/** Makes a certificate authority that signs itself. */
export async function createAuthority(name: string): Promise<Identity> {
  const keys = await createKeys();
  const cert = await x509.X509CertificateGenerator.createSelfSigned({
    ...draft(validFor(AUTHORITY_DAYS)),
    name: nameOf(name),
    keys,
    extensions: [
      new x509.BasicConstraintsExtension(true, 0, true),
      new x509.KeyUsagesExtension(KeyUsageFlags.keyCertSign | KeyUsageFlags.cRLSign, true),
      await x509.SubjectKeyIdentifierExtension.create(keys.publicKey),
    ],
  });
  return identityOf(cert, keys);
}

/** Makes a certificate that the authority signs: for TLS servers or for TLS clients, never for both. */
export async function issueCertificate(authority: Identity, subject: Subject): Promise<Identity> {
  const { name, usage, hosts = [], validity = validFor(LEAF_DAYS) } = subject;
  const issuer = new x509.X509Certificate(authority.cert);
  const keys = await createKeys();
  const { digitalSignature, keyEncipherment } = KeyUsageFlags;
  const cert = await x509.X509CertificateGenerator.create({
    ...draft(validity),
    subject: nameOf(name),
    issuer: issuer.subject,
    publicKey: keys.publicKey,
    signingKey: await importKey(authority.key),
    extensions: [
      new x509.BasicConstraintsExtension(false, undefined, true),
      new x509.KeyUsagesExtension(digitalSignature | keyEncipherment, true),
      new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage[`${usage}Auth`]]),
      await x509.SubjectKeyIdentifierExtension.create(keys.publicKey),
      await x509.AuthorityKeyIdentifierExtension.create(issuer.publicKey),
      ...(hosts.length > 0 ? [new x509.SubjectAlternativeNameExtension(hosts.map(toAltName))] : []),
    ],
  });
  return identityOf(cert, keys);
}

/** Makes a certificate of a TLS server that signs itself: clients must trust this very certificate. */
export async function createSelfSigned(hosts: readonly [string, ...string[]]): Promise<Identity> {
  const keys = await crypto.subtle.generateKey(QUICK_ALGORITHM, true, ['sign', 'verify']);
  const cert = await x509.X509CertificateGenerator.createSelfSigned({
    ...draft(validFor(LEAF_DAYS)),
    signingAlgorithm: QUICK_ALGORITHM,
    name: nameOf(hosts[0]),
    keys,
    extensions: [
      new x509.BasicConstraintsExtension(true, undefined, true),
      new x509.KeyUsagesExtension(KeyUsageFlags.digitalSignature | KeyUsageFlags.keyCertSign, true),
      new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.serverAuth]),
      new x509.SubjectAlternativeNameExtension(hosts.map(toAltName)),
    ],
  });
  return identityOf(cert, keys);
}

function createKeys(): Promise<webcrypto.CryptoKeyPair> {
  return crypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify']);
}

function importKey(pem: string): Promise<webcrypto.CryptoKey> {
  return crypto.subtle.importKey('pkcs8', x509.PemConverter.decodeFirst(pem), ALGORITHM, false, ['sign']);
}

function draft({ from, to }: Validity) {
  return {
    // A serial number is positive: its first bit must not be set.
    serialNumber: `01${randomBytes(SERIAL_BYTES - 1).toString('hex')}`,
    notBefore: from,
    notAfter: to,
    signingAlgorithm: ALGORITHM,
  };
}

const nameOf = (commonName: string): x509.JsonName => [{ CN: [commonName] }];

function identityOf(cert: x509.X509Certificate, { privateKey }: webcrypto.CryptoKeyPair): Identity {
  return {
    cert: `${cert.toString('pem')}\n`,
    key: KeyObject.from(privateKey).export({ type: 'pkcs8', format: 'pem' }).toString(),
  };
}

function validFor(days: number): Validity {
  const from = Date.now() - CLOCK_SKEW_MS;
  return { from: new Date(from), to: new Date(from + days * DAY_MS) };
}

function toAltName(host: string): x509.JsonGeneralName {
  return { type: isIP(host) === 0 ? 'dns' : 'ip', value: host };
}
