import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { isHost } from './host-header.ts';

/** Headers of proxies: with one of them, the sender of the request is not the peer of the connection. */
const PROXY_HEADERS = ['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-real-ip', 'via'] as const;

const LOOPBACK_NAME = /^(?:(?:.+\.)?localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;
const LOOPBACK_ADDRESS = /^(?:127(?:\.\d{1,3}){3}|::1|::ffff:127(?:\.\d{1,3}){3})$/;

/** The name of a `Host` header, in lower case and without its port; undefined for an invalid header. */
function hostName({ host }: IncomingHttpHeaders): string | undefined {
  return host === undefined || !isHost(host) ? undefined : new URL(`http://${host}`).hostname;
}

/**
 * Whether a request names this machine by a name that only this machine answers to, or by a name in `allowed`. A page of
 * another site can reach us when its name is made to point here (DNS rebinding), but its browser sends that name.
 * @param allowed host names in lower case
 */
export function asksForHost(headers: IncomingHttpHeaders, allowed: readonly string[]): boolean {
  const name = hostName(headers);
  return name !== undefined && (LOOPBACK_NAME.test(name) || allowed.includes(name));
}

/** Whether a request came from this machine, was meant for this machine, and was not forwarded by a proxy. */
export function isFromThisMachine({ headers, socket }: IncomingMessage): boolean {
  return (
    asksForHost(headers, []) &&
    LOOPBACK_ADDRESS.test(socket.remoteAddress ?? '') &&
    PROXY_HEADERS.every((name) => headers[name] === undefined)
  );
}
