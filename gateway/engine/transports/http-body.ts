import { isAscii, isUtf8 } from 'node:buffer';
import { promisify } from 'node:util';
import { brotliDecompress, gunzip, inflate } from 'node:zlib';
import { TransportError } from './http-error.ts';

/** `none` is not registered; graphql-sse writes it. */
const PLAIN: ReadonlySet<string> = new Set(['', 'identity', 'none']);

type Decompress = (bytes: Buffer, options: { readonly maxOutputLength: number }) => Promise<Buffer>;

/** Source: RFC 9110, section 8.4.1. */
const DECOMPRESS: ReadonlyMap<string, Decompress> = new Map([
  ['gzip', promisify<Buffer, object, Buffer>(gunzip)],
  ['x-gzip', promisify<Buffer, object, Buffer>(gunzip)],
  ['deflate', promisify<Buffer, object, Buffer>(inflate)],
  ['br', promisify<Buffer, object, Buffer>(brotliDecompress)],
]);

function textOf(bytes: Buffer): string {
  if (isAscii(bytes)) {
    // Copies the text instead of decoding it.
    return bytes.toString('latin1');
  }
  if (!isUtf8(bytes)) {
    throw new TransportError('SUBGRAPH_RESPONSE_INVALID', "The subgraph's answer is not UTF-8.");
  }
  return bytes.toString('utf8');
}

function asTransportError(error: unknown, encoding: string): TransportError {
  const isTooLarge = error instanceof Error && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE';
  return isTooLarge
    ? new TransportError('SUBGRAPH_RESPONSE_TOO_LARGE', "The subgraph's answer is too large.", error)
    : new TransportError('SUBGRAPH_RESPONSE_INVALID', `The subgraph's answer is not ${encoding}.`, error);
}

/**
 * Whether a body with this `content-encoding` is plain. The gateway asks for plain ones, because subgraphs are near; a proxy in
 * between may compress all the same.
 */
export function isPlain(encoding: string): boolean {
  return PLAIN.has(encoding.trim().toLowerCase());
}

/** The failure of an answer whose encoding cannot be read. */
export function unknownEncoding(): TransportError {
  return new TransportError(
    'SUBGRAPH_RESPONSE_INVALID',
    "The subgraph's answer is compressed in a way that the gateway did not ask for.",
  );
}

/**
 * The text of a body: at once for a plain one, later for a compressed one.
 *
 * @param maxBytes most bytes after decompression
 * @throws a `TransportError` for an unknown encoding, and for bytes that are not UTF-8. The promise rejects with one, too
 */
export function decodeBody(
  chunks: readonly Buffer[],
  encoding: string,
  maxBytes: number,
): string | Promise<string> {
  const [only] = chunks;
  const bytes = only !== undefined && chunks.length === 1 ? only : Buffer.concat(chunks);
  const name = encoding.trim().toLowerCase();
  if (PLAIN.has(name)) {
    return textOf(bytes);
  }
  const decompress = DECOMPRESS.get(name);
  if (decompress === undefined) {
    throw unknownEncoding();
  }
  return decompress(bytes, { maxOutputLength: maxBytes }).then(textOf, (error: unknown) => {
    throw asTransportError(error, name);
  });
}
