import forge from 'node-forge';
import type { Identity } from './certificates.ts';

const ITERATIONS = 10_000;
const SALT_BYTES = 16;
const SHA256_BYTES = 32;
/** Purpose of a key that authenticates (RFC 7292, B.3). */
const MAC_KEY = 3;

const { asn1 } = forge;
const { Class, Type } = asn1;

/**
 * Packs a certificate, the chain above it and its key into a PKCS#12 file: the key under AES-256 with
 * PBKDF2-HMAC-SHA-256, the whole authenticated with HMAC-SHA-256.
 * @param passphrase ASCII
 */
export function toPkcs12(identity: Identity, chain: readonly string[], passphrase: string): Buffer {
  const options = {
    algorithm: 'aes256',
    prfAlgorithm: 'sha256',
    count: ITERATIONS,
    saltSize: SALT_BYTES,
    friendlyName: 'client',
    // Its own is SHA-1.
    useMac: false,
  } as const;
  const pfx = forge.pkcs12.toPkcs12Asn1(
    forge.pki.privateKeyFromPem(identity.key),
    [identity.cert, ...chain].map((pem) => forge.pki.certificateFromPem(pem)),
    passphrase,
    options,
  );
  const der = asn1.toDer(sequence([...childrenOf(pfx), macData(contentOf(pfx), passphrase)]));
  return Buffer.from(der.getBytes(), 'binary');
}

/**
 * The bytes of the AuthenticatedSafe, which the MAC authenticates. PFX is `{version, ContentInfo{type, [0] {OCTET
 * STRING}}}`.
 */
function contentOf(pfx: forge.asn1.Asn1): string {
  const [, contentInfo] = childrenOf(pfx);
  const [, tagged] = childrenOf(contentInfo);
  const [content] = childrenOf(tagged);
  if (typeof content?.value !== 'string') {
    throw new TypeError('The PKCS#12 file has no content');
  }
  return content.value;
}

function childrenOf(node: forge.asn1.Asn1 | undefined): forge.asn1.Asn1[] {
  return Array.isArray(node?.value) ? node.value : [];
}

/** RFC 7292, section 4: `MacData {DigestInfo {algorithm, digest}, salt, iterations}`. */
function macData(content: string, passphrase: string): forge.asn1.Asn1 {
  const salt = forge.random.getBytesSync(SALT_BYTES);
  const key = forge.pkcs12.generateKey(
    passphrase,
    forge.util.createBuffer(salt),
    MAC_KEY,
    ITERATIONS,
    SHA256_BYTES,
    forge.md.sha256.create(),
  );
  const hmac = forge.hmac.create();
  hmac.start('sha256', key);
  hmac.update(content);
  const { sha256 = '' } = forge.pki.oids;
  return sequence([
    sequence([
      sequence([
        asn1.create(Class.UNIVERSAL, Type.OID, false, asn1.oidToDer(sha256).getBytes()),
        asn1.create(Class.UNIVERSAL, Type.NULL, false, ''),
      ]),
      octets(hmac.getMac().getBytes()),
    ]),
    octets(salt),
    asn1.create(Class.UNIVERSAL, Type.INTEGER, false, asn1.integerToDer(ITERATIONS).getBytes()),
  ]);
}

function sequence(values: forge.asn1.Asn1[]): forge.asn1.Asn1 {
  return asn1.create(Class.UNIVERSAL, Type.SEQUENCE, true, values);
}

function octets(bytes: string): forge.asn1.Asn1 {
  return asn1.create(Class.UNIVERSAL, Type.OCTETSTRING, false, bytes);
}
