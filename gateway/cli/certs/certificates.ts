import { generateKeyPair, randomBytes } from 'node:crypto';
import { isIP } from 'node:net';
import { promisify } from 'node:util';
import forge from 'node-forge';

/** A certificate and its private key, PEM. */
export interface Identity {
  readonly cert: string;
  /** PKCS#8. */
  readonly key: string;
}

/** The validity of a certificate; default: from five minutes ago (clocks differ) for {@link LEAF_DAYS}. */
export interface Validity {
  readonly from: Date;
  readonly to: Date;
}

/** The contents of a certificate. */
export interface Subject {
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
const KEY_BITS = 2048;
const SERIAL_BYTES = 16;
/** GeneralName tags of RFC 5280. */
const DNS_NAME = 2;
const IP_ADDRESS = 7;

const makeKeyPair = promisify(generateKeyPair);

/** Makes a certificate authority that signs itself. */
export async function createAuthority(name: string): Promise<Identity> {
  const keys = await createKeys();
  const cert = draft(keys, name, validFor(AUTHORITY_DAYS));
  cert.setIssuer(cert.subject.attributes);
  cert.setExtensions([
    { name: 'basicConstraints', cA: true, pathLenConstraint: 0, critical: true },
    { name: 'keyUsage', keyCertSign: true, cRLSign: true, critical: true },
    { name: 'subjectKeyIdentifier' },
  ]);
  return sign(cert, keys.privateKey, keys.key);
}

/** Makes a certificate that the authority signs: for TLS servers or for TLS clients, never for both. */
export async function issueCertificate(authority: Identity, subject: Subject): Promise<Identity> {
  const { name, usage, hosts = [], validity = validFor(LEAF_DAYS) } = subject;
  const issuer = forge.pki.certificateFromPem(authority.cert);
  const keys = await createKeys();
  const cert = draft(keys, name, validity);
  cert.setIssuer(issuer.subject.attributes);
  cert.setExtensions([
    { name: 'basicConstraints', cA: false, critical: true },
    { name: 'keyUsage', digitalSignature: true, keyEncipherment: true, critical: true },
    { name: 'extKeyUsage', serverAuth: usage === 'server', clientAuth: usage === 'client' },
    { name: 'subjectKeyIdentifier' },
    { name: 'authorityKeyIdentifier', keyIdentifier: issuer.generateSubjectKeyIdentifier().getBytes() },
    ...(hosts.length > 0 ? [{ name: 'subjectAltName', altNames: hosts.map(toAltName) }] : []),
  ]);
  return sign(cert, forge.pki.privateKeyFromPem(authority.key), keys.key);
}

type Keys = forge.pki.rsa.KeyPair & { readonly key: string };

async function createKeys(): Promise<Keys> {
  const { privateKey: key, publicKey } = await makeKeyPair('rsa', {
    modulusLength: KEY_BITS,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  });
  return {
    key,
    privateKey: forge.pki.privateKeyFromPem(key),
    publicKey: forge.pki.publicKeyFromPem(publicKey),
  };
}

function draft({ publicKey }: Keys, name: string, { from, to }: Validity): forge.pki.Certificate {
  const cert = forge.pki.createCertificate();
  cert.publicKey = publicKey;
  // A serial number is positive: its first bit must not be set.
  cert.serialNumber = `01${randomBytes(SERIAL_BYTES - 1).toString('hex')}`;
  cert.validity.notBefore = from;
  cert.validity.notAfter = to;
  cert.setSubject([{ name: 'commonName', value: name }]);
  return cert;
}

function sign(cert: forge.pki.Certificate, by: forge.pki.rsa.PrivateKey, key: string): Identity {
  cert.sign(by, forge.md.sha256.create());
  return { cert: toUnixLines(forge.pki.certificateToPem(cert)), key };
}

function validFor(days: number): Validity {
  const from = Date.now() - CLOCK_SKEW_MS;
  return { from: new Date(from), to: new Date(from + days * DAY_MS) };
}

function toAltName(host: string): { type: number; ip: string } | { type: number; value: string } {
  return isIP(host) === 0 ? { type: DNS_NAME, value: host } : { type: IP_ADDRESS, ip: host };
}

function toUnixLines(pem: string): string {
  return pem.replaceAll('\r\n', '\n');
}
