import { type LookupAddress, type LookupAllOptions, lookup as systemLookup } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { createSecureContext } from 'node:tls';
import { buildConnector } from 'undici';
import type { AddressGuard } from './address-guard.ts';

/** The host leads nowhere but to addresses that the guard forbids. Nothing was sent to any of them. */
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
  /** Bound of connecting and the TLS handshake, milliseconds. */
  readonly timeoutMs: number;
  /** Certificate authorities, PEM; the runtime's own when absent. */
  readonly ca?: readonly string[];
  /** Default: the system's resolver. */
  readonly resolve?: ResolveAll;
}

/**
 * Connects to addresses that the guard permits, and to no others. A name is resolved once, inside the connect, and the
 * socket gets the addresses that were checked: a second answer of the name server has no effect. The socket never
 * resolves a host that is an address already, so these are checked before.
 */
export function createGuardedConnector({
  guard,
  timeoutMs,
  ca,
  resolve = systemLookup,
}: GuardedConnectorOptions): buildConnector.connector {
  // Made for the first connection, and for all of them: making a context of the authorities takes 30 ms.
  let connect: buildConnector.connector | undefined;
  const makeConnect = () =>
    buildConnector({
      timeout: timeoutMs,
      lookup: guardedLookup(guard, resolve),
      ...(ca ? { secureContext: createSecureContext({ ca: [...ca] }) } : {}),
    });
  return (options, callback) => {
    const { hostname } = options;
    if (isIP(hostname) !== 0 && !guard.permits(hostname)) {
      callback(new RefusedAddressError(`${hostname} is not a permitted address`), null);
      return;
    }
    connect ??= makeConnect();
    connect(options, callback);
  };
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
