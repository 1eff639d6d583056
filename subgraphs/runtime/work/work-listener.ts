import type { Logger } from '../../kernel/log/log.ts';
import type { UnclaimedListener, UnclaimedWork } from '../events/index.ts';
import type { EventEntity } from '../events/model.ts';
import type { Claimable } from './claim.ts';
import type { Worker } from './worker.ts';

/** Work of one kind that other processes store, and its worker here. */
export interface WorkSource {
  /** The kind of entity whose events announce the work. */
  readonly entity: EventEntity;
  /** The `_id` of the document. */
  idOf(work: UnclaimedWork): string;
  readonly worker: Pick<Worker<Claimable>, 'wake' | 'sweep'>;
  /** The prefix of log line names, such as `pipeline`. */
  readonly name: string;
}

interface WorkListenerDeps {
  /** Listens to the event log. */
  listen(listener: UnclaimedListener): { stop(): Promise<void> };
  readonly sources: readonly WorkSource[];
  readonly log: Pick<Logger, 'error'>;
  /** From 0 to less than 1. */
  random?(): number;
}

const LONGEST_DELAY_MS = 20;

/**
 * Begins work that another process has stored without a lease, as soon as the event log announces it. Sweeps remain as a
 * fallback: work that was not announced becomes due too.
 */
export function listenForWork({ listen, sources, log, random = Math.random }: WorkListenerDeps): {
  stop(): Promise<void>;
} {
  const listeners = sources.map((source) => ({ source, wakes: createWakes(source.worker, random) }));
  const listener = listen({
    onOpen: () => {
      for (const { source } of listeners) {
        void sweep(source, log);
      }
    },
    onWork: (work) => {
      for (const { source, wakes } of listeners) {
        wakes.add(work.filter(({ entity }) => entity === source.entity).map(source.idOf));
      }
    },
  });
  return {
    stop: async () => {
      await listener.stop();
      for (const { wakes } of listeners) {
        wakes.stop();
      }
    },
  };
}

/** Begins work that was stored before. Never throws. */
async function sweep({ worker, name }: WorkSource, log: Pick<Logger, 'error'>): Promise<void> {
  try {
    await worker.sweep();
  } catch (error) {
    log.error({ err: error }, `${name}.sweep_failed`);
  }
}

interface Wakes {
  add(ids: readonly string[]): void;
  stop(): void;
}

/**
 * All workers receive the same documents at the same moment. Each looks after a delay of its own, so that mostly one claims
 * a document and the others find nothing; and each takes many documents in an order of its own, so that several workers share
 * them.
 */
function createWakes(worker: Pick<Worker<Claimable>, 'wake'>, random: () => number): Wakes {
  let pending: string[] = [];
  let timer: NodeJS.Timeout | undefined;
  const wake = () => {
    const ids = pending;
    pending = [];
    timer = undefined;
    worker.wake(shuffled(ids, random));
  };
  return {
    add: (ids) => {
      pending.push(...ids);
      if (ids.length > 0) {
        timer ??= setTimeout(wake, random() * LONGEST_DELAY_MS);
      }
    },
    stop: () => clearTimeout(timer),
  };
}

function shuffled<T>(values: readonly T[], random: () => number): T[] {
  return values
    .map((value) => ({ value, place: random() }))
    .sort((one, other) => one.place - other.place)
    .map(({ value }) => value);
}
