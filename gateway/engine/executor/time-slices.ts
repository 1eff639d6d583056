import { setImmediate as nextTurn } from 'node:timers/promises';

/** Work with breaks. It can be stopped at each break. */
export type Slices<T> = Generator<void, T>;

/** Limits the work that runs at the same time. The rest waits for its turn, in order. */
export interface ConcurrencyLimiter {
  /** Waits for a turn. Call the returned function once, to give the turn back. */
  enter(): Promise<() => void>;
}

/** Lets `width` run at once. */
export function createConcurrencyLimiter(width: number): ConcurrencyLimiter {
  let free = width;
  const waiting: (() => void)[] = [];
  return {
    async enter() {
      if (free > 0) {
        free -= 1;
      } else {
        await new Promise<void>((resolve) => {
          waiting.push(resolve);
        });
      }
      return () => {
        const next = waiting.shift();
        if (next === undefined) {
          free += 1;
        } else {
          next();
        }
      };
    },
  };
}

/** How work with breaks runs. */
export interface SliceOptions {
  /** Where long work waits for its turn. */
  readonly limiter: ConcurrencyLimiter;
  /** When it is aborted, the work ends at the next break. */
  readonly signal: AbortSignal | undefined;
}

/**
 * Does work with breaks. The part before the first break runs at once, without a promise. Each further part runs in
 * its own turn of the event loop, so that other work runs in between. The limiter bounds such work, because it holds
 * large answers in memory.
 *
 * @throws any error of the work, and the reason of the abort
 */
export function inSlices<T>(work: Slices<T>, options: SliceOptions): T | Promise<T> {
  const first = work.next();
  return first.done === true ? first.value : goOn(work, options);
}

async function goOn<T>(work: Slices<T>, { limiter, signal }: SliceOptions): Promise<T> {
  const leave = await limiter.enter();
  try {
    for (;;) {
      await nextTurn();
      signal?.throwIfAborted();
      const step = work.next();
      if (step.done === true) {
        return step.value;
      }
    }
  } finally {
    leave();
  }
}
