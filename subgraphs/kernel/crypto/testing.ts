import { type StoredBytes, toBuffer } from '../binary.ts';
import type { Box } from './box.ts';

/**
 * A box that seals nothing: its bytes are the context, a line break and the plain text. Tests see by it what is sealed, and
 * under which context, letter by letter. It opens only what was sealed for the same context, as the real one does.
 */
export const transparentBox: Box = {
  seal: (plaintext, context) => Buffer.from(`${context}\n${Buffer.from(plaintext).toString()}`),
  open: (sealed, context) => {
    const text = Buffer.from(sealed).toString();
    if (!text.startsWith(`${context}\n`)) {
      throw new Error(`Not sealed for ${context}`);
    }
    return Buffer.from(text.slice(context.length + 1));
  },
};

/** The context and the lines of the text that {@link transparentBox} has sealed, without text that is not sealed. */
export function unseal(sealed: StoredBytes | string | undefined): string[] {
  return sealed && typeof sealed !== 'string' ? toBuffer(sealed).toString().split('\n') : [];
}

/** The same for JSON. */
export function unsealJson(sealed: StoredBytes | undefined): [context: string | undefined, value: unknown] {
  const [context, json = 'null'] = unseal(sealed);
  return [context, JSON.parse(json)];
}
