/** A URL inside a text: scheme, what may be user information, and what may be a query with its values. */
const URL_IN_TEXT = /\b([a-z][a-z0-9+.-]*:\/\/)([^\s"'<>`]+)/gi;

/** URLs that are called: providers and receivers have secrets in their paths. Paths of others are names of files and databases. */
const CALLED = /^(?:https?|wss?):/i;

/**
 * Removes everything from the URLs in a text that may be secret: user information, query, fragment, and the path of a URL that is
 * called. Scheme and host stay, because they name the service. The text before the last `@` ahead of the query counts as user
 * information, even with characters that should have been escaped.
 */
export function redactUrls(text: string): string {
  return text.replace(URL_IN_TEXT, (_url, scheme: string, rest: string) => {
    const [address = ''] = rest.split(/[?#]/, 1);
    const hidden = rest.slice(address.length);
    const at = address.lastIndexOf('@');
    const credentials = at === -1 ? '' : '***@';
    const shown = address.slice(at + 1);
    const place = CALLED.test(scheme) ? shown.replace(/\/.+/s, '/***') : shown;
    return `${scheme}${credentials}${place}${hidden === '' ? '' : `${hidden[0]}***`}`;
  });
}
