import { X509Certificate } from 'node:crypto';
import * as x509 from '@peculiar/x509';
import * as asn1 from 'asn1js';
import * as pkijs from 'pkijs';
import type { Identity } from './certificates.ts';

const NAME = 'client';
const ITERATIONS = 10_000;
/** Source: RFC 7292, appendix D. */
const OID = {
  certificate: '1.2.840.113549.1.12.10.1.3',
  shroudedKey: '1.2.840.113549.1.12.10.1.2',
  friendlyName: '1.2.840.113549.1.9.20',
  localKeyId: '1.2.840.113549.1.9.21',
} as const;

/**
 * Packs a certificate, the chain above it and its key into a PKCS#12 file: the key under AES-256 with
 * PBKDF2-HMAC-SHA-256, the whole authenticated with HMAC-SHA-256.
 * @param passphrase ASCII
 */
export async function toPkcs12(
  identity: Identity,
  chain: readonly string[],
  passphrase: string,
): Promise<Buffer> {
  const password = Uint8Array.from(Buffer.from(passphrase)).buffer;
  const key = new pkijs.PKCS8ShroudedKeyBag({
    parsedValue: pkijs.PrivateKeyInfo.fromBER(x509.PemConverter.decodeFirst(identity.key)),
  });
  await key.makeInternalValues({
    password,
    contentEncryptionAlgorithm: { name: 'AES-CBC', length: 256 },
    hmacHashAlgorithm: 'SHA-256',
    iterationCount: ITERATIONS,
  });
  // Programs find the certificate of a key by the id that both have.
  const bagAttributes = attributesOf(identity);
  const safeBags = [
    new pkijs.SafeBag({ bagId: OID.shroudedKey, bagValue: key, bagAttributes }),
    new pkijs.SafeBag({ bagId: OID.certificate, bagValue: toCertBag(identity.cert), bagAttributes }),
    ...chain.map((cert) => new pkijs.SafeBag({ bagId: OID.certificate, bagValue: toCertBag(cert) })),
  ];
  const authenticatedSafe = new pkijs.AuthenticatedSafe({
    parsedValue: { safeContents: [{ privacyMode: 0, value: new pkijs.SafeContents({ safeBags }) }] },
  });
  await authenticatedSafe.makeInternalValues({ safeContents: [{}] });
  const pfx = new pkijs.PFX({ parsedValue: { integrityMode: 0, authenticatedSafe } });
  const hash = 'SHA-256';
  await pfx.makeInternalValues({
    password,
    iterations: ITERATIONS,
    pbkdf2HashAlgorithm: hash,
    hmacHashAlgorithm: hash,
  });
  return Buffer.from(pfx.toSchema().toBER());
}

function toCertBag(pem: string): pkijs.CertBag {
  const parsedValue = pkijs.Certificate.fromBER(x509.PemConverter.decodeFirst(pem));
  return new pkijs.CertBag({ parsedValue });
}

function attributesOf({ cert }: Identity): pkijs.Attribute[] {
  const id = Buffer.from(new X509Certificate(cert).fingerprint.replaceAll(':', ''), 'hex');
  return [
    new pkijs.Attribute({ type: OID.friendlyName, values: [new asn1.BmpString({ value: NAME })] }),
    new pkijs.Attribute({ type: OID.localKeyId, values: [new asn1.OctetString({ valueHex: id })] }),
  ];
}
