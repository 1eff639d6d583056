/**
 * Parses a URL as browsers do (WHATWG URL Standard); undefined for anything else. It does not ask `URL.canParse` first: in Node 20
 * that rejects URLs with characters from U+0080 to U+00FF once V8 has compiled its caller.
 */
export function parseUrl(text: string): URL | undefined {
  try {
    return new URL(text);
  } catch {
    return undefined;
  }
}

/** Whether a URL has a user name or a password. */
export function hasCredentials({ username, password }: URL): boolean {
  return username !== '' || password !== '';
}
