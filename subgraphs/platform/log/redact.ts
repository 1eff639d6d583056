/** A URL inside a text: scheme, what may be user information, and what may be a query with its values. */
const URL_IN_TEXT = /\b([a-z][a-z0-9+.-]*:\/\/)([^\s"'<>`]+)/gi;

/**
 * Removes everything from the URLs in a text that may be secret: user information, query and fragment. Scheme, host and path
 * stay, because they tell what was called. The text before the last `@` ahead of the query counts as user information, even
 * with characters that should have been escaped.
 */
export function redactUrls(text: string): string {
  return text.replace(URL_IN_TEXT, (_url, scheme: string, rest: string) => {
    const [address = ''] = rest.split(/[?#]/, 1);
    const hidden = rest.slice(address.length);
    const at = address.lastIndexOf('@');
    const credentials = at === -1 ? '' : '***@';
    return `${scheme}${credentials}${address.slice(at + 1)}${hidden === '' ? '' : `${hidden[0]}***`}`;
  });
}
