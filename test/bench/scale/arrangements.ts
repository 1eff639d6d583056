import type { Connection } from 'mongoose';
import { ownProcessorMs } from '../cost.ts';
import { type LoadedServer, startLoaded } from '../processes.ts';
import { type Split, startSplit } from '../split.ts';
import type { Stand } from '../stand.ts';

/** A way to run the product. */
export interface Arrangement {
  readonly name: string;
  /** To its database; all are on one store. */
  readonly connection: Connection;
  /** Makes it so, and says where clients reach it. */
  open(): Promise<readonly [string, ...string[]]>;
  /** Processor time so far of its processes, milliseconds, by role, and how many they are. */
  used(): readonly Used[];
}

export interface Used {
  readonly role: string;
  readonly processes: number;
  readonly ms: number;
}

export interface Arrangements {
  readonly allInOne: Arrangement;
  /** By how many gateways and workers, in an order in which few processes are started and ended. */
  readonly split: readonly Arrangement[];
  stop(): Promise<void>;
}

const GATEWAYS_AND_WORKERS = [
  [1, 1],
  [2, 1],
  [1, 2],
  [1, 3],
] as const;

/** Starts the product twice, each on a database of its own: whole, and split. One waits while the other is measured. */
export async function startArrangements(
  stand: Stand,
  hookBase: string,
  env: Readonly<Record<string, string>>,
): Promise<Arrangements> {
  const [ofOne, ofSplit] = [stand.database(), stand.database()];
  const one = await startLoaded(
    'dist/bin/server.js',
    stand.productEnv(ofOne, hookBase, env),
    '/health/ready',
  );
  try {
    const split = await startSplit(stand.productEnv(ofSplit, hookBase, env), 2);
    return {
      allInOne: {
        name: 'all in one',
        connection: ofOne.connection,
        open: async () => [one.url],
        used: () => [usedBy('all in one', [one])],
      },
      split: GATEWAYS_AND_WORKERS.map(([gateways, workers]) => ({
        name: `split: ${count(gateways, 'gateway')}, ${count(workers, 'worker')}`,
        connection: ofSplit.connection,
        open: async () => {
          await split.setWorkers(workers);
          return urlsOf(split, gateways);
        },
        used: () => [
          usedBy('gateways', split.gateways.slice(0, gateways)),
          usedBy('subgraphs', split.subgraphs),
          usedBy('workers', split.workers),
        ],
      })),
      stop: async () => {
        await split.stop();
        await one.stop();
      },
    };
  } catch (error) {
    await one.stop();
    throw error;
  }
}

function urlsOf({ gateways: [first, ...others] }: Split, most: number): [string, ...string[]] {
  return [first.url, ...others.slice(0, most - 1).map(({ url }) => url)];
}

function usedBy(role: string, servers: readonly LoadedServer[]): Used {
  return {
    role,
    processes: servers.length,
    ms: servers.reduce((sum, { processorMs }) => sum + processorMs(), 0),
  };
}

const count = (number: number, what: string) => `${number} ${what}${number === 1 ? '' : 's'}`;

/** The process that makes the load and receives the webhooks: the machine is its, too. */
export const loadUsed = (): Used => ({ role: 'load', processes: 1, ms: ownProcessorMs() });
