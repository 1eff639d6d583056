import type { Connection, mongo } from 'mongoose';
import { processorMs } from './processes.ts';

/** The cost of work besides time; `NaN` where the system or the store does not report it. */
export interface Cost {
  /** Sent to the store by anybody, without what only keeps connections. */
  readonly commands: number;
  /** Transactions that were aborted: they met another one's writes, and are begun again. */
  readonly conflicts: number;
  /** Processor time of the processes that do the work, milliseconds. */
  readonly processMs: number;
  /** The same of the store, where it runs on this machine. */
  readonly storeMs: number;
}

/** Reads what was used since some time in the past. */
export type ReadCost = () => Promise<Cost>;

/** Commands that are no work: drivers keep their connections by them, and a benchmark reads by the last one. */
const KEEPING = new Set([
  'hello',
  'isMaster',
  'ismaster',
  'ping',
  'endSessions',
  'buildInfo',
  'serverStatus',
]);
const LOOPBACK = new Set(['127.0.0.1', 'localhost', '[::1]']);

/** @param processes processor time of those that do the work, milliseconds so far */
export function createCostReader(connection: Connection, processes: () => number): ReadCost {
  const isHere = connection.getClient().options.hosts.every(({ host }) => LOOPBACK.has(String(host)));
  return async () => {
    const status = await connection.getClient().db('admin').command({ serverStatus: 1 });
    return {
      commands: readCommands(status),
      conflicts: Number(status.transactions?.totalAborted ?? Number.NaN),
      processMs: processes(),
      storeMs: isHere ? processorMs(Number(status.pid)) : Number.NaN,
    };
  };
}

/** All commands that a server has had, by its `serverStatus`. */
export function readCommands({ metrics }: mongo.Document): number {
  const commands: [string, { total?: number } | number][] = Object.entries(metrics?.commands ?? {});
  if (commands.length === 0) {
    return Number.NaN;
  }
  return commands
    .filter(([name]) => !KEEPING.has(name))
    .reduce((sum, [, counts]) => sum + Number(typeof counts === 'object' ? (counts.total ?? 0) : 0), 0);
}

/** The use between two readings. */
export function costOf(before: Cost, after: Cost): Cost {
  return combine(after, before, (late, early) => late - early);
}

/** The use of each of so many calls. */
export function perCall(cost: Cost, calls: number): Cost {
  return combine(cost, cost, (whole) => whole / calls);
}

function combine(one: Cost, other: Cost, by: (one: number, other: number) => number): Cost {
  return {
    commands: by(one.commands, other.commands),
    conflicts: by(one.conflicts, other.conflicts),
    processMs: by(one.processMs, other.processMs),
    storeMs: by(one.storeMs, other.storeMs),
  };
}

/** Titles of {@link describeCost}. */
export const COST_TITLES = ['commands a call', 'process ms a call', 'store ms a call'] as const;

/** A cost of each call, for a table. */
export function describeCost({ commands, processMs, storeMs }: Cost): string[] {
  return [commands, processMs, storeMs].map((figure) => figure.toFixed(1));
}

/** Processor time of this process so far, milliseconds. */
export function ownProcessorMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}
