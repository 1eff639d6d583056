import { setTimeout } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import { endUnusedConnections } from '../../subgraphs/platform/serve/unused-connections.ts';
import type { Draining } from './health.ts';

/** Has an application that closes wait for running requests alone, and for no connection that has none. */
export function addDraining(app: FastifyInstance, state: Draining): void {
  endUnusedConnections(app);
  endAnsweredConnections(app, state);
}

/**
 * Has connections end with the request that they carry once `state.draining` is set. Fastify closes those that are
 * idle when it begins to close; one with a running request would stay until its client lets it go, and `close` with it.
 * Until then an idle connection stays open: its client may be about to send a request on it.
 */
export function endAnsweredConnections(app: FastifyInstance, state: Draining): void {
  app.addHook('onSend', (_request, reply, _payload, done) => {
    if (state.draining) {
      reply.header('connection', 'close');
    }
    done();
  });
  app.addHook('onResponse', (_request, _reply, done) => {
    if (!app.server.listening) {
      // Streams sent their headers long ago. The connection is idle only after this event.
      setImmediate(() => app.server.closeIdleConnections());
    }
    done();
  });
}

/** What is open when a process stops, ended a few at a time. */
export interface StreamDrain {
  /**
   * Has `end` called when the turn of what was opened comes; at once when all turns are over. @returns what takes it out
   * again, when it has ended by itself
   */
  add(end: () => void): () => void;
  /** Ends all that is open, in an order of chance, and resolves when every turn has come. */
  run(): Promise<void>;
}

export interface StreamDrainOptions {
  /** Over how long. */
  readonly seconds: number;
  /** Between 0 and 1. */
  random?(): number;
  sleep?(ms: number): Promise<void>;
}

/** How far two batches are apart on average. */
const BATCH_MS = 250;
/** So many may come back at once without harm. */
const LEAST_BATCH = 25;

/**
 * Makes a drain. Clients come back as soon as their streams end, to the processes that are left: all at once would be an
 * attack on them. Few streams end at once; many in batches, with pauses of chance length between them.
 */
export function createStreamDrain({
  seconds,
  random = Math.random,
  sleep = (ms) => setTimeout(ms),
}: StreamDrainOptions): StreamDrain {
  const open = new Set<() => void>();
  let isOver = false;
  const endSome = (batch: number) => {
    for (const end of shuffled([...open], random).slice(0, batch)) {
      open.delete(end);
      end();
    }
  };
  return {
    add(end) {
      if (isOver) {
        end();
        return () => undefined;
      }
      open.add(end);
      return () => open.delete(end);
    },
    async run() {
      const batches = Math.max(1, Math.floor((seconds * 1_000) / BATCH_MS));
      const batch = Math.max(LEAST_BATCH, Math.ceil(open.size / batches));
      for (let left = batches; left > 1 && open.size > batch; left -= 1) {
        endSome(batch);
        await sleep(BATCH_MS * (0.5 + random()));
      }
      isOver = true;
      endSome(open.size);
    },
  };
}

function shuffled<T>(items: T[], random: () => number): T[] {
  for (let index = items.length - 1; index > 0; index -= 1) {
    const other = Math.floor(random() * (index + 1));
    // Both places are in the list.
    [items[index], items[other]] = [items[other] as T, items[index] as T];
  }
  return items;
}
