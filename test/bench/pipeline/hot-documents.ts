import { CALLERS, seedCallers } from '../../support/atomic-calls.ts';
import type { Partner } from '../atomic-calls.ts';
import { type Busy, sendAtOnce } from '../closed-load.ts';
import { describeRatio, inTurns, judge, ratioOf } from '../compare.ts';
import { COST_TITLES, type Cost, costOf, createCostReader, describeCost, perCall } from '../cost.ts';
import { median, percentile } from '../load.ts';
import { type LoadedServer, startLoaded } from '../processes.ts';
import { type BenchDatabase, type Stand, say, table } from '../stand.ts';

/** Calls that all have something in common, beside as many that have not. */
interface HotCase {
  readonly calls: number;
  readonly rounds: number;
  readonly hot: Crowd;
  readonly spread: Crowd;
}

/** Whose calls are sent at once. */
interface Crowd {
  readonly name: string;
  /** The requester of the nth call of a round; a requester that is not given is a new one. */
  caller(index: number, round: number): { readonly key?: string; readonly requester?: number };
}

/** Requesters of their own, beyond those that the partner counts up to. */
const ONE_REQUESTER = 80_000_000;
const keyOf = (index: number) => {
  const { key } = CALLERS[index % CALLERS.length] ?? {};
  return key === undefined ? {} : { key };
};

/** The writes of each call to its user's document. */
export const ONE_USER: HotCase = {
  calls: 100,
  rounds: 4,
  hot: { name: 'one user', caller: (_index, round) => ({ requester: ONE_REQUESTER + round }) },
  spread: { name: 'a user each', caller: () => ({}) },
};

/** The effects of each call in its tenant: quotas, and the partner's receiver. */
export const ONE_TENANT: HotCase = {
  calls: 1_000,
  rounds: 2,
  hot: { name: 'one tenant', caller: () => keyOf(0) },
  spread: { name: `${CALLERS.length} tenants`, caller: keyOf },
};

/** Nothing that many calls share may make them slower than this many times. */
const MOST_TIMES = 2;

interface Round extends Busy {
  /** Of a call. */
  readonly cost: Cost;
}

/** Calls of one user or of one tenant, all at once, beside as many spread ones, in turn on one product. */
export async function compareHotWithSpread(
  stand: Stand,
  partner: Partner,
  { calls, rounds, hot, spread }: HotCase,
): Promise<void> {
  const database = stand.database();
  const env = stand.productEnv(database, partner.url, partner.env);
  seedCallers({ env, receiver: { url: partner.url } });
  const server = await startLoaded('dist/bin/server.js', env, '/health/ready');
  try {
    let sent = 0;
    const crowds = [spread, hot];
    const send = (crowd: Crowd, of: number) => {
      sent += 1;
      return sendTo(server, partner, database, crowd, { calls: of, round: sent });
    };
    for (const crowd of crowds) {
      await send(crowd, calls / 10);
    }
    const measured = await inTurns(crowds, rounds, (crowd) => send(crowd, calls));
    report(crowds, measured, calls);
  } finally {
    await server.stop();
  }
}

async function sendTo(
  server: LoadedServer,
  partner: Partner,
  { connection }: BenchDatabase,
  { caller }: Crowd,
  { calls, round }: { calls: number; round: number },
): Promise<Round> {
  const readCost = createCostReader(connection, server.processorMs);
  const before = await readCost();
  const busy = await sendAtOnce((index) => partner.call(server.url, caller(index, round)), calls);
  return { ...busy, cost: perCall(costOf(before, await readCost()), calls) };
}

function report(
  crowds: readonly Crowd[],
  measured: ReadonlyMap<Crowd, readonly Round[]>,
  calls: number,
): void {
  say(`${calls.toLocaleString('en')} atomic calls at once until their outcomes, the sides in turn:`);
  const roundsOf = (crowd: Crowd) => measured.get(crowd) ?? [];
  const rows = crowds.map((crowd) => {
    const rounds = roundsOf(crowd);
    const cost = (of: keyof Cost) => median(rounds.map((round) => round.cost[of]));
    return [
      crowd.name,
      median(rates(rounds)).toFixed(1),
      percentile(
        rounds.flatMap(({ toDone }) => [...toDone]),
        0.95,
      ).toFixed(0),
      ...describeCost({
        commands: cost('commands'),
        conflicts: cost('conflicts'),
        processMs: cost('processMs'),
        storeMs: cost('storeMs'),
      }),
      cost('conflicts').toFixed(2),
    ];
  });
  table(['calls of', 'calls/s', 'to outcome, p95 ms', ...COST_TITLES, 'conflicts a call'], rows, 1);
  const [spread = [], hot = []] = crowds.map((crowd) => rates(roundsOf(crowd)));
  const times = ratioOf(spread, hot);
  const verdict = judge.verdict(times.median <= MOST_TIMES);
  say(
    `Rate of spread calls to the rate of hot ones: ${describeRatio(times)}, goal at most ${MOST_TIMES}: ${verdict}`,
  );
}

function rates(rounds: readonly Round[]): number[] {
  return rounds.map(({ calls, seconds }) => calls / seconds);
}
