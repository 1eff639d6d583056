import { type StoredBytes, toBuffer } from '../../kernel/binary.ts';
import type { Box } from '../../kernel/crypto/box.ts';
import { parseUrl } from '../../kernel/parse-url.ts';

/** A header that a partner adds to all webhooks of an endpoint. Its value may be a credential, so it is sealed. */
export interface StaticHeader {
  /** As it is sent; names differ by more than the case of letters. */
  readonly name: string;
  readonly value: string;
}

/** A change of an endpoint's URL and headers; undefined: no change. */
interface Moved {
  readonly from: string | undefined;
  /** null: the URL is removed. */
  readonly to: string | null | undefined;
  readonly headers: readonly StaticHeader[] | undefined;
}

/**
 * The headers to store; undefined: no change. A URL of another origin gets none of the former ones: the person who sets the URL would
 * otherwise receive credentials that were given for another server.
 */
export function headersAfter({ from, to, headers }: Moved): readonly StaticHeader[] | undefined {
  const isMoved = to !== undefined && originOf(from) !== originOf(to);
  return headers ?? (isMoved ? [] : undefined);
}

function originOf(url: string | null | undefined): string | undefined {
  return url == null ? undefined : parseUrl(url)?.origin;
}

/** Seals all of them as one value; undefined for none, which is stored as no field. */
export function sealHeaders(box: Box, headers: readonly StaticHeader[], context: string): Buffer | undefined {
  return headers.length === 0 ? undefined : box.seal(JSON.stringify(headers), context);
}

/** @throws when the value was sealed under another key or has been changed */
export function openHeaders(box: Box, sealed: StoredBytes | undefined, context: string): StaticHeader[] {
  if (!sealed) {
    return [];
  }
  const headers: StaticHeader[] = JSON.parse(box.open(toBuffer(sealed), context).toString());
  return headers;
}
