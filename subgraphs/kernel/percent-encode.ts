/**
 * Percent-encodes a text of any characters for a URL; letters, digits and `-_.!~*'()` stay as they are. Half a surrogate
 * pair, which JSON may hold and which UTF-8 has no form of, becomes U+FFFD, as it does in the database; without that
 * `encodeURIComponent` throws.
 */
export function percentEncode(text: string): string {
  return encodeURIComponent(Buffer.from(text).toString());
}

/** The encoded forms of `$&+,;=:@`, which may stand unencoded in a segment of a path (RFC 3986, `pchar`). */
const OF_A_SEGMENT = /%(?:24|26|2B|2C|3B|3D|3A|40)/g;

/**
 * The same for exactly one segment of a path, where `$&+,;=:@` stay as they are, too. `.` and `..` mean other folders, even as
 * `%2E`, so their dots are encoded twice: the link then leads to an unknown record instead of to another path.
 */
export function encodeSegment(text: string): string {
  return /^\.{1,2}$/.test(text)
    ? text.replaceAll('.', '%252E')
    : percentEncode(text).replaceAll(OF_A_SEGMENT, decodeURIComponent);
}
