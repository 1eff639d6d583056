import { createHash } from 'node:crypto';

/** The hash that names a document: SHA-256 of its text in UTF-8, in lower-case hexadecimal digits. */
export function documentHash(text: string): string {
  return createHash('sha256').update(text, 'utf8').digest('hex');
}
