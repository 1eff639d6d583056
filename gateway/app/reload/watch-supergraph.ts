import { unwatchFile, watchFile } from 'node:fs';
import { readFile } from 'node:fs/promises';
import type { Logger } from '../../../subgraphs/platform/log/log.ts';

const POLL_MS = 1_000;

/** What is watched, and what is done with it. */
export interface SupergraphWatch {
  readonly file: string;
  /** What is served now. */
  readonly sdl: string;
  readonly log: Logger;
  /** Serves another supergraph. @throws when it cannot be served; what is served stays then */
  apply(sdl: string): Promise<void>;
}

/** Something that goes on until it is ended. */
export interface Watcher {
  /** Ends it; waits for a supergraph that is being taken over. */
  close(): Promise<void>;
}

/**
 * Serves what the supergraph's file says, whenever it changes, and at `SIGHUP`. The file is looked at each second, so
 * that it may be replaced, mounted or on a network. A supergraph that cannot be served is logged and changes nothing.
 */
export function watchSupergraph({ file, sdl, log, apply }: SupergraphWatch): Watcher {
  let served = sdl;
  let last: Promise<void> = Promise.resolve();

  async function reload(): Promise<void> {
    try {
      const found = await readFile(file, 'utf8');
      if (found === served) {
        return;
      }
      await apply(found);
      served = found;
      log.info({ file }, 'supergraph.reloaded');
    } catch (error) {
      log.error({ err: error, file }, 'supergraph.reload failed');
    }
  }
  const look = () => {
    last = last.then(reload);
  };

  watchFile(file, { interval: POLL_MS, persistent: false }, look);
  process.on('SIGHUP', look);
  // It may have changed between its first reading and now.
  look();
  return {
    close() {
      unwatchFile(file, look);
      process.off('SIGHUP', look);
      return last;
    },
  };
}
