import type { Started } from './offered-load.ts';

/** The outcome of requests of which so many were under way at any time. */
export interface Busy {
  readonly calls: number;
  readonly seconds: number;
  /** From each answer to the end of what follows from it, milliseconds. */
  readonly toDone: readonly number[];
}

/** Keeps so many requests under way for some time, and waits for the last ones. */
export async function keepBusy(start: () => Started, inFlight: number, seconds: number): Promise<Busy> {
  const toDone: number[] = [];
  const begin = performance.now();
  const end = begin + seconds * 1000;
  const work = async () => {
    while (performance.now() < end) {
      toDone.push(await follow(start()));
    }
  };
  await Promise.all(Array.from({ length: inFlight }, work));
  return { calls: toDone.length, seconds: (performance.now() - begin) / 1000, toDone };
}

/** Sends so many requests at once, and waits for all of them. */
export async function sendAtOnce(start: (index: number) => Started, calls: number): Promise<Busy> {
  const begin = performance.now();
  const toDone = await Promise.all(Array.from({ length: calls }, (_, index) => follow(start(index))));
  return { calls, seconds: (performance.now() - begin) / 1000, toDone };
}

async function follow({ accepted, done }: Started): Promise<number> {
  await accepted;
  const from = performance.now();
  await done;
  return performance.now() - from;
}
