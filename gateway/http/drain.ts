import { setTimeout } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import type { Draining } from './health.ts';
import { endUnusedConnections } from './unused-connections.ts';

/** Lets a closing application wait only for running requests, not for idle connections. */
export function addDraining(app: FastifyInstance, state: Draining): void {
  endUnusedConnections(app);
  endAnsweredConnections(app, state);
}

/**
 * Ends each connection after its current request once `state.draining` is set. Fastify closes idle connections when it begins
 * to close. A connection with a running request would stay open until its client closes it, and `close` would wait for it.
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
      // Streams have sent their headers already. The connection is idle only after this event.
      setImmediate(() => app.server.closeIdleConnections());
    }
    done();
  });
}

/** Ends open streams in batches when a process stops. */
export interface StreamDrain {
  /**
   * Calls `end` when the turn of the opened stream comes, or at once after the last turn. @returns removes it, for a stream
   * that has ended by itself
   */
  add(end: () => void): () => void;
  /** Ends everything that is open, in random order. Resolves after the last turn. */
  run(): Promise<void>;
}

interface StreamDrainOptions {
  /** Time for all batches. */
  readonly seconds: number;
  /** Between 0 and 1. */
  random?(): number;
  sleep?(ms: number): Promise<void>;
}

/** Average time between two batches. */
const BATCH_MS = 250;
/** The number of clients that may reconnect at once without harm. */
const LEAST_BATCH = 25;

/**
 * Makes a drain. Clients reconnect to the remaining processes as soon as their streams end. If all did so at once,
 * they would overload these processes. A few streams end at once; many end in batches, with random pauses between
 * them.
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
