import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { withDatabase } from '../../subgraphs/kernel/database/uri.ts';
import { TEST_URI_VARIABLE } from './test-database.ts';

/** A proxy before the store of the test run. */
export interface ProxiedStore {
  /** Names a database of the store by the way of the proxy. */
  uriOf(database: string): string;
  /** Breaks every connection. New ones are possible. */
  disconnect(): void;
  close(): Promise<void>;
}

/**
 * Starts a proxy before the store of the test run. When one side of a connection ends, the proxy ends the other.
 * @param join listens to both sides of a new connection, and passes on what they send
 * @param options.isDirect whether drivers connect to the proxy whatever it says of itself, as they must where the store names
 *   the members of its replica set; default true
 */
export async function proxyStore(
  join: (client: Socket, store: Socket) => void,
  { isDirect = true }: { readonly isDirect?: boolean } = {},
): Promise<ProxiedStore> {
  const shared = new URL(process.env[TEST_URI_VARIABLE] ?? '');
  const open = new Set<Socket>();
  const server = createServer((client) => {
    const store = connect(Number(shared.port), shared.hostname);
    for (const socket of [client, store]) {
      open.add(socket);
      socket.on('error', () => undefined);
      socket.once('close', () => {
        open.delete(socket);
        client.destroy();
        store.destroy();
      });
    }
    join(client, store);
  });
  const disconnect = () => {
    for (const socket of open) {
      socket.destroy();
    }
  };
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const own = new URL(shared);
  own.host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  if (isDirect) {
    own.searchParams.set('directConnection', 'true');
  } else {
    own.search = '';
  }
  return {
    uriOf: (database) => withDatabase(own.href, database),
    disconnect,
    close: async () => {
      disconnect();
      await new Promise((closed) => server.close(closed));
    },
  };
}
