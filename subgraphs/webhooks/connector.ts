import { type LookupAddress, type LookupAllOptions, lookup as systemLookup } from 'node:dns';
import { isIP, type LookupFunction, Socket } from 'node:net';
import { createSecureContext } from 'node:tls';
import { buildConnector } from 'undici';
import type { PemIdentity } from '../kernel/config/pem-file.ts';
import type { AddressGuard } from './address-guard.ts';
import type { Stopwatch } from './attempt-timing.ts';

/** Thrown when all addresses of the host are forbidden by the guard. Nothing was sent to any of them. */
export class RefusedAddressError extends Error {
  override readonly name = 'RefusedAddressError';
}

/** Resolves a host name to all of its addresses, as `dns.lookup` does with `all`. */
export type ResolveAll = (
  hostname: string,
  options: LookupAllOptions,
  callback: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void;

export interface GuardedConnectorOptions {
  readonly guard: AddressGuard;
  /** Time for connecting and the TLS handshake, milliseconds. */
  readonly timeoutMs: number;
  /** Certificate authorities, PEM; the runtime's own when absent. */
  readonly ca?: readonly string[];
  /** Presented to receivers that ask for a client certificate; none when absent. */
  readonly identity?: PemIdentity;
  /** Default: the system's resolver. */
  readonly resolve?: ResolveAll;
}

/** Makes a connection, and reports the times of its parts to the stopwatch. */
export type TimedConnector = (
  options: buildConnector.Options,
  callback: buildConnector.Callback,
  watch?: Stopwatch,
) => void;

/**
 * Connects only to addresses that the guard permits. A name is resolved once, inside the connect, and the socket gets the
 * checked addresses, so a second answer of the name server has no effect. The socket never resolves a host that is already an
 * address, so addresses are checked before.
 */
export function createGuardedConnector({
  guard,
  timeoutMs,
  ca,
  identity,
  resolve = systemLookup,
}: GuardedConnectorOptions): TimedConnector {
  // Made for the first connection and used for all: making a context of the authorities takes 30 ms.
  let connect: buildConnector.connector | undefined;
  const makeConnect = () =>
    buildConnector({
      timeout: timeoutMs,
      lookup: guardedLookup(guard, resolve),
      ...((ca || identity) && {
        secureContext: createSecureContext({ ...(ca && { ca: [...ca] }), ...identity }),
      }),
    });
  return (options, callback, watch) => {
    const { hostname } = options;
    if (isIP(hostname) !== 0 && !guard.permits(hostname)) {
      callback(new RefusedAddressError(`${hostname} is not a permitted address`), null);
      return;
    }
    connect ??= makeConnect();
    if (watch) {
      connectTimed(connect, options, callback, watch);
    } else {
      connect(options, callback);
    }
  };
}

function connectTimed(
  connect: buildConnector.connector,
  options: buildConnector.Options,
  callback: buildConnector.Callback,
  watch: Stopwatch,
): void {
  watch.connecting();
  // undici returns the socket at once, though its types do not say so.
  const socket: unknown = connect(options, (...made) => {
    if (made[0] === null) {
      watch.ended('tlsMs');
    }
    callback(...made);
  });
  if (socket instanceof Socket) {
    // A name with several addresses reports several times; the name is resolved at the first.
    socket.once('lookup', () => watch.ended('dnsMs'));
    socket.once('connect', () => watch.ended('connectMs'));
  }
}

function guardedLookup(guard: AddressGuard, resolve: ResolveAll): LookupFunction {
  return (hostname, options, callback) => {
    resolve(hostname, { ...options, all: true }, (error, addresses) => {
      if (error) {
        callback(error, []);
        return;
      }
      const permitted = addresses.filter(({ address }) => guard.permits(address));
      const [first] = permitted;
      if (!first) {
        callback(new RefusedAddressError(`${hostname} has no permitted address`), []);
        return;
      }
      if (options.all) {
        callback(null, permitted);
      } else {
        callback(null, first.address, first.family);
      }
    });
  };
}
