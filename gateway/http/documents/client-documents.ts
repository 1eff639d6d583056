import { getOperationAST, type OperationTypeNode, parse } from 'graphql';
import { LRUCache } from 'lru-cache';
import { failRequest, type RequestFailure } from '../../engine/index.ts';
import { documentHash } from './document-hash.ts';

/** The document of a request: a text, a hash, or both. With both, `hash` is the hash of `query`. */
export interface DocumentReference {
  readonly query: string | null;
  /** See `documentHash`. */
  readonly hash: string | null;
}

/** The documents that clients may run. */
export interface ClientDocuments {
  /** Finds the text for a request, or the error to answer. It remembers a text that comes with its hash. */
  find(reference: DocumentReference): string | RequestFailure;
  /**
   * The kind of the operation that would run. Null if there is none: the document may be invalid or too long, or name no
   * operation of this name; the engine reports which.
   */
  kindOf(text: string, operationName: string | null): OperationTypeNode | null;
  /** The names of the operations of trusted documents and of the product's own. */
  readonly operationNames: readonly string[];
  /** The most tokens that the engine accepts in a document; undefined without a limit. */
  readonly maxTokens: number | undefined;
}

/** A document that is known from the start, and that clients may run in some supergraphs only. */
export interface OwnDocument {
  readonly text: string;
  /** Whether clients may run it. Called when a client names or sends the document. */
  isPublic(): boolean;
}

/** The documents that clients may run, and the limits of remembered documents. */
interface ClientDocumentsOptions {
  /** Texts of documents that clients may run. Default: none. */
  readonly trusted?: readonly string[];
  /** The product's own documents, of which clients may run those that are public. Default: none. */
  readonly own?: readonly OwnDocument[];
  /** Whether clients may run only these documents. Default: false. */
  readonly trustedOnly?: boolean;
  /** The most documents of clients that are remembered. Default 1,000. */
  readonly entries?: number;
  /** The most bytes of their texts. Default 8 MiB. */
  readonly bytes?: number;
  /** The most tokens of a document. Default: no limit. */
  readonly maxTokens?: number;
}

/** The message is Apollo's: some clients look only at the message. */
const NOT_FOUND = failRequest('PERSISTED_QUERY_NOT_FOUND', 'PersistedQueryNotFound');

const NOT_TRUSTED = failRequest('QUERY_NOT_IN_SAFELIST', 'Only trusted documents are run here.');

/**
 * Keeps trusted documents for good, and documents that clients register (automatic persisted queries) until newer
 * ones displace them. The hash of a text is checked before it is registered, so nobody can register another text
 * under a hash, and all accounts share one cache. The engine authorizes callers for every document alike.
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
    maxTokens,
    operationNames: namesIn(options),
    kindOf: (text, operationName) => operationKind(text, operationName, maxTokens),
  };
}

/** The name of an operation at the start of a line. The search is cheap, and a wrong extra name does no harm. */
const OPERATION_NAME = /^ *(?:query|mutation|subscription) +(\w+)/gm;

function namesIn({ trusted = [], own = [] }: ClientDocumentsOptions): string[] {
  const texts = [...trusted, ...own.map(({ text }) => text)];
  return texts.flatMap((text) => [...text.matchAll(OPERATION_NAME)].flatMap(([, name]) => name ?? []));
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

function operationKind(
  text: string,
  operationName: string | null,
  maxTokens: number | undefined,
): OperationTypeNode | null {
  // graphql-js ignores an empty name; no operation has it.
  if (operationName === '') {
    return null;
  }
  try {
    const document = parse(text, { noLocation: true, maxTokens });
    return getOperationAST(document, operationName)?.operation ?? null;
  } catch {
    // It is no GraphQL, or nested too deeply: the engine reports the place.
    return null;
  }
}
