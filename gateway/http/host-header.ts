import type { IncomingMessage } from 'node:http';
import { parseUrl } from '../../subgraphs/kernel/parse-url.ts';

/**
 * The fault of the `Host` of a request; undefined when nothing is. HTTP/1.1 needs exactly one (RFC 9112, section 3.2):
 * of two, a proxy may have looked at the other one. An empty one is allowed.
 */
export function findHostIssue({
  httpVersion,
  rawHeaders,
}: Pick<IncomingMessage, 'httpVersion' | 'rawHeaders'>): string | undefined {
  const hosts: string[] = [];
  for (let index = 0; index < rawHeaders.length; index += 2) {
    if (rawHeaders[index]?.length === 4 && rawHeaders[index]?.toLowerCase() === 'host') {
      hosts.push(String(rawHeaders[index + 1]));
    }
  }
  if (hosts.length > 1) {
    return 'The request has more than one Host header.';
  }
  const [host] = hosts;
  if (host === undefined) {
    return httpVersion === '1.0' ? undefined : 'The request has no Host header.';
  }
  return host === '' || isHost(host) ? undefined : 'The Host header of the request is not valid.';
}

/** Whether a value is a host name or an address, with or without a port. */
export function isHost(value: string): boolean {
  return PLAIN_HOST.test(value) || (!NO_HOST.test(value) && parseUrl(`http://${value}`) !== undefined);
}

/** Most hosts: they need not be parsed. */
const PLAIN_HOST = /^[a-z][a-z\d.-]*(?::\d{1,4})?$/i;
const NO_HOST = /[\s/?#@\\]/;
