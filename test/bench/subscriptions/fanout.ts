import { setTimeout as delay } from 'node:timers/promises';
import type { Connection } from 'mongoose';
import { describeRatio, inTurns, judge, ratioOf } from '../compare.ts';
import { costOf, createCostReader } from '../cost.ts';
import { median, percentile } from '../load.ts';
import { type Stand, say, table } from '../stand.ts';
import { type Crowd, startCrowd } from './crowd-process.ts';
import { type Arrival, machineMs, type Wanted } from './crowd-words.ts';
import { FOLLOW, type FollowedServer, type Memory, openScene, startBare, untilOpen } from './scene.ts';

/** Subscribers follow so many operations in turn: a change is for one in ten of them. */
const TOPICS = 10;
const ROUNDS = 4;
const CHANGE_EVERY_MS = 1_000;
const WARM_UP_CHANGES = 5;
/** After opening, and before memory is read. */
const SETTLE_MS = 3_000;
const LOOK_MS = 50;
/** How long a change may take to reach everybody, on the slowest machine. */
const PATIENCE_MS = 30_000;
const MOST_LATENCY = 2;
const MOST_MEMORY = 1.5;

/** A server with its subscribers. */
interface Side {
  readonly name: 'product' | 'bare';
  readonly server: FollowedServer;
  readonly crowd: Crowd;
  readonly operations: readonly string[];
  readonly subscribers: number;
}

/** One round of changes. */
interface Round {
  /** Of each arrival, from the call that made the change. */
  readonly latencies: readonly number[];
  /** Processor time of the server for each arrival, microseconds. */
  readonly processorMicros: number;
}

/** The memory of a subscriber, KiB. */
type Kept = Memory;

interface FanOutSize {
  readonly subscribers: number;
  /** Of each round of each side. */
  readonly changes: number;
  /** How long what idle subscribers cost is counted. */
  readonly idleSeconds: number;
}

/** One change a second for a tenth of all subscribers: the product beside graphql-ws with a publisher in memory. */
export async function measureFanOut(stand: Stand, size: FanOutSize): Promise<void> {
  const scene = await openScene(stand, size.subscribers);
  const stops: (() => unknown)[] = [scene.stop];
  try {
    const operations = await scene.operations(TOPICS);
    const wanted = scene.subscribers(size.subscribers, operations);
    const bareServer = await startBare();
    stops.unshift(bareServer.stop);
    const open = async (name: Side['name'], server: FollowedServer): Promise<Side> => {
      const crowd = await startCrowd();
      stops.unshift(crowd.stop);
      return { name, server, crowd, operations, subscribers: size.subscribers };
    };
    const product = await open('product', scene.server);
    const bare = await open('bare', bareServer);
    const idle = await measureIdle(product, scene.connection, wanted, size.idleSeconds);
    const kept = { product: idle.kept, bare: await fill(bare, wanted) };
    for (const side of [product, bare]) {
      await runChanges(side, WARM_UP_CHANGES);
    }
    const rounds = await inTurns([product, bare], ROUNDS, (side) => runChanges(side, size.changes));
    report(size, kept, rounds.get(product) ?? [], rounds.get(bare) ?? []);
    const isCheap = idle.ofMany <= idle.ofOne * 1.1;
    say(
      `\nCommands a second of idle subscribers: ${idle.ofOne.toFixed(2)} of one, ` +
        `${idle.ofMany.toFixed(2)} of ${size.subscribers.toLocaleString('en')} (goal: no more): ${judge.verdict(isCheap)}`,
    );
    say(
      `Processor time of ${size.subscribers.toLocaleString('en')} idle subscribers: ${idle.processorMs.toFixed(0)} ms a second`,
    );
  } finally {
    for (const stop of stops) {
      await stop();
    }
  }
}

/** Opens all subscribers of a side. @returns the memory of each */
async function fill({ server, crowd }: Side, wanted: readonly Wanted[]): Promise<Kept> {
  const open = (some: readonly Wanted[]) =>
    crowd.open({ url: server.url, query: FOLLOW, wanted: some, perSocket: 1 });
  // Others share the memory that the first ones bring with them.
  await open(wanted.slice(0, TOPICS));
  await untilOpen(server, TOPICS);
  await crowd.close();
  await untilOpen(server, 0);
  const before = await server.readMemory();
  await open(wanted);
  await untilOpen(server, wanted.length);
  await delay(SETTLE_MS);
  const after = await server.readMemory();
  return {
    residentKiB: (after.residentKiB - before.residentKiB) / wanted.length,
    usedKiB: (after.usedKiB - before.usedKiB) / wanted.length,
  };
}

