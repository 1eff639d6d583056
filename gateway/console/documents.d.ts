/** Made by the build from `documents/*.graphql`. */
declare module 'console:documents' {
  import type { Documents } from './documents/types.ts';

  /** The SHA-256 of each document, by its file name. The page sends it instead of the text. */
  export const HASHES: Readonly<Record<keyof Documents, string>>;
  /** The text of those that are followed live. */
  export const LIVE_TEXTS: Readonly<Record<import('./live-documents.ts').LiveDocument, string>>;
}
