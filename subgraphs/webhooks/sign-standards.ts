import { createHash, createHmac, sign } from 'node:crypto';
import { standardKeyOf } from '../partners/tenants/signature-scheme.ts';
import type { SigningKey } from './signing-key.ts';

/** The message of Standard Webhooks. */
interface StandardMessage {
  /** `webhook-id`: the same for all attempts. */
  readonly deliveryId: string;
  /** Time of the attempt, Unix seconds. */
  readonly at: number;
  readonly body: Uint8Array;
}

/**
 * The signatures of a message by one secret (Standard Webhooks 1.x, "Signature scheme"): `v1`, HMAC-SHA256, where the secret has
 * the form of the standard, and `v1a`, Ed25519.
 */
export function standardSignatures(
  { deliveryId, at, body }: StandardMessage,
  secret: string,
  { privateKey }: Pick<SigningKey, 'privateKey'>,
): string[] {
  const signed = Buffer.concat([Buffer.from(`${deliveryId}.${at}.`), body]);
  const key = standardKeyOf(secret);
  return [
    ...(key ? [`v1,${createHmac('sha256', key).update(signed).digest('base64')}`] : []),
    `v1a,${sign(null, signed, privateKey).toString('base64')}`,
  ];
}

/** The headers of Standard Webhooks. Without signatures, the header for them is left out. */
export function standardHeaders(
  { deliveryId, at }: Pick<StandardMessage, 'deliveryId' | 'at'>,
  signatures: readonly string[],
): Record<string, string> {
  return {
    'webhook-id': deliveryId,
    'webhook-timestamp': String(at),
    ...(signatures.length > 0 && { 'webhook-signature': signatures.join(' ') }),
  };
}

/** `Content-Digest` of RFC 9530. */
export function contentDigest(body: Uint8Array): string {
  return `sha-256=:${createHash('sha256').update(body).digest('base64')}:`;
}

/** A name that a signature covers, such as `@method` or `content-digest`, and its value. */
export type Component = readonly [name: string, value: string];

/** A signature's `@signature-params` (RFC 9421, section 2.3). */
export function signatureParameters(
  components: readonly Component[],
  { at, keyId }: { readonly at: number; readonly keyId: string },
): string {
  const names = components.map(([name]) => `"${name}"`).join(' ');
  return `(${names});created=${at};keyid="${keyId}";alg="ed25519"`;
}

/** The text that is signed (RFC 9421, section 2.5). */
export function signatureBase(components: readonly Component[], parameters: string): string {
  const lines: Component[] = [...components, ['@signature-params', parameters]];
  return lines.map(([name, value]) => `"${name}": ${value}`).join('\n');
}

/** A signature of RFC 9421; its label is its place in the headers. */
export interface MessageSignature {
  readonly parameters: string;
  /** base64, or the mask of it. */
  readonly signature: string;
}

/** Signs components with a key (RFC 9421, section 3.3.6). */
export function signComponents(
  components: readonly Component[],
  at: number,
  { id: keyId, privateKey }: Pick<SigningKey, 'id' | 'privateKey'>,
): MessageSignature {
  const parameters = signatureParameters(components, { at, keyId });
  const base = Buffer.from(signatureBase(components, parameters));
  return { parameters, signature: sign(null, base, privateKey).toString('base64') };
}

/** `Signature-Input` and `Signature` (RFC 9421, section 4), with the labels sig1, sig2, …; none without signatures. */
export function messageHeaders(signatures: readonly MessageSignature[]): Record<string, string> {
  if (signatures.length === 0) {
    return {};
  }
  const labelled = (toText: (one: MessageSignature) => string) =>
    signatures.map((one, index) => `sig${index + 1}=${toText(one)}`).join(', ');
  return {
    'Signature-Input': labelled(({ parameters }) => parameters),
    Signature: labelled(({ signature }) => `:${signature}:`),
  };
}
