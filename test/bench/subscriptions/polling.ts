import { setTimeout as delay } from 'node:timers/promises';
import { type Cost, costOf, createCostReader } from '../cost.ts';
import { percentile } from '../load.ts';
import { type Stand, say, table } from '../stand.ts';
import { type Crowd, startCrowd } from './crowd-process.ts';
import { type Arrival, machineMs, type Taken } from './crowd-words.ts';
import { FOLLOW, LOOK, openScene, type Scene, untilOpen } from './scene.ts';

/** Between two calls of a client that polls. */
const POLL_EVERY_MS = 5_000;
const SETTLE_MS = 2_000;

interface PollingSize {
  /** Each watched by a client of its own. */
  readonly operations: number;
  readonly changesPerSecond: number;
  readonly seconds: number;
}

/** A way to watch operations. */
interface Way {
  readonly name: string;
  /** Begins; the clients are watching when it resolves. */
  watch(scene: Scene, crowd: Crowd, operations: readonly string[]): Promise<void>;
  /** How long after a change every client has noticed it. */
  readonly noticedWithinMs: number;
}

const WAYS: readonly Way[] = [
  { name: 'nobody watches', watch: async () => undefined, noticedWithinMs: 0 },
  {
    name: `polling every ${POLL_EVERY_MS / 1_000} s`,
    watch: async ({ server, subscribers }, crowd, operations) => {
      const wanted = subscribers(operations.length, operations);
      await crowd.poll({ url: server.url, query: LOOK, wanted, everyMs: POLL_EVERY_MS });
      // By then each has seen the operation once, and knows a change by the difference.
      await delay(POLL_EVERY_MS);
    },
    noticedWithinMs: 2 * POLL_EVERY_MS,
  },
  {
    name: 'live, a socket each',
    watch: async ({ server, subscribers }, crowd, operations) => {
      const wanted = subscribers(operations.length, operations);
      await crowd.open({ url: server.url, query: FOLLOW, wanted, perSocket: 1 });
      await untilOpen(server, wanted.length);
    },
    noticedWithinMs: SETTLE_MS,
  },
];

/** The cost and yield of a way. */
interface Outcome {
  readonly name: string;
  readonly cost: Cost;
  readonly traffic: Taken;
  /** From the call that made a change to its arrival, milliseconds. */
  readonly ages: readonly number[];
}

/** The same changes of many operations, first with nobody watching, then with clients that poll, then with subscribers. */
export async function measurePolling(stand: Stand, size: PollingSize): Promise<void> {
  const scene = await openScene(stand, size.operations);
  try {
    const operations = await scene.operations(size.operations);
    const outcomes: Outcome[] = [];
    for (const way of WAYS) {
      const crowd = await startCrowd();
      try {
        await way.watch(scene, crowd, operations);
        await delay(SETTLE_MS);
        outcomes.push(await measure(way, scene, crowd, operations, size));
      } finally {
        crowd.stop();
      }
    }
    report(size, outcomes);
  } finally {
    await scene.stop();
  }
}

async function measure(
  { name, noticedWithinMs }: Way,
  { server, connection }: Scene,
  crowd: Crowd,
  operations: readonly string[],
  { changesPerSecond, seconds }: PollingSize,
): Promise<Outcome> {
  const readCost = createCostReader(connection, server.processorMs);
  await crowd.take();
  const before = await readCost();
  const changedAt = new Map<number, number>();
  const from = machineMs();
  for (let change = 0; change < changesPerSecond * seconds; change += 1) {
    await delay(Math.max(0, from + (change * 1_000) / changesPerSecond - machineMs()));
    const index = change % operations.length;
    changedAt.set(index, machineMs());
    await server.change(operations[index] ?? '');
  }
  const cost = costOf(before, await readCost());
  const traffic = await crowd.take();
  await delay(noticedWithinMs);
  const { arrivals, problems } = await crowd.take();
  if (traffic.problems.length + problems.length > 0) {
    throw new Error(`${name}: ${[...traffic.problems, ...problems].slice(0, 3).join('; ')}`);
  }
  const ages = noticedWithinMs === 0 ? [] : agesOf(changedAt, [...traffic.arrivals, ...arrivals], name);
  return { name, cost, traffic, ages };
}

/** @throws when a client has not noticed the change of its operation */
function agesOf(
  changedAt: ReadonlyMap<number, number>,
  arrivals: readonly Arrival[],
  name: string,
): readonly number[] {
  return [...changedAt].map(([index, at]) => {
    const noticed = arrivals.find((arrival) => arrival.index === index && arrival.at > at);
    if (noticed === undefined) {
      throw new Error(`${name}: the change of operation ${index} was not noticed`);
    }
    return noticed.at - at;
  });
}

function report({ operations, changesPerSecond, seconds }: PollingSize, outcomes: readonly Outcome[]): void {
  say(
    `\n${operations.toLocaleString('en')} operations, each watched by one client, ` +
      `${changesPerSecond} changes a second for ${seconds} s:`,
  );
  table(
    [
      ...['', 'requests/s', 'KiB/s', 'server CPU ms/s', 'store CPU ms/s', 'commands/s'],
      ...['age p50 ms', 'age p95 ms'],
    ],
    outcomes.map(({ name, cost, traffic, ages }) => [
      name,
      ...[traffic.requests, traffic.bytes / 1024, cost.processMs, cost.storeMs, cost.commands].map((figure) =>
        (figure / seconds).toFixed(1),
      ),
      ...[0.5, 0.95].map((part) => (ages.length === 0 ? '' : percentile(ages, part).toFixed(0))),
    ]),
    1,
  );
}
