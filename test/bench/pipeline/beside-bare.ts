import { setTimeout as delay } from 'node:timers/promises';
import type { Partner } from '../atomic-calls.ts';
import { describeRatio, inTurns, ratioOf } from '../compare.ts';
import {
  COST_TITLES,
  type Cost,
  costOf,
  createCostReader,
  ownProcessorMs,
  perCall,
  type ReadCost,
} from '../cost.ts';
import { median, percentile } from '../load.ts';
import { createRateSearch, isSustained, type Offered, offer, type Started } from '../offered-load.ts';
import { type LoadedServer, startLoaded } from '../processes.ts';
import { type RecordedCommand, startRecorded } from '../recording.ts';
import { createReplay, type Replay } from '../replay.ts';
import { type BenchDatabase, type Stand, say, table } from '../stand.ts';
import { countAtomicCalls, countCreates } from './commands.ts';

const RATE = 20;
const LONGEST_STEP_SECONDS = 10;
const SHORTEST_STEP_SECONDS = 3;
const WARM_UP_SECONDS = 5;
/** Longer than what follows an outcome takes: its attempt is recorded, its events are numbered. */
const SETTLE_MS = 3_000;
const ROUNDS = 4;

/** The executor of requests. */
interface Side {
  readonly name: 'product' | 'bare';
  start(): Started;
  /** Remittances in progress by `/metrics`; of the bare driver there is none. */
  inProgress(): Promise<number | undefined>;
  readonly readCost: ReadCost;
}

/** Atomic calls until their outcomes, at a fixed rate and at the highest one, beside the bare driver's same writes. */
export async function compareWithBare(stand: Stand, partner: Partner, seconds: number): Promise<void> {
  const [database, copies] = [stand.database(), stand.database()];
  const env = stand.productEnv(database, partner.url, partner.env);
  const replay = await recordReplay(database, copies, partner, env);
  const server = await startLoaded('dist/bin/server.js', env, '/health/ready');
  try {
    const sides = [productSide(server, partner, database), bareSide(replay, copies)];
    for (const side of sides) {
      await offer(side.start, RATE, WARM_UP_SECONDS);
    }
    await atFixedRate(sides, seconds);
    await atHighestRate(sides, stepSecondsOf(seconds));
    await requireOneOutcomeEach(database, partner);
  } finally {
    await server.stop();
  }
}

function stepSecondsOf(seconds: number): number {
  return Math.min(Math.max(Math.round(seconds / 6), SHORTEST_STEP_SECONDS), LONGEST_STEP_SECONDS);
}

/** Has the product report what it writes for a call. The first one also fills its caches, and counts for nothing. */
async function recordReplay(
  database: BenchDatabase,
  copies: BenchDatabase,
  partner: Partner,
  env: Readonly<Record<string, string>>,
): Promise<Replay> {
  const server = await startRecorded(env);
  try {
    const recorded: RecordedCommand[][] = [];
    for (let call = 0; call < 3; call += 1) {
      server.take();
      const { accepted, done } = partner.call(server.url);
      await accepted;
      await done;
      await delay(SETTLE_MS);
      recorded.push(server.take());
    }
    const [, other = [], request = []] = recorded;
    const replay = await createReplay(database, copies, request, other);
    const transactions = replay.units.filter(({ isTransaction }) => isTransaction).length;
    const writes = replay.units.flatMap((unit) => unit.writes).length;
    say(`For a call the product makes ${writes} writes: ${transactions} transactions and`);
    say(
      `${replay.units.length - transactions} writes outside of any. The bare driver makes the same, one by one.\n`,
    );
    await countAtomicCalls(server, partner);
    await countCreates(server, database);
    return replay;
  } finally {
    await server.stop();
  }
}

function productSide(server: LoadedServer, partner: Partner, { connection }: BenchDatabase): Side {
  return {
    name: 'product',
    start: () => partner.call(server.url),
    readCost: createCostReader(connection, server.processorMs),
    inProgress: async () => {
      const text = await (await fetch(`${server.url}/metrics`)).text();
      const gauges = text.matchAll(/^remitgraph_pipeline_in_progress\{[^}]*\} (\d+)$/gm);
      return [...gauges].reduce((sum, [, value]) => sum + Number(value), 0);
    },
  };
}

function bareSide(replay: Replay, { connection }: BenchDatabase): Side {
  return {
    name: 'bare',
    start: () => {
      let accept = (): void => undefined;
      const first = new Promise<void>((resolve) => {
        accept = resolve;
      });
      const done = replay.run(accept);
      return { accepted: Promise.race([first, done]), done };
    },
    inProgress: async () => undefined,
    readCost: createCostReader(connection, ownProcessorMs),
  };
}

/** A part of the time at the fixed rate. */
interface Round {
  readonly offered: Offered;
  /** Of a call. */
  readonly cost: Cost;
}

