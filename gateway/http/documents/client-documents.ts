import type { OperationTypeNode } from 'graphql';
import { LRUCache } from 'lru-cache';
import { failRequest, type RequestFailure } from '../../engine/index.ts';
import { documentHash } from './document-hash.ts';
import { operationKind } from './operation-kind.ts';

/** How a request says what to run; it has one of the two at least, and `hash` is that of `query` where it has both. */
export interface DocumentReference {
  readonly query: string | null;
  /** See `documentHash`. */
  readonly hash: string | null;
}

/** The documents that clients may run. */
export interface ClientDocuments {
  /** The text that a request means, or why it gets none. A text that comes with its hash is known by it from then on. */
  find(reference: DocumentReference): string | RequestFailure;
  /** See `operationKind`. */
  kindOf(text: string, operationName: string | null): OperationTypeNode | null;
}

/** A document that is known from the start, where clients may run it. */
export interface OwnDocument {
  readonly text: string;
  /** Asked when a client names or sends the document. */
  isPublic(): boolean;
}

/** What clients may run, and how much of it is remembered. */
export interface ClientDocumentsOptions {
  /** Texts that are known from the start. Default: none. */
  readonly trusted?: readonly string[];
  /** The same, of those that are public. Default: none. */
  readonly own?: readonly OwnDocument[];
  /** Whether all others are refused. Default: they are not. */
  readonly trustedOnly?: boolean;
  /** Most documents that clients made known. Default 1,000. */
  readonly entries?: number;
  /** Most bytes of their texts. Default 8 MiB. */
  readonly bytes?: number;
  /** Most tokens that the engine takes in a document. Default: any number. */
  readonly maxTokens?: number;
}

/** The message is Apollo's: there are clients that look at it alone. */
const NOT_FOUND = failRequest('PERSISTED_QUERY_NOT_FOUND', 'PersistedQueryNotFound');

const NOT_TRUSTED = failRequest('QUERY_NOT_IN_SAFELIST', 'Only trusted documents are run here.');

/**
 * Keeps trusted documents, and those that clients make known (automatic persisted queries) until others take their
 * place. A document is known by the hash of its own text, which is checked first: nobody can put another text under
 * it, and so all tenants share one store. Who may run what is up to the engine, for every document alike.
 */
export function createClientDocuments(options: ClientDocumentsOptions = {}): ClientDocuments {
  const { trustedOnly = false, entries = 1_000, bytes = 8 * 1024 * 1024, maxTokens } = options;
  const trusted = trustedByHash(options);
  const registered = new LRUCache<string, string>({ max: entries, maxSize: bytes });
  return {
    find({ query, hash }) {
      if (query === null) {
        return trusted(hash ?? '') ?? registered.get(hash ?? '') ?? NOT_FOUND;
      }
      if (trustedOnly) {
        return trusted(documentHash(query)) ?? NOT_TRUSTED;
      }
      if (hash !== null && trusted(hash) === undefined) {
        registered.set(hash, query, { size: Buffer.byteLength(query) + hash.length });
      }
      return query;
    },
    kindOf: (text, operationName) => operationKind(text, operationName, maxTokens),
  };
}

/** Finds the text of a document that was known from the start, by its hash. */
function trustedByHash({ trusted = [], own = [] }: ClientDocumentsOptions) {
  const texts = new Map(trusted.map((text) => [documentHash(text), text]));
  const owned = new Map(own.map((document) => [documentHash(document.text), document]));
  return (hash: string): string | undefined => {
    const document = owned.get(hash);
    return texts.get(hash) ?? (document?.isPublic() ? document.text : undefined);
  };
}
