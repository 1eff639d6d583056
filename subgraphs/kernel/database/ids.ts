import { randomBytes, randomInt } from 'node:crypto';

/** Characters of codes that people read to each other: no 0/O, 1/I/L. */
const CODE_ALPHABET = '23456789ABCDEFGHJKMNPQRSTUVWXYZ';
const CODE_LENGTH = 8;

/** A random id: the prefix and 20 URL-safe characters (120 bits). */
export function newId(prefix: string): string {
  return prefix + randomBytes(15).toString('base64url');
}

/** A secret for a link: 22 URL-safe characters (128 bits and more). */
export function newLinkToken(): string {
  return randomBytes(17).toString('base64url').slice(0, 22);
}

/** The short code of an operation, for support: 8 characters (decisions, section 2). */
export function newOperationCode(): string {
  return Array.from({ length: CODE_LENGTH }, () => CODE_ALPHABET[randomInt(CODE_ALPHABET.length)]).join('');
}
