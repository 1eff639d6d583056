import { openSocket, type SocketConnection, type SocketDeps } from './socket-connection.ts';
import type { Transport } from './transport.ts';

/** The number of subscriptions that the server allows on one socket. */
const MOST_ON_A_SOCKET = 100;

/**
 * Runs subscriptions over WebSockets, which they share: a page with ten of them has one connection. A socket is opened for
 * the first subscription and closed after the last.
 */
export function createSocketTransport(deps: SocketDeps): Transport {
  let connections: readonly SocketConnection[] = [];
  return {
    open(request, sink, signal) {
      connections = connections.filter((one) => !one.isOver());
      let connection = connections.find((one) => one.size() < MOST_ON_A_SOCKET);
      if (connection === undefined) {
        connection = openSocket(deps);
        connections = [...connections, connection];
      }
      return connection.run(request, sink, signal);
    },
  };
}
