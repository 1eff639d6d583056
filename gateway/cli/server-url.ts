import { redactUrls } from '../../subgraphs/kernel/log/redact.ts';
import { hasCredentials, parseUrl } from '../../subgraphs/kernel/parse-url.ts';

/** The server that a command calls unless `--url` names another one. */
export const DEFAULT_URL = 'http://localhost:4000';

/** The value of `--url`; undefined unless it is a URL of HTTP or HTTPS without credentials, which no call would send. */
export function readServerUrl(text: string): URL | undefined {
  const url = parseUrl(text);
  return url && ['http:', 'https:'].includes(url.protocol) && !hasCredentials(url) ? url : undefined;
}

/** The issue of a value that {@link readServerUrl} does not take. */
export const serverUrlIssue = (text: string) =>
  `--url must begin with http:// or https://, and have no user name or password: not "${redactUrls(text)}".`;

/** The address of the graph of a server, which may be behind a path of a proxy. */
export function graphUrlOf(server: string | URL): string {
  const { href } = new URL(server);
  return new URL('graphql', href.endsWith('/') ? href : `${href}/`).href;
}
