import { createHash, createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto';
import type { AccountId } from '../kernel/account.ts';
import { createBoundedCache } from '../kernel/bounded-cache.ts';
import type { BlindIndex } from '../kernel/crypto/blind-index.ts';

/** The public half of a signing key. */
export interface PublicKey {
  /** RFC 7638 thumbprint, 43 URL-safe characters: the `keyid` of signatures. */
  readonly id: string;
  /** The 32 bytes of the key. */
  readonly bytes: Buffer;
}

/** An Ed25519 key that signs webhooks. */
export interface SigningKey extends PublicKey {
  readonly privateKey: KeyObject;
}

/**
 * Finds the Ed25519 key of a signing secret. It is derived from the account, the secret and a key of the deployment: it is replaced,
 * signs beside a new one and ends together with its secret. Each account has keys of its own, and a partner that knows the secret
 * cannot sign with the key.
 */
export type SigningKeyOf = (accountId: AccountId, secret: string) => SigningKey;

/**
 * Keys that are used again. To make one takes several times as long as to sign with it, and anybody can read a key set: an account
 * with 11 endpoints and their replaced secrets has 55 keys.
 */
const MOST_KEPT = 10_000;

export function createSigningKeys(blindIndex: BlindIndex): SigningKeyOf {
  const kept = createBoundedCache<SigningKey>(MOST_KEPT);
  return (accountId, secret) => {
    const seed = blindIndex.digest(accountId, 'webhookSigningKey', secret);
    const key = kept.get(seed) ?? toSigningKey(Buffer.from(seed, 'base64url'));
    kept.set(seed, key);
    return key;
  };
}

/** PKCS #8 (RFC 8410, section 7) before the 32 bytes of an Ed25519 seed. */
const PKCS8 = Buffer.from('302e020100300506032b657004220420', 'hex');

/** @param seed the 32 bytes that RFC 8032 calls the private key */
export function toSigningKey(seed: Buffer): SigningKey {
  const privateKey = createPrivateKey({ key: Buffer.concat([PKCS8, seed]), format: 'der', type: 'pkcs8' });
  const { x = '' } = createPublicKey(privateKey).export({ format: 'jwk' });
  const required = JSON.stringify({ crv: 'Ed25519', kty: 'OKP', x });
  return {
    id: createHash('sha256').update(required).digest('base64url'),
    bytes: Buffer.from(x, 'base64url'),
    privateKey,
  };
}
