import { randomUUID } from 'node:crypto';
import type { Model } from 'mongoose';
import { TOO_FAR_MS } from '../../kernel/clock/database-clock.ts';
import { EVENT_LOG, type EventLogDocument } from './model.ts';
import { openLog } from './partitions.ts';

/** The partitions that this process numbers. */
export interface Shares {
  /**
   * Renews the lease of this process, takes free partitions up to its share, and gives back what exceeds it. Call it every
   * {@link HEARTBEAT_MS}.
   * @returns the partitions that are its own now, each with the term under which it numbers
   * @throws when the database cannot be reached
   */
  renew(): Promise<ReadonlyMap<number, number>>;
  /** The term under which this process may number the partition now; undefined when it is not, or no longer, its own. */
  termOf(partition: number): number | undefined;
  /** Gives all partitions back, so that other processes need not wait for the end of the lease. */
  leave(): Promise<void>;
}

interface SharesDeps {
  model: Model<EventLogDocument>;
  /** How many partitions the log has. */
  partitions: number;
  clock(): Date;
  /** Whether the machine's clock is right. While it is not, this process takes and keeps no partition. */
  isClockRight(): boolean;
}

/** How often a process looks at the division: a partition that is given back is taken within this time. */
export const HEARTBEAT_MS = 1_000;
/** After a process dies, its partitions are numbered by nobody for this long. */
const LEASE_MS = 5_000;
const RENEW_BEFORE_MS = LEASE_MS / 2;
/** How often a change is tried again that another process was faster than. The next heartbeat tries again, too. */
const MOST_TRIES = 10;

const NOTHING: ReadonlyMap<number, number> = new Map();

/**
 * Divides the partitions among processes: one document has them all, and each process changes only its own part of it, from the
 * very state that it has read. A holder that was suspended for longer than its lease does not notice: so numbers are given
 * under the term only, which is greater for every later holder.
 */
export function createShares(deps: SharesDeps): Shares {
  const token = randomUUID();
  let own = NOTHING;
  let until = 0;
  const change = async (to: (log: EventLogDocument) => EventLogDocument): Promise<EventLogDocument> => {
    for (let attempt = 1; ; attempt += 1) {
      const log = await openLog(deps.model, deps.partitions);
      const changed = to(log);
      if (changed === log || (await replace(deps.model, log, changed))) {
        return changed;
      }
      if (attempt === MOST_TRIES) {
        return log;
      }
    }
  };
  return {
    termOf: (partition) => (deps.clock().getTime() < until ? own.get(partition) : undefined),
    renew: async () => {
      if (!deps.isClockRight()) {
        own = NOTHING;
        return own;
      }
      const log = await change((found) => takeShare(found, token, deps.clock()));
      until = log.processes.find((process) => process.token === token)?.until.getTime() ?? 0;
      own = ownOf(log, token);
      return own;
    },
    leave: async () => {
      own = NOTHING;
      await change((log) => without(log, token));
    },
  };
}

/** @returns false, with nothing written, when the log is no longer what `from` says */
async function replace(
  model: Model<EventLogDocument>,
  from: EventLogDocument,
  { revision, processes, holders }: EventLogDocument,
): Promise<boolean> {
  const { matchedCount } = await model.updateOne(
    { _id: EVENT_LOG, revision: from.revision, partitions: from.partitions },
    { $set: { revision, processes, holders } },
  );
  return matchedCount === 1;
}

/**
 * The log after a process's heartbeat: its lease renewed when half of it is over, partitions of processes whose lease has ended
 * free, and its own as many as an equal division gives it.
 * @returns the same object where nothing changes
 */
export function takeShare(log: EventLogDocument, token: string, now: Date): EventLogDocument {
  const own = log.processes.find((process) => process.token === token);
  const isDue = own === undefined || own.until.getTime() - now.getTime() <= RENEW_BEFORE_MS;
  const until = new Date(now.getTime() + LEASE_MS);
  const others = livingOf(log, now).filter((process) => process.token !== token);
  const processes = [...others, isDue ? { token, until } : own];
  const living = new Set(processes.map((process) => process.token));
  const most = Math.ceil(log.partitions / processes.length);
  const term = log.revision + 1;
  let count = 0;
  const kept = log.holders.map((holder) => {
    if (holder === null || !living.has(holder.token)) {
      return null;
    }
    if (holder.token !== token) {
      return holder;
    }
    count += 1;
    return count <= most ? holder : null;
  });
  // A process that gives back takes nothing in the same step.
  const holders = kept.map((holder) => {
    if (holder !== null || count >= most) {
      return holder;
    }
    count += 1;
    return { token, term };
  });
  const isSame =
    !isDue &&
    processes.length === log.processes.length &&
    holders.every((holder, partition) => holder === log.holders[partition]);
  return isSame ? log : { ...log, revision: term, processes, holders };
}

/** The log without a process. */
function without(log: EventLogDocument, token: string): EventLogDocument {
  if (log.processes.every((process) => process.token !== token)) {
    return log;
  }
  return {
    ...log,
    revision: log.revision + 1,
    processes: log.processes.filter((process) => process.token !== token),
    holders: log.holders.map((holder) => (holder?.token === token ? null : holder)),
  };
}

/** The processes whose lease has not ended. A lease that ends later than its whole time from now was taken by a clock that was ahead. */
export function livingOf({ processes }: EventLogDocument, now: Date): EventLogDocument['processes'] {
  return processes.filter(({ until }) => {
    const leftMs = until.getTime() - now.getTime();
    return leftMs > 0 && leftMs <= LEASE_MS + TOO_FAR_MS;
  });
}

function ownOf({ holders }: EventLogDocument, token: string): ReadonlyMap<number, number> {
  return new Map(
    holders.flatMap((holder, partition) =>
      holder?.token === token ? [[partition, holder.term] as const] : [],
    ),
  );
}