/** The commands to the store while nothing happens: with one subscriber, then with all. */
async function measureIdle(side: Side, connection: Connection, wanted: readonly Wanted[], seconds: number) {
  const { server, crowd } = side;
  const perSecond = async () => {
    const readCost = createCostReader(connection, server.processorMs);
    const before = await readCost();
    await delay(seconds * 1_000);
    const { commands, processMs } = costOf(before, await readCost());
    return { commands: commands / seconds, processorMs: processMs / seconds };
  };
  await crowd.open({ url: server.url, query: FOLLOW, wanted: wanted.slice(0, 1), perSocket: 1 });
  await untilOpen(server, 1);
  await delay(SETTLE_MS);
  const one = await perSecond();
  await crowd.close();
  await untilOpen(server, 0);
  const kept = await fill(side, wanted);
  const many = await perSecond();
  return { kept, ofOne: one.commands, ofMany: many.commands, processorMs: many.processorMs };
}

let turn = 0;

/** Makes changes, one a second, of the operations in turn, and times them at the clients. @throws when one is missing */
async function runChanges(
  { name, server, crowd, operations, subscribers }: Side,
  changes: number,
): Promise<Round> {
  await crowd.take();
  const latencies: number[] = [];
  const processorMs = server.processorMs();
  for (let change = 0; change < changes; change += 1) {
    turn += 1;
    const operation = turn % operations.length;
    const startedAt = machineMs();
    await server.change(operations[operation] ?? '');
    const expected = Math.ceil((subscribers - operation) / operations.length);
    const arrivals = await takeAll(crowd, expected, startedAt + CHANGE_EVERY_MS, name);
    latencies.push(...arrivals.map(({ at }) => at - startedAt));
  }
  const processorMicros = ((server.processorMs() - processorMs) * 1_000) / latencies.length;
  return { latencies, processorMicros };
}

/** The events that have arrived at a time, or as soon after it as nothing is missing. @throws when something is missing for long */
async function takeAll(crowd: Crowd, expected: number, until: number, name: string): Promise<Arrival[]> {
  const all: Arrival[] = [];
  for (const deadline = until + PATIENCE_MS; all.length < expected || machineMs() < until; ) {
    await delay(Math.max(LOOK_MS, until - machineMs()));
    const { arrivals, problems } = await crowd.take();
    all.push(...arrivals);
    if (problems.length > 0 || machineMs() > deadline || all.length > expected) {
      const had = `${all.length} of ${expected} have had a change`;
      throw new Error(`${name}: ${had}. ${problems.slice(0, 3).join('; ')}`);
    }
  }
  return all;
}

function report(
  { subscribers }: FanOutSize,
  kept: Readonly<Record<Side['name'], Kept>>,
  product: readonly Round[],
  bare: readonly Round[],
): void {
  const p95 = ({ latencies }: Round) => percentile(latencies, 0.95);
  const latency = ratioOf(product.map(p95), bare.map(p95));
  const memory = kept.product.residentKiB / kept.bare.residentKiB;
  say(
    `${subscribers.toLocaleString('en')} subscribers, a socket each; one change a second for a tenth of them; ` +
      `${ROUNDS} rounds a side:`,
  );
  const row = (name: Side['name'], rounds: readonly Round[]) => {
    const all = rounds.flatMap(({ latencies }) => latencies);
    return [
      name,
      ...[0.5, 0.95, 0.99].map((part) => percentile(all, part).toFixed(1)),
      median(rounds.map(({ processorMicros }) => processorMicros)).toFixed(0),
      kept[name].residentKiB.toFixed(1),
      kept[name].usedKiB.toFixed(1),
    ];
  };
  const processor = ratioOf(
    product.map(({ processorMicros }) => processorMicros),
    bare.map(({ processorMicros }) => processorMicros),
  );
  table(
    ['side', 'p50 ms', 'p95 ms', 'p99 ms', 'CPU an event, µs', 'RSS each, KiB', 'used each, KiB'],
    [row('product', product), row('bare', bare)],
    1,
  );
  say(
    `p95, ratio (of rounds): ${describeRatio(latency)}, goal ${MOST_LATENCY}: ${judge.verdict(latency.median <= MOST_LATENCY)}`,
  );
  say(
    `Memory (RSS), ratio: ${memory.toFixed(2)}, goal ${MOST_MEMORY}: ${judge.verdict(memory <= MOST_MEMORY)}`,
  );
  say(`Processor time an event, ratio (of rounds): ${describeRatio(processor)}`);
}
