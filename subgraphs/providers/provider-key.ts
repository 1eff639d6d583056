/** Characters that are not visible ASCII, and those that join and escape parts. */
const NOT_PLAIN = /[^\x21-\x24\x26-\x39\x3b-\x7e]+/g;

/**
 * The idempotency key of a call to a provider, made of what sets it apart from all others: tenant, id, step. Other parts make
 * another key, also where they hold the `:` that joins them (`a:b` and `c`, `a` and `b:c`). Visible ASCII: it can stand in
 * a header as it is.
 * @throws URIError for a part that is no well-formed Unicode
 */
export function providerKey(...parts: readonly string[]): string {
  return parts.map((part) => part.replace(NOT_PLAIN, encodeURIComponent)).join(':');
}
