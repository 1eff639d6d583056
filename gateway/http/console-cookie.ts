import type { IncomingHttpHeaders } from 'node:http';
import type { Credential } from './credentials.ts';

/** The header that our pages send, with the value `1`. Forms and pages of other origins cannot send it. */
export const CONSOLE_HEADER = 'x-remitgraph-console';

/** Methods whose requests browsers send without an `Origin` to the page's own host. */
const SAFE_METHODS: ReadonlySet<string | undefined> = new Set(['GET', 'HEAD']);

/** The parts of a request that identify its origin. */
export interface Requested {
  readonly method?: string | undefined;
  readonly headers: IncomingHttpHeaders;
}

/**
 * The cookie of console sessions. A browser sends it with each request to this host, even if another site causes the
 * request. So it counts only for requests of our own pages.
 */
export interface ConsoleCookie {
  /** Whether one of our pages made the request. Checks the header and `Origin`, which only safe methods may lack. */
  isFromOwnPage(request: Requested): boolean;
  /** The session of a request of our own page; undefined without one. */
  credentialOf(request: Requested): Credential | undefined;
  /** The session of a socket that our own page opens. Browsers cannot add a header to it, but always send `Origin`. */
  credentialOfSocket(headers: IncomingHttpHeaders): Credential | undefined;
  /** `Set-Cookie` that keeps a session. @param text the value @param until milliseconds since the epoch */
  keep(text: string, until: number): string;
  /** `Set-Cookie` that forgets the session. */
  readonly forget: string;
}

/**
 * @param publicUrl the service's address for clients, with the origin of our pages. Without it, the origin is `http://`
 * and the host of the request with its port: pages on other ports of this machine do not count as ours.
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

/** The value of a cookie. Duplicate cookies are ignored, because another host or path has set one of them. */
export function readCookie(header: string | undefined, name: string): string | undefined {
  const values = (header ?? '')
    .split(';')
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(`${name}=`));
  return values.length === 1 ? values[0]?.slice(name.length + 1) : undefined;
}
