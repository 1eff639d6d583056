import type { Partner } from '../atomic-calls.ts';
import { type Busy, keepBusy } from '../closed-load.ts';
import { describeRatio, inTurns, judge, ratioOf } from '../compare.ts';
import { COST_TITLES, type Cost, costOf, createCostReader, describeCost, perCall } from '../cost.ts';
import { fillEventLog } from '../fill-events.ts';
import { median, percentile } from '../load.ts';
import { type LoadedServer, startLoaded } from '../processes.ts';
import { type BenchDatabase, type Stand, say, table } from '../stand.ts';

const IN_FLIGHT = 8;
const ROUNDS = 5;
const WARM_UP_SECONDS = 3;
/** Among many events calls may be slower by a tenth. */
const LEAST_RATIO = 0.9;

interface Side {
  readonly name: string;
  readonly database: BenchDatabase;
  readonly server: LoadedServer;
}

interface Round extends Busy {
  /** Of a call. */
  readonly cost: Cost;
}

/** The same calls to two products, one of which has so many events in its log. */
export async function compareLogs(
  stand: Stand,
  partner: Partner,
  { events, seconds }: { events: number; seconds: number },
): Promise<void> {
  const sides: Side[] = [];
  try {
    for (const total of [0, events]) {
      const database = stand.database();
      await fillEventLog(database.connection, total);
      const env = stand.productEnv(database, partner.url, partner.env);
      const server = await startLoaded('dist/bin/server.js', env, '/health/ready');
      sides.push({ name: `${total.toLocaleString('en')} events`, database, server });
    }
    for (const { server } of sides) {
      await keepBusy(() => partner.call(server.url), IN_FLIGHT, WARM_UP_SECONDS);
    }
    const rounds = await inTurns(sides, ROUNDS, (side) => measure(side, partner, seconds / ROUNDS));
    report(sides.map((side) => ({ side, rounds: rounds.get(side) ?? [] })));
  } finally {
    for (const { server } of sides) {
      await server.stop();
    }
  }
}

async function measure({ server, database }: Side, partner: Partner, seconds: number): Promise<Round> {
  const readCost = createCostReader(database.connection, server.processorMs);
  const before = await readCost();
  const busy = await keepBusy(() => partner.call(server.url), IN_FLIGHT, seconds);
  return { ...busy, cost: perCall(costOf(before, await readCost()), busy.calls) };
}

function report(measured: readonly { side: Side; rounds: readonly Round[] }[]): void {
  say(`\n${IN_FLIGHT} atomic calls under way, ${ROUNDS} rounds a side in turn:`);
  const rows = measured.map(({ side, rounds }) => [
    side.name,
    median(rates(rounds)).toFixed(1),
    ...[0.5, 0.95].map((part) =>
      percentile(
        rounds.flatMap(({ toDone }) => [...toDone]),
        part,
      ).toFixed(1),
    ),
    ...describeCost({
      commands: median(rounds.map(({ cost }) => cost.commands)),
      conflicts: median(rounds.map(({ cost }) => cost.conflicts)),
      processMs: median(rounds.map(({ cost }) => cost.processMs)),
      storeMs: median(rounds.map(({ cost }) => cost.storeMs)),
    }),
  ]);
  table(['log of', 'calls/s', 'accepted to outcome, p50 ms', 'p95', ...COST_TITLES], rows, 1);
  const [few = [], many = []] = measured.map(({ rounds }) => rates(rounds));
  const ratio = ratioOf(many, few);
  const verdict = judge.verdict(ratio.median >= LEAST_RATIO);
  say(
    `Rate among many events to the rate among none: ${describeRatio(ratio)}, goal ${LEAST_RATIO}: ${verdict}`,
  );
}

function rates(rounds: readonly Round[]): number[] {
  return rounds.map(({ calls, seconds }) => calls / seconds);
}
