import type { Partner } from '../atomic-calls.ts';
import { keepBusy } from '../closed-load.ts';
import { COST_TITLES, costOf, createCostReader, describeCost, perCall } from '../cost.ts';
import { median, percentile } from '../load.ts';
import { offer } from '../offered-load.ts';
import type { LoadedServer } from '../processes.ts';
import { type Split, startSplit } from '../split.ts';
import { type BenchDatabase, type Stand, say, table } from '../stand.ts';

const IN_FLIGHT = 16;
/** Few enough for one worker: then a call waits for nothing but its notice. */
const QUIET_RATE = 4;
const WARM_UP_SECONDS = 3;

interface Measured {
  readonly workers: number;
  /** Milliseconds from acceptance to outcome, of a few calls a second. */
  readonly quiet: readonly number[];
  readonly perSecond: number;
  readonly row: readonly string[];
}

/**
 * Calls to a gateway over four subgraphs, worked at by one process of `ROLE=worker`, then by two, up to so many, and back:
 * each number is measured twice, so that what the machine does meanwhile is not taken for what the workers do.
 */
export async function measureWorkers(
  stand: Stand,
  partner: Partner,
  { workers, seconds }: { workers: number; seconds: number },
): Promise<void> {
  const database = stand.database();
  const split = await startSplit(stand.productEnv(database, partner.url, partner.env));
  try {
    const measured: Measured[] = [];
    const step = async () => void measured.push(await measure(split, partner, database, seconds / 4));
    await keepBusy(() => partner.call(split.gateways[0].url), IN_FLIGHT, WARM_UP_SECONDS);
    await step();
    while (split.workers.length < workers) {
      await split.setWorkers(split.workers.length + 1);
      await step();
    }
    while (split.workers.length > 1) {
      await split.setWorkers(split.workers.length - 1);
      await step();
    }
    say(`\nA gateway, four subgraphs and workers, ${IN_FLIGHT} atomic calls under way, in this order:`);
    const header = [
      'workers',
      `to outcome at ${QUIET_RATE}/s, p50 ms`,
      'p95',
      'calls/s',
      'to outcome, p50 ms',
    ];
    table(
      [...header, 'p95', ...COST_TITLES, 'of it workers'],
      measured.map(({ row }) => row),
      1,
    );
    printMedians(measured, workers);
  } finally {
    await split.stop();
  }
}

async function measure(
  { gateways: [gateway], subgraphs, workers }: Split,
  partner: Partner,
  { connection }: BenchDatabase,
  seconds: number,
): Promise<Measured> {
  const call = () => partner.call(gateway.url);
  const { toDone: quiet } = await offer(call, QUIET_RATE, seconds);
  const used = (servers: readonly LoadedServer[]) =>
    servers.reduce((sum, { processorMs }) => sum + processorMs(), 0);
  const readCost = createCostReader(connection, () => used([gateway, ...subgraphs, ...workers]));
  const [before, workedBefore] = [await readCost(), used(workers)];
  const busy = await keepBusy(call, IN_FLIGHT, seconds);
  const cost = perCall(costOf(before, await readCost()), busy.calls);
  const worked = (used(workers) - workedBefore) / busy.calls;
  const perSecond = busy.calls / busy.seconds;
  const times = [quiet, busy.toDone].map((ms) => [0.5, 0.95].map((part) => percentile(ms, part).toFixed(1)));
  const [atRest = [], atWork = []] = times;
  return {
    workers: workers.length,
    quiet,
    perSecond,
    row: [
      String(workers.length),
      ...atRest,
      perSecond.toFixed(1),
      ...atWork,
      ...describeCost(cost),
      worked.toFixed(1),
    ],
  };
}

function printMedians(measured: readonly Measured[], most: number): void {
  for (let workers = 1; workers <= most; workers += 1) {
    const those = measured.filter((one) => one.workers === workers);
    const rate = median(those.map(({ perSecond }) => perSecond)).toFixed(1);
    const ms = percentile(
      those.flatMap(({ quiet }) => [...quiet]),
      0.5,
    ).toFixed(1);
    say(
      `${workers} ${workers === 1 ? 'worker' : 'workers'}: ${rate} calls/s; ${ms} ms to the outcome when quiet`,
    );
  }
}
