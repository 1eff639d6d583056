import { availableParallelism, loadavg } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import { startPartner } from '../bench/atomic-calls.ts';
import { keepBusy } from '../bench/closed-load.ts';
import { judge } from '../bench/compare.ts';
import { percentile } from '../bench/load.ts';
import { offer } from '../bench/offered-load.ts';
import { startSplit } from '../bench/split.ts';
import { say, table, withStand } from '../bench/stand.ts';
import { calibrate, type Measured } from './calibrate.ts';
import { type Costs, forRoles } from './costs.ts';
import { type Load, simulate } from './product.ts';
import type { Deployment } from './world.ts';

/** Errors up to this part of the measured figure are good. */
const GOAL = 0.2;
const SETTLE_MS = 2_000;
/** None is the load of the calibration. */
const LOADS: readonly Load[] = [
  { rate: 10, evenly: true },
  { rate: 20, evenly: true },
  { underWay: 4 },
  { underWay: 16 },
];

/** Measures the costs of the product on this machine, then the product and its simulation under the same loads. */
export async function validate(seconds: number): Promise<Costs> {
  const date = new Date().toISOString().slice(0, 10);
  const [load = Number.NaN] = loadavg();
  const store = process.env.MONGODB_URI ? 'the database of `MONGODB_URI`' : 'the development store';
  const source =
    `Measured ${date} with ${store} on ${availableParallelism()} processors shared by product, load and store, ` +
    `Node ${process.versions.node}, load average ${load.toFixed(1)} before${load > 1 ? ' (a busy machine)' : ''}`;
  let costs: Costs | undefined;
  await withStand(async (stand) => {
    const partner = await startPartner();
    const database = stand.database();
    const split = await startSplit(stand.productEnv(database, partner.url, partner.env));
    try {
      costs = await calibrate({ split, partner, database }, seconds, source);
      await compare({ split, partner, database }, costs, seconds);
    } finally {
      await split.stop();
      await partner.close();
    }
  });
  if (costs === undefined) {
    throw new Error('Nothing was measured');
  }
  return costs;
}

async function compare(measured: Measured, costs: Costs, seconds: number): Promise<void> {
  const processors = availableParallelism();
  const deployment: Deployment = {
    processes: forRoles(() => 1),
    shards: 1,
    storeProcessors: processors,
    machine: processors,
    receiverMs: 0,
    accounts: 1,
  };
  const rows: string[][] = [];
  for (const load of LOADS) {
    const real = await run(measured, load, seconds);
    const simulated = simulate(costs, deployment, load, { seconds });
    const figures = (['perSecond', 'p95'] as const).flatMap((key) => {
      const error = Math.abs(simulated[key] - real[key]) / real[key];
      const parts = [real[key].toFixed(1), simulated[key].toFixed(1), `${(100 * error).toFixed(0)} %`];
      return [...parts, judge.verdict(error <= GOAL)];
    });
    rows.push(['rate' in load ? `${load.rate} a second` : `${load.underWay} under way`, ...figures]);
    await delay(SETTLE_MS);
  }
  say(`\n${costs.source}. Goal: errors of at most ${100 * GOAL} %.`);
  const of = (figure: string) => [`${figure}: measured`, 'simulated', 'error', 'verdict'];
  table(['load', ...of('calls/s'), ...of('p95 ms')], rows, 1);
}

/** The figures that the simulation has: outcomes within the time, and times from calls to outcomes. */
async function run({ split, partner }: Measured, load: Load, seconds: number) {
  const begin = performance.now();
  const [latencies, ends]: [number[], number[]] = [[], []];
  const start = () => {
    const from = performance.now();
    const { accepted, done } = partner.call(split.gateways[0].url);
    const ended = done.then(() => {
      const now = performance.now();
      ends.push(now - begin);
      latencies.push(now - from);
    });
    // The code that awaits `accepted` gets the refusal of a call.
    ended.catch(() => undefined);
    return { accepted, done: ended };
  };
  await ('rate' in load ? offer(start, load.rate, seconds) : keepBusy(start, load.underWay, seconds));
  const within = latencies.filter((_, nth) => (ends[nth] ?? 0) <= seconds * 1000);
  return { perSecond: within.length / seconds, p95: percentile(within, 0.95) };
}
