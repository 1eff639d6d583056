import type { AddressInfo } from 'node:net';

/** The TCP port that a server listens on. @throws TypeError for a server that does not listen on one */
export function portOf(server: { address(): AddressInfo | string | null }): number {
  const address = server.address();
  if (address === null || typeof address === 'string') {
    throw new TypeError('The server listens on no TCP port');
  }
  return address.port;
}
