import type { Model } from 'mongoose';
import { pause } from '../abort.ts';
import { toDocument } from './document.ts';

/** One round of removal: removes at most `most` documents and returns how many it removed. */
type RemovalRound = (most: number) => Promise<number>;

/** Most documents of a round: a few milliseconds of work for the database. */
const AT_ONCE = 100;
/** A pause lasts so many times as long as the round before it, so removal uses at most a fifth of one connection's time. */
const PAUSE_FACTOR = 4;
const SHORTEST_PAUSE_MS = 20;

/**
 * Removes expired documents, in small rounds with pauses, until nothing is left or the signal aborts. The pauses grow with
 * the load: when the database is busy, a round takes longer, and the next one comes later.
 * @returns how many it has removed
 * @throws the error of a round; earlier rounds stay done
 */
export async function removeInRounds(round: RemovalRound, signal: AbortSignal): Promise<number> {
  for (let removed = 0; ; ) {
    if (signal.aborted) {
      return removed;
    }
    const started = performance.now();
    const count = await round(AT_ONCE);
    removed += count;
    if (count < AT_ONCE) {
      return removed;
    }
    await pause(Math.max(SHORTEST_PAUSE_MS, PAUSE_FACTOR * (performance.now() - started)), signal);
  }
}

/**
 * Removes documents outside of any transaction, each by itself, all in one command; see `update-each.ts` for why not by
 * `deleteMany`.
 * @param documents their ids first, and what else routes to them, such as their tenant
 * @returns how many were there
 */
export async function removeEach<T extends { _id: unknown }>(
  { collection }: Pick<Model<T>, 'collection'>,
  documents: readonly (Partial<T> & Pick<T, '_id'>)[],
): Promise<number> {
  if (documents.length === 0) {
    return 0;
  }
  const removals = documents.map((document) => ({ deleteOne: { filter: toDocument(document) } }));
  return (await collection.bulkWrite(removals, { ordered: false })).deletedCount;
}
