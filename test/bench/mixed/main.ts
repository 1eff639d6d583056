import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { keepBusy } from '../closed-load.ts';
import { judge } from '../compare.ts';
import { type Cost, costOf, createCostReader, perCall } from '../cost.ts';
import { percentile } from '../load.ts';
import { isGivenUp, type Offered, offer } from '../offered-load.ts';
import { say, table, withStand } from '../stand.ts';
import { createPaths, type Path } from './paths.ts';
import { type MixedScene, openMixed, webhooksOf } from './scene.ts';

/** All at once: a path's p99 is at most so many times what it is alone. */
const GOAL = 2;
const HEALTH_GOAL_MS = 50;
/** All at once run so many times longer than each alone: at half of its rate a path has more calls then. */
const LONGER = 3;
const SETTLE_MS = 30_000;
const LOOK_MS = 250;
/** Beside the phases: a start, the data, and what the phases leave to be done. */
const LIMIT_MS = { besides: 180_000, aSecond: 30_000 };

const { values: options } = parseArgs({
  options: {
    seconds: { type: 'string', default: '15' },
    subscribers: { type: 'string', default: '1000' },
    without: { type: 'string', multiple: true, default: [] },
  },
});
const seconds = Number(options.seconds);

/** A path that was measured alone. */
interface Alone {
  readonly path: Path;
  readonly offered: Offered;
  /** Of a call. */
  readonly cost: Cost;
  readonly mostMiB: number;
}

/**
 * `npm run bench:mixed [-- --seconds N --subscribers N --without PATH]`: each kind of use alone, at its share of what the machine does of
 * it, then all of them at once at half of these rates, except for the paths that are left out: the others show what those cost them.
 */
async function main(): Promise<void> {
  await withStand(async (stand) => {
    const subscribers = Number(options.subscribers);
    const scene = await openMixed(stand, subscribers);
    const over = new AbortController();
    try {
      const { all } = await createPaths(scene, subscribers);
      const names = all.map(({ name }) => name);
      const unknown = options.without.filter((name) => !names.includes(name));
      if (unknown.length > 0) {
        throw new Error(`There is no path ${unknown.join(', ')}: they are ${names.join(', ')}`);
      }
      await Promise.race([compareAll(scene, all), limit(over.signal)]).finally(() =>
        Promise.all(all.map(({ close }) => close?.())),
      );
    } finally {
      over.abort();
      await scene.close();
    }
  });
}

/** @throws when it takes much longer than it should */
async function limit(signal: AbortSignal): Promise<void> {
  const limitMs = LIMIT_MS.besides + seconds * LIMIT_MS.aSecond;
  await delay(limitMs, undefined, { signal }).catch(() => undefined);
  if (!signal.aborted) {
    throw new Error(`It is not done after ${limitMs / 1000} s`);
  }
}

async function compareAll(scene: MixedScene, paths: readonly Path[]): Promise<void> {
  const shares = paths.filter(({ inFlight }) => inFlight !== undefined).length;
  const alone: Alone[] = [];
  for (const path of paths) {
    say(`${path.name} ...`);
    alone.push(await measureAlone(scene, path, shares));
  }
  say('all at once ...');
  // One after the other: the live subscribers are counted beside those that are open already.
  const together = alone.filter(({ path }) => !options.without.includes(path.name));
  for (const { path } of together) {
    await path.open?.();
  }
  const { result, cost, mostMiB, tookMs } = await watch(scene, () =>
    Promise.all(together.map(({ path, offered }) => offerHalf(path, offered.rate))),
  );
  report(together, result);
  const [ours, store] = [cost.processMs, cost.storeMs].map((ms) => (ms / tookMs).toFixed(2));
  say(
    `All at once: ${ours} processors of the server, ${store} of the store, ` +
      `${((cost.commands * 1000) / tookMs).toFixed(0)} commands a second, at most ${mostMiB.toFixed(0)} MiB. ` +
      `${scene.done.unready} answers of /health/ready were 503.`,
  );
}