async function atFixedRate(sides: readonly Side[], seconds: number): Promise<void> {
  say(
    `${RATE} calls a second for ${seconds} s a side in ${ROUNDS} rounds, the sides in turn, sent on schedule:`,
  );
  const measured = await inTurns(sides, ROUNDS, async ({ start, readCost }): Promise<Round> => {
    const before = await readCost();
    const offered = await offer(start, RATE, seconds / ROUNDS);
    return { offered, cost: perCall(costOf(before, await readCost()), offered.whole.length) };
  });
  const rounds = sides.map((side) => measured.get(side) ?? []);
  const spans = (['toAccepted', 'toDone', 'whole'] as const).flatMap((span) =>
    PARTS.map((part) =>
      compared(rounds, `${SPANS[span]}, p${part * 100}, ms`, ({ offered }) =>
        percentile(offered[span], part),
      ),
    ),
  );
  const costs = [
    compared(rounds, COST_TITLES[0], ({ cost }) => cost.commands),
    compared(rounds, COST_TITLES[1], ({ cost }) => cost.processMs),
    compared(rounds, COST_TITLES[2], ({ cost }) => cost.storeMs),
  ];
  table(['', ...sides.map(({ name }) => name), 'ratio (of rounds)'], [...spans, ...costs], 1);
  for (const [side, { name }] of sides.entries()) {
    const behind = rounds[side]?.filter(({ offered }) => !isSustained(offered)).length ?? 0;
    if (behind > 0) {
      say(`${name}: not sustained in ${behind} of ${ROUNDS} rounds, so that its times measure the queue.`);
    }
  }
  say('');
}

const PARTS = [0.5, 0.95, 0.99];

/** A row: medians of the product's and of the bare driver's rounds, and the ratios of the rounds. */
function compared(rounds: readonly Round[][], title: string, figure: (round: Round) => number): string[] {
  const [product = [], bare = []] = rounds.map((ofSide) => ofSide.map(figure));
  return [title, median(product).toFixed(1), median(bare).toFixed(1), describeRatio(ratioOf(product, bare))];
}

const SPANS = {
  toAccepted: 'due -> accepted',
  toDone: 'accepted -> outcome delivered',
  whole: 'due -> outcome delivered',
} as const;

/** Each side by its own rates, in turn. */
async function atHighestRate(sides: readonly Side[], stepSeconds: number): Promise<void> {
  say(`The highest rate that is sustained, in steps of ${stepSeconds} s:`);
  const searches = sides.map((side) => ({ side, search: createRateSearch(RATE) }));
  while (searches.some(({ search }) => search.next !== undefined)) {
    for (const { side, search } of searches) {
      if (search.next !== undefined) {
        const step = await tryRate(side, search.next, stepSeconds);
        search.tried(step.rate, isSustained(step));
        say(`${side.name} ${reported(step)}`);
      }
    }
  }
  const [product = 0, bare = 0] = searches.map(({ search }) => search.sustained);
  say(
    `Product ${product.toFixed(0)}/s, bare ${bare.toFixed(0)}/s: a ratio of ${(product / bare).toFixed(2)}.`,
  );
}

function reported(step: Offered & { readonly inProgress: number | undefined }): string {
  const { rate, growth, backlog, inProgress } = step;
  const seen = inProgress === undefined ? '' : `, ${inProgress} in progress by /metrics`;
  const end = `${backlog} behind at the end${seen}, growing by ${growth.toFixed(1)}/s`;
  return `${rate.toFixed(0)}/s: ${isSustained(step) ? 'sustained' : 'not sustained'}; ${end}`;
}

async function tryRate({ start, inProgress }: Side, rate: number, stepSeconds: number) {
  let read: Promise<number | undefined> | undefined;
  const timer = setTimeout(() => {
    read = inProgress();
  }, stepSeconds * 1000);
  const offered = await offer(start, rate, stepSeconds);
  clearTimeout(timer);
  return { ...offered, inProgress: await read };
}

/** The measurement is worth nothing if calls were lost or reported twice. */
async function requireOneOutcomeEach({ connection }: BenchDatabase, partner: Partner): Promise<void> {
  const remittances = connection.collection('remittances');
  const [all, succeeded, reported] = await Promise.all([
    remittances.countDocuments(),
    remittances.countDocuments({ status: 'SUCCEEDED' }),
    connection.collection('webhookDeliveries').countDocuments({ event: 'request_money_full_outcome' }),
  ]);
  if (all !== succeeded || all !== reported || all !== partner.outcomes()) {
    throw new Error(
      `${all} calls, ${succeeded} succeeded, ${reported} deliveries, ${partner.outcomes()} outcomes`,
    );
  }
  say(`${all} calls were accepted; each had one outcome.`);
}
