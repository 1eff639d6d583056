import { setTimeout as delay } from 'node:timers/promises';
import type { UnitOfWork } from '../../kernel/database/unit-of-work.ts';
import type { Claimable } from './claim.ts';
import { createState, goOn, launch, runClaimLoop, type State, type WorkerDeps, wake } from './claim-loop.ts';

/** Works at due documents, in this process. */
export interface Worker<Document extends Claimable> {
  /** Starts: from now on sweeps and wakes do their work. */
  start(): void;
  /**
   * Looks for all that is due. Resolves when it has looked into every partition, or there is no more room; the rest
   * follows by itself as work ends, without another sweep. It does not wait for that: while work keeps coming, a job that
   * waited would miss its alarms and hold up the stop of the process.
   * @throws when the database does not answer; unclaimed work stays due
   */
  sweep(): Promise<void>;
  /** Looks into a partition that has something due; returns immediately. */
  look(partition: number): void;
  /** Tries these documents at once; returns immediately. */
  wake(ids: readonly string[]): void;
  /**
   * Works at a document as soon as the transaction that stores it is committed. If there is room now, its lease is stored
   * with it, without a claim; otherwise {@link wake} follows. If the process dies in between, the document is due when the
   * lease ends.
   * @returns the document as it must be stored
   */
  admit(document: Document, unit: Pick<UnitOfWork, 'onEnd'>): Document;
  /** Claims nothing more, lets running work finish within the grace time and then aborts it. */
  stop(): Promise<void>;
}

export function createWorker<Document extends Claimable>(deps: WorkerDeps<Document>): Worker<Document> {
  const state = createState();
  return {
    start: () => {
      state.phase = 'running';
    },
    sweep: () => {
      for (const partition of deps.partitions) {
        state.partitions.add(partition);
      }
      return new Promise<void>((resolve, reject) => {
        state.sweeps.push({ resolve, reject });
        runClaimLoop(deps, state);
      });
    },
    look: (partition) => {
      state.partitions.add(partition);
      goOn(deps, state);
    },
    wake: (ids) => wake(deps, state, ids),
    admit: (document, unit) => admit(deps, state, document, unit),
    stop: () => stop(deps, state),
  };
}

function admit<Document extends Claimable>(
  deps: WorkerDeps<Document>,
  state: State,
  document: Document,
  unit: Pick<UnitOfWork, 'onEnd'>,
): Document {
  const leased = state.phase === 'running' ? deps.claims.leaseNew(document) : undefined;
  unit.onEnd((committed) => {
    if (leased && committed) {
      launch(deps, state, [leased]);
    } else if (leased) {
      deps.limiter.release(document);
      goOn(deps, state);
    } else if (committed) {
      wake(deps, state, [document._id]);
    }
  });
  return leased ? leased.document : document;
}

async function stop({ stopGraceMs }: { stopGraceMs: number }, state: State): Promise<void> {
  state.phase = 'stopped';
  for (const timer of state.soon) {
    clearTimeout(timer);
  }
  await state.claimLoop;
  const drained = drain(state);
  const graceOver = new AbortController();
  await Promise.race([
    drained,
    delay(stopGraceMs, undefined, { signal: graceOver.signal }).catch(() => undefined),
  ]);
  graceOver.abort();
  state.giveUp.abort();
  await drained;
}

/** Waits until nothing runs, including work that is admitted meanwhile. */
async function drain({ running }: State): Promise<void> {
  while (running.size > 0) {
    await Promise.all(running);
  }
}