/** Finds the rate of a path, and measures it at its share of that. */
async function measureAlone(scene: MixedScene, path: Path, shares: number): Promise<Alone> {
  const { inFlight, modestRate, start } = path;
  await path.open?.();
  let rate = modestRate;
  if (inFlight !== undefined) {
    const { calls, seconds: took } = await keepBusy(start, inFlight, seconds / 2);
    rate = calls / took / shares;
    await settle(scene);
  }
  const { result, cost, mostMiB } = await watch(scene, () => offer(start, rate, seconds));
  await path.close?.();
  await settle(scene);
  return { path, offered: result, cost: perCall(cost, result.whole.length), mostMiB };
}

async function offerHalf(path: Path, rate: number): Promise<Offered> {
  return offer(path.start, path.inFlight === undefined ? rate : rate / 2, seconds * LONGER);
}

/** Waits until webhooks and events that calls have left are done, or half a minute: the dead receiver's stay. */
async function settle({ connection, partner, done }: MixedScene): Promise<void> {
  const deadline = performance.now() + SETTLE_MS;
  const isDone = async () =>
    (await connection.collection('events').countDocuments({ pending: true })) === 0 &&
    partner.outcomes() >= done.called &&
    (['acme', 'swift'] as const).every((name) => done.accepted[name].size >= webhooksOf(done, name));
  while (performance.now() < deadline && !(await isDone())) {
    await delay(LOOK_MS);
  }
}

interface Watched<Result> {
  readonly result: Result;
  readonly cost: Cost;
  readonly mostMiB: number;
  readonly tookMs: number;
}

/** Reads what the server and the store use meanwhile. */
async function watch<Result>(scene: MixedScene, work: () => Promise<Result>): Promise<Watched<Result>> {
  const { server, connection } = scene;
  const readCost = createCostReader(connection, server.processorMs);
  let mostMiB = server.residentMiB();
  const look = setInterval(() => {
    mostMiB = Math.max(mostMiB, server.residentMiB());
  }, LOOK_MS);
  try {
    const [before, from] = [await readCost(), performance.now()];
    const result = await work();
    return { result, cost: costOf(before, await readCost()), mostMiB, tookMs: performance.now() - from };
  } finally {
    clearInterval(look);
  }
}

function report(alone: readonly Alone[], together: readonly Offered[]): void {
  const header = [
    ...['path', 'own/s', 'calls', 'p50 ms', 'p95', 'p99', 'process ms a call', 'store ms', 'MiB'],
    ...['all at once/s', 'calls', 'p50 ms', 'p95', 'p99', 'p99, times alone', 'goal', ''],
  ];
  const rows = alone.map(({ path, offered, cost, mostMiB }, index) => {
    const mixed = together[index] ?? offered;
    const [own, p99] = [offered, mixed].map((one) => percentile(one.whole, 0.99)) as [number, number];
    const isHealth = path.inFlight === undefined;
    const isMet = isHealth ? p99 <= HEALTH_GOAL_MS : p99 <= own * GOAL;
    return [
      ...[path.name, ...figures(offered)],
      ...[cost.processMs, cost.storeMs].map((ms) => ms.toFixed(1)),
      mostMiB.toFixed(0),
      ...figures(mixed),
      (p99 / own).toFixed(2),
      path.isJudged ? (isHealth ? `${HEALTH_GOAL_MS} ms` : String(GOAL)) : 'none',
      `${path.isJudged ? judge.verdict(isMet) : ''}${isGivenUp(mixed, seconds * LONGER) ? ' (too far behind)' : ''}`,
    ];
  });
  table(header, rows, 1);
}

function figures(offered: Offered): string[] {
  const parts = [0.5, 0.95, 0.99].map((part) => percentile(offered.whole, part).toFixed(1));
  return [offered.rate.toFixed(1), String(offered.whole.length), ...parts];
}

await main();
