import { availableParallelism } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import type { Connection } from 'mongoose';
import { createCostReader } from '../cost.ts';
import { type Arrangement, loadUsed, type Used } from './arrangements.ts';
import { type Busy, describeLimit } from './limit.ts';

/** The results of a load. */
export interface Loaded {
  readonly calls: number;
  readonly seconds: number;
  /** Of each call, milliseconds. */
  readonly latencies: readonly number[];
}

/** A load: it keeps calls under way for some time, spread over the addresses. */
export type MakeLoad = (urls: readonly [string, ...string[]], seconds: number) => Promise<Loaded>;

/** One round of a load at an arrangement. */
export interface Measured {
  readonly perSecond: number;
  readonly latencies: readonly number[];
  /** Of a call, with the webhooks that follow from it. */
  readonly commands: number;
  /** Processor time of a call by role, the store and the load beside the processes, milliseconds. */
  readonly ms: ReadonlyMap<string, number>;
  readonly limit: string;
}

const SETTLE_MS = 3_000;
const LOOK_MS = 200;

/** Runs a load, and waits for the webhooks that follow from it: what they cost is the calls' too. */
export async function measure(arrangement: Arrangement, load: MakeLoad, seconds: number): Promise<Measured> {
  const urls = await arrangement.open();
  const readCost = createCostReader(arrangement.connection, () => 0);
  const read = async () => {
    const { commands, storeMs } = await readCost();
    const store: Used = { role: 'store', processes: 1, ms: storeMs };
    return { commands, used: [...arrangement.used(), store, loadUsed()] };
  };
  const before = await read();
  const from = performance.now();
  const { calls, seconds: took, latencies } = await load(urls, seconds);
  const elapsedMs = performance.now() - from;
  const during = await read();
  const looks = await settle(arrangement.connection);
  const after = await read();
  const busy = spent(before.used, during.used).map(
    ({ role, processes, ms }): Busy => ({ role, processes, processors: ms / elapsedMs }),
  );
  return {
    perSecond: calls / took,
    latencies,
    commands: (after.commands - before.commands - looks) / calls,
    ms: new Map(spent(before.used, after.used).map(({ role, ms }) => [role, ms / calls])),
    limit: describeLimit(busy, availableParallelism()),
  };
}

function spent(before: readonly Used[], after: readonly Used[]): Used[] {
  return after.map((one, index) => ({ ...one, ms: one.ms - (before[index]?.ms ?? Number.NaN) }));
}

/** Waits until webhooks and phases have had their attempt, for some seconds at most. @returns the commands that it has sent */
async function settle(connection: Connection): Promise<number> {
  const deadline = performance.now() + SETTLE_MS;
  const open = [
    ['webhookDeliveries', { status: 'PENDING', attempt: 0 }],
    ['remittances', { status: 'IN_PROGRESS', attempts: 0 }],
  ] as const;
  let sent = 0;
  const isBusy = async () => {
    sent += open.length;
    const found = open.map(([name, filter]) => connection.collection(name).findOne(filter));
    return (await Promise.all(found)).some((one) => one !== null);
  };
  while (performance.now() < deadline && (await isBusy())) {
    await delay(LOOK_MS);
  }
  return sent;
}
