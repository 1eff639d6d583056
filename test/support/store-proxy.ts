import type { Socket } from 'node:net';
import { proxyStore } from './proxy-store.ts';

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
  let state: 'through' | 'hanging' | 'cut' = 'through';
  const forward = (from: Socket, to: Socket) => {
    from.on('data', (bytes) => {
      if (state === 'through') {
        to.write(bytes);
      }
    });
  };
  const { uriOf, disconnect, close } = await proxyStore((client, store) => {
    if (state === 'cut') {
      client.resetAndDestroy();
      return;
    }
    forward(client, store);
    forward(store, client);
  });
  return {
    uri: uriOf(database),
    hang: () => {
      state = 'hanging';
    },
    cut: () => {
      state = 'cut';
      disconnect();
    },
    restore: () => {
      // A command that hung has lost its place in the stream of bytes.
      disconnect();
      state = 'through';
    },
    close,
  };
}
