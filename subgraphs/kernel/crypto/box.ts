import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

const ALGORITHM = 'aes-256-gcm';
const IV_BYTES = 12;
const TAG_BYTES = 16;

/**
 * Authenticated encryption under one key. `context` (for example `tenant|field|id`) is bound to the ciphertext as
 * additional data: a value moved to another place does not open.
 */
export interface Box {
  /** Layout of the answer: 12-byte nonce, 16-byte tag, ciphertext. */
  seal(plaintext: Uint8Array | string, context: string): Buffer;
  /** Throws when the bytes were changed, cut, made with another key or sealed for another context. */
  open(sealed: Uint8Array, context: string): Buffer;
}

/** Derives a 32-byte key for one purpose, so that no two parts of the product ever share a key (HKDF-SHA256). */
export function deriveKey(masterKey: Buffer, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', masterKey, Buffer.alloc(0), `remitgraph:${purpose}`, 32));
}

/** Makes the nonce of a value; its first 12 bytes are used. It must never be the same for two values or two contexts. */
type MakeNonce = (plaintext: Uint8Array, context: string) => Buffer;

/** AES-256-GCM, by default with a random nonce for each value. `key` is 32 bytes. */
export function createBox(key: Buffer, makeNonce: MakeNonce = () => randomBytes(IV_BYTES)): Box {
  return {
    seal: (plaintext, context) => seal(key, makeNonce, plaintext, context),
    open: (sealed, context) => open(key, sealed, context),
  };
}

function seal(key: Buffer, makeNonce: MakeNonce, plaintext: Uint8Array | string, context: string): Buffer {
  const bytes = typeof plaintext === 'string' ? Buffer.from(plaintext) : plaintext;
  const iv = makeNonce(bytes, context).subarray(0, IV_BYTES);
  const cipher = createCipheriv(ALGORITHM, key, iv).setAAD(Buffer.from(context));
  const ciphertext = Buffer.concat([cipher.update(bytes), cipher.final()]);
  return Buffer.concat([iv, cipher.getAuthTag(), ciphertext]);
}

function open(key: Buffer, sealed: Uint8Array, context: string): Buffer {
  const bytes = Buffer.from(sealed.buffer, sealed.byteOffset, sealed.byteLength);
  const decipher = createDecipheriv(ALGORITHM, key, bytes.subarray(0, IV_BYTES), { authTagLength: TAG_BYTES })
    .setAAD(Buffer.from(context))
    .setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
  return Buffer.concat([decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES)), decipher.final()]);
}
