import type { IncomingHttpHeaders } from 'node:http';
import type { Credential } from './credentials.ts';

/** What a page of ours sends with its requests, with the value `1`: no form and no page of another origin can send it. */
export const CONSOLE_HEADER = 'x-remitgraph-console';

/** Methods whose requests browsers send without an `Origin` to the page's own host. */
const SAFE_METHODS: ReadonlySet<string | undefined> = new Set(['GET', 'HEAD']);

/** The request's parts that say where it comes from. */
export interface Requested {
  readonly method?: string | undefined;
  readonly headers: IncomingHttpHeaders;
}

/**
 * The cookie of console sessions. A browser sends it with each request to this host, whoever has caused the request. So it
 * counts only for requests that a page of our own has made.
 */
export interface ConsoleCookie {
  /** Whether a page of our own has made the request: by the header, and by `Origin`, which only safe methods may lack. */
  isFromOwnPage(request: Requested): boolean;
  /** The session of a request of our own page; undefined without one. */
  credentialOf(request: Requested): Credential | undefined;
  /** The session of a socket that our own page opens. Browsers send no header of a page's own with it, but `Origin` always. */
  credentialOfSocket(headers: IncomingHttpHeaders): Credential | undefined;
  /** `Set-Cookie` that keeps a session. @param text the value @param until milliseconds since the epoch */
  keep(text: string, until: number): string;
  /** `Set-Cookie` that forgets the session. */
  readonly forget: string;
}

/**
 * @param publicUrl the service's address for clients: its origin is that of our pages. Without it, the origin is `http://` and
 * the host that the request names, its port included: pages of other ports of this machine are others'.
 */
export function createConsoleCookie(publicUrl: string | undefined): ConsoleCookie {
  const origin = publicUrl === undefined ? undefined : new URL(publicUrl).origin;
  const isSecure = origin?.startsWith('https:') === true;
  // Browsers take a cookie of this name from its own host alone, over TLS, and for all its paths.
  const name = isSecure ? '__Host-remitgraph-console' : 'remitgraph-console';
  const attributes = `Path=/; HttpOnly; SameSite=Strict${isSecure ? '; Secure' : ''}`;
  const isOwn = (headers: IncomingHttpHeaders) =>
    headers.origin !== undefined && headers.origin === (origin ?? `http://${headers.host}`);
  const isFromOwnPage = ({ method, headers }: Requested) =>
    headers[CONSOLE_HEADER] === '1' &&
    (isOwn(headers) || (headers.origin === undefined && SAFE_METHODS.has(method)));
  const sessionOf = ({ cookie }: IncomingHttpHeaders): Credential | undefined => {
    const text = readCookie(cookie, name);
    return text === undefined ? undefined : { kind: 'session', text };
  };
  return {
    isFromOwnPage,
    credentialOf: (request) => (isFromOwnPage(request) ? sessionOf(request.headers) : undefined),
    credentialOfSocket: (headers) => (isOwn(headers) ? sessionOf(headers) : undefined),
    keep: (text, until) => `${name}=${text}; ${attributes}; Expires=${new Date(until).toUTCString()}`,
    forget: `${name}=; ${attributes}; Expires=${new Date(0).toUTCString()}`,
  };
}

/** The value of a cookie. Two of one name are nobody's: one of them was set by another host or for another path. */
function readCookie(header: string | undefined, name: string): string | undefined {
  const values = (header ?? '')
    .split(';')
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(`${name}=`));
  return values.length === 1 ? values[0]?.slice(name.length + 1) : undefined;
}
