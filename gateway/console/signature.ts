// Checks a webhook's signature in the page: the secret is sent nowhere.

export type SignatureVerdict = 'valid' | 'invalid' | 'malformed';

interface SignedText {
  readonly secret: string;
  /**
   * `X-Webhook-Signature` (document 2), `X-RAAS-Signature` (document 3), `x-raas-signature` (document 1) or
   * `webhook-signature` (Standard Webhooks).
   */
  readonly signature: string;
  /** `X-RAAS-Timestamp` of document 3, `webhook-timestamp` of Standard Webhooks; empty otherwise. */
  readonly timestamp: string;
  /** `webhook-id` of Standard Webhooks; empty otherwise. */
  readonly id: string;
  /** The body exactly as it was received. */
  readonly body: string;
}

type Hmac = Pick<typeof crypto.subtle, 'importKey' | 'sign'>;

/** The contents of a signature. Each document has a different form. */
interface Claim {
  /** The text that is signed before the body. */
  readonly before: string;
  readonly signatures: readonly string[];
  readonly encode: (bytes: Uint8Array) => string;
  /** The key of a secret; undefined for a secret that cannot be decoded. */
  readonly toKey: (secret: string) => Uint8Array<ArrayBuffer> | undefined;
}

/**
 * Checks whether one of the signatures matches this secret, time and body. It does not check the age, because people
 * investigate old webhooks. Source: the webhook sections of documents 1, 2 and 3, and Standard Webhooks 1.x; a receiver uses
 * `remitgraph/webhooks`, or a library of the standard.
 */
export async function checkSignature(
  { secret, signature, timestamp, id, body }: SignedText,
  hmac: Hmac,
): Promise<SignatureVerdict> {
  const claim =
    readStandard(signature.trim(), timestamp.trim(), id.trim()) ??
    readClaim(signature.trim(), timestamp.trim());
  if (claim === undefined) {
    return 'malformed';
  }
  const { before, signatures, encode, toKey } = claim;
  const key = toKey(secret);
  const expected = key && encode(await sign(key, `${before}${body}`, hmac));
  return expected !== undefined && signatures.includes(expected) ? 'valid' : 'invalid';
}

/** A claim of Standard Webhooks. Its Ed25519 signatures (v1a) are not checked: not every browser can. */
function readStandard(signature: string, timestamp: string, id: string): Claim | undefined {
  const signatures = signature.split(' ').flatMap((one) => /^v1,([A-Za-z0-9+/]{43}=)$/.exec(one)?.[1] ?? []);
  return signatures.length > 0 && /^\d{1,12}$/.test(timestamp) && id !== ''
    ? { before: `${id}.${timestamp}.`, signatures, encode: toBase64, toKey: decodeSecret }
    : undefined;
}

function decodeSecret(secret: string): Uint8Array<ArrayBuffer> | undefined {
  const text = secret.replace(/^whsec_/, '');
  return /^[A-Za-z0-9+/]+={0,2}$/.test(text) && text.length % 4 === 0
    ? Uint8Array.from(atob(text), (character) => character.charCodeAt(0))
    : undefined;
}

function encodeSecret(secret: string): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(secret);
}

function readClaim(signature: string, timestamp: string): Claim | undefined {
  const toKey = encodeSecret;
  const parts = signature.split(',').map((part) => part.trim());
  const time = /^t=(\d{1,12})$/.exec(parts[0] ?? '')?.[1];
  const versions = parts.flatMap((part) => /^v1=([0-9a-f]{64})$/.exec(part)?.[1] ?? []);
  if (time !== undefined && versions.length > 0) {
    return { before: `${time}.`, signatures: versions, encode: toHex, toKey };
  }
  if (/^[0-9a-f]{64}$/.test(signature) && /^\d{1,12}$/.test(timestamp)) {
    return { before: `${timestamp}.`, signatures: [signature], encode: toHex, toKey };
  }
  const isBase64 = /^[A-Za-z0-9+/]{43}=$/.test(signature);
  return isBase64 ? { before: '', signatures: [signature], encode: toBase64, toKey } : undefined;
}

async function sign(secret: Uint8Array<ArrayBuffer>, text: string, hmac: Hmac): Promise<Uint8Array> {
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  const key = await hmac.importKey('raw', secret, algorithm, false, ['sign']);
  return new Uint8Array(await hmac.sign('HMAC', key, new TextEncoder().encode(text)));
}

function toHex(bytes: Uint8Array): string {
  return [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

function toBase64(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes));
}
