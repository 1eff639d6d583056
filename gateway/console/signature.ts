// Checks a webhook's signature in the page: the secret is sent nowhere.

export type SignatureVerdict = 'valid' | 'invalid' | 'malformed';

interface SignedText {
  readonly secret: string;
  /** `X-Webhook-Signature` (document 2), `X-RAAS-Signature` (document 3) or `x-raas-signature` (document 1). */
  readonly signature: string;
  /** `X-RAAS-Timestamp` of document 3; empty otherwise. */
  readonly timestamp: string;
  /** The body exactly as it was received. */
  readonly body: string;
}

type Hmac = Pick<typeof crypto.subtle, 'importKey' | 'sign'>;

/** The contents of a signature. Each document has a different form. */
interface Claim {
  /** Unix seconds; undefined if only the body is signed. */
  readonly time: string | undefined;
  readonly signatures: readonly string[];
  readonly encode: (bytes: Uint8Array) => string;
}

/**
 * Checks whether one of the signatures matches this secret, time and body. It does not check the age, because people
 * investigate old webhooks. Source: the webhook sections of documents 1, 2 and 3; a receiver uses
 * `remitgraph/webhooks`.
 */
export async function checkSignature(
  { secret, signature, timestamp, body }: SignedText,
  hmac: Hmac,
): Promise<SignatureVerdict> {
  const claim = readClaim(signature.trim(), timestamp.trim());
  if (claim === undefined) {
    return 'malformed';
  }
  const { time, signatures, encode } = claim;
  const expected = encode(await sign(secret, time === undefined ? body : `${time}.${body}`, hmac));
  return signatures.includes(expected) ? 'valid' : 'invalid';
}

function readClaim(signature: string, timestamp: string): Claim | undefined {
  const parts = signature.split(',').map((part) => part.trim());
  const time = /^t=(\d{1,12})$/.exec(parts[0] ?? '')?.[1];
  const versions = parts.flatMap((part) => /^v1=([0-9a-f]{64})$/.exec(part)?.[1] ?? []);
  if (time !== undefined && versions.length > 0) {
    return { time, signatures: versions, encode: toHex };
  }
  if (/^[0-9a-f]{64}$/.test(signature) && /^\d{1,12}$/.test(timestamp)) {
    return { time: timestamp, signatures: [signature], encode: toHex };
  }
  const isBase64 = /^[A-Za-z0-9+/]{43}=$/.test(signature);
  return isBase64 ? { time: undefined, signatures: [signature], encode: toBase64 } : undefined;
}

async function sign(secret: string, text: string, hmac: Hmac): Promise<Uint8Array> {
  const encoder = new TextEncoder();
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  const key = await hmac.importKey('raw', encoder.encode(secret), algorithm, false, ['sign']);
  return new Uint8Array(await hmac.sign('HMAC', key, encoder.encode(text)));
}

function toHex(bytes: Uint8Array): string {
  return [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

function toBase64(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes));
}
