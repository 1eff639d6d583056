import type { Connection } from 'mongoose';
import { countCommands } from '../count-commands.ts';
import type { Drive } from './drive.ts';
import { hasId, type Variants } from './variant.ts';

/** Sweeps and caches read beside a call: what differs is counted again. A number that differs each time differs because of the id. */
const COUNTED_AGAIN = 6;

/** Reads of the store, such as `find users` and how many, in the order of their names. */
type Reads = readonly (readonly [read: string, times: number])[];

/** The result for each id of every read that takes an id, and answers foreign ones like unknown ones. */
export async function countReads<Arguments>(
  variants: Variants<Arguments>,
  { send, prepare, sets }: Drive<Arguments>,
  served: Connection,
): Promise<(readonly [call: string, reads: Record<'foreign' | 'unknown', Reads>])[]> {
  const report: (readonly [string, Record<'foreign' | 'unknown', Reads>])[] = [];
  for (const [operation, ways] of Object.entries(variants)) {
    for (const [number, way] of ways.entries()) {
      const foreign = prepare(way, sets.foreign);
      const unknown = prepare(way, sets.unknown);
      if (hasId(foreign) && way.is === undefined) {
        const count = async () => ({
          foreign: await readsOf(served, () => send(operation, foreign.args)),
          unknown: await readsOf(served, () => send(operation, unknown.args)),
        });
        let reads = await count();
        for (let again = 0; again < COUNTED_AGAIN && !isSame(reads); again += 1) {
          const { foreign: foreigns, unknown: unknowns } = await count();
          reads = { foreign: fewestOf(reads.foreign, foreigns), unknown: fewestOf(reads.unknown, unknowns) };
        }
        report.push([`${operation}, variant ${number + 1}`, reads]);
      }
    }
  }
  return report;
}

async function readsOf(served: Connection, call: () => Promise<unknown>): Promise<Reads> {
  const counts = await countCommands(served, call);
  return (
    Object.entries(counts)
      // The caller's own key is read again whenever its seconds in the cache are over.
      .filter(([command]) => /^(find|aggregate|count|distinct) (?!apiKeys$)/.test(command))
      .toSorted()
  );
}

/** The reads that were made both times: those of jobs in the background come beside the call only by chance. */
function fewestOf(one: Reads, other: Reads): Reads {
  const times = new Map(other);
  return one.flatMap(([read, count]) => {
    const both = Math.min(count, times.get(read) ?? 0);
    return both === 0 ? [] : [[read, both] as const];
  });
}

export function isSame({ foreign, unknown }: Record<'foreign' | 'unknown', Reads>): boolean {
  return JSON.stringify(foreign) === JSON.stringify(unknown);
}
