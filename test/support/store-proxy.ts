import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { withDatabase } from '../../subgraphs/kernel/database/uri.ts';
import { TEST_URI_VARIABLE } from './test-database.ts';

/** The run's store behind a way that can be interrupted. */
export interface StoreProxy {
  /** Names a database of the store by this way. */
  readonly uri: string;
  /** From now on nothing gets through, and no client gets an error: as if the store's process stood still. */
  hang(): void;
  /** Every connection breaks, and there are no new ones: as if the store's process were killed. */
  cut(): void;
  restore(): void;
  close(): Promise<void>;
}

/** Starts a way to the store of the test run. */
export async function startStoreProxy(database: string): Promise<StoreProxy> {
  const shared = new URL(process.env[TEST_URI_VARIABLE] ?? '');
  const pairs = new Set<readonly [client: Socket, store: Socket]>();
  let state: 'through' | 'hanging' | 'cut' = 'through';
  const server = createServer((client) => {
    if (state === 'cut') {
      client.resetAndDestroy();
      return;
    }
    const store = connect(Number(shared.port), shared.hostname);
    const pair = [client, store] as const;
    pairs.add(pair);
    forward(client, store, () => state);
    forward(store, client, () => state);
    client.once('close', () => pairs.delete(pair));
  });
  const destroyAll = () => {
    for (const [client, store] of pairs) {
      client.destroy();
      store.destroy();
    }
  };
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const own = new URL(shared);
  own.host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  own.searchParams.set('directConnection', 'true');
  return {
    uri: withDatabase(own.href, database),
    hang: () => {
      state = 'hanging';
    },
    cut: () => {
      state = 'cut';
      destroyAll();
    },
    restore: () => {
      // A command that hung has lost its place in the stream of bytes.
      destroyAll();
      state = 'through';
    },
    close: async () => {
      destroyAll();
      await new Promise((closed) => server.close(closed));
    },
  };
}

function forward(from: Socket, to: Socket, state: () => string): void {
  from.on('data', (bytes) => {
    if (state() === 'through') {
      to.write(bytes);
    }
  });
  from.on('error', () => to.destroy());
  from.on('close', () => to.destroy());
}
