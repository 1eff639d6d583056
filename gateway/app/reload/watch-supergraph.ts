import { unwatchFile, watchFile } from 'node:fs';
import { readFile } from 'node:fs/promises';
import type { Logger } from '../../../subgraphs/kernel/log/log.ts';

const POLL_MS = 1_000;

/** Calls `look` at each sign that the supergraph may have changed. @returns a function that ends this */
export type ReloadSignal = (look: () => void) => () => void;

/** `SIGHUP`. For programs: a library leaves signals to its process. */
export const onSighup: ReloadSignal = (look) => {
  process.on('SIGHUP', look);
  return () => void process.off('SIGHUP', look);
};

/** The watched file, and the handling of its content. */
interface SupergraphWatch {
  readonly file: string;
  /** The supergraph that is served now. */
  readonly sdl: string;
  readonly log: Logger;
  /** Triggers an immediate check, in addition to polling; see {@link onSighup}. */
  readonly reloadSignal?: ReloadSignal | undefined;
  /** Serves another supergraph. @throws if it cannot be served; then the current one stays */
  apply(sdl: string): Promise<void>;
}

interface Watcher {
  /** Ends the watch; waits for a supergraph that is being loaded. */
  close(): Promise<void>;
}

/**
 * Serves the content of the supergraph's file, after every change. It reads the file each second, so the file may be replaced,
 * mounted or on a network. A supergraph that cannot be served is logged and changes nothing.
 */
export function watchSupergraph({ file, sdl, log, reloadSignal, apply }: SupergraphWatch): Watcher {
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
      log.error({ err: error, file }, 'supergraph.reload_failed');
    }
  }
  const look = () => {
    last = last.then(reload);
  };

  watchFile(file, { interval: POLL_MS, persistent: false }, look);
  const endSignal = reloadSignal?.(look);
  // The file may have changed between its first reading and now.
  look();
  return {
    close() {
      unwatchFile(file, look);
      endSignal?.();
      return last;
    },
  };
}
