import { createRandom } from '../conformance/fuzz/random.ts';

/** Simulated time, in milliseconds from 0. It passes from one event to the next, and only in {@link Clock.runUntil}. */
interface Clock {
  now(): number;
  /** Runs something so much later; of several at the same moment, first the one that was added first. */
  after(ms: number, run: () => void): void;
  /** Runs everything that is due until a moment, also what is added meanwhile. */
  runUntil(end: number): void;
}

interface Entry {
  readonly at: number;
  readonly run: () => void;
}

export function createClock(): Clock {
  /** The latest first. Few at any time: jobs that wait for a processor have no entry. */
  const entries: Entry[] = [];
  let now = 0;
  return {
    now: () => now,
    after: (ms, run) => {
      const at = now + ms;
      let [low, high] = [0, entries.length];
      while (low < high) {
        const middle = (low + high) >> 1;
        if ((entries[middle]?.at ?? 0) > at) {
          low = middle + 1;
        } else {
          high = middle;
        }
      }
      entries.splice(low, 0, { at, run });
    },
    runUntil: (end) => {
      for (let next = entries.at(-1); next !== undefined && next.at <= end; next = entries.at(-1)) {
        entries.pop();
        now = next.at;
        next.run();
      }
      now = end;
    },
  };
}

/** Draws that depend on their seed alone. */
interface Draws {
  /** An integer from 0 to `below - 1`. */
  below(below: number): number;
  /** Between 0 and 1, without both. */
  uniform(): number;
  /** Of the exponential distribution with this mean. */
  exponential(mean: number): number;
}

export function createDraws(seed: string): Draws {
  const random = createRandom(seed);
  const uniform = () => (random.int(2 ** 32) + 0.5) / 2 ** 32;
  return { below: random.int, uniform, exponential: (mean) => -mean * Math.log(uniform()) };
}
