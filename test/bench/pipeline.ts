import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { type Partner, startPartner } from './atomic-calls.ts';
import { percentile } from './load.ts';
import { createRateSearch, isSustained, type Offered, offer, type Started } from './offered-load.ts';
import { type LoadedServer, startLoaded } from './processes.ts';
import { type RecordedCommand, type RecordedServer, startRecorded } from './recording.ts';
import { createReplay, type Replay } from './replay.ts';
import { type BenchDatabase, type Stand, say, table, withStand } from './stand.ts';

const RATE = 20;
const LONGEST_STEP_SECONDS = 10;
const SHORTEST_STEP_SECONDS = 3;
const WARM_UP_SECONDS = 5;
/** Longer than what follows an outcome takes: its attempt is recorded, its events are numbered. */
const SETTLE_MS = 3_000;
const COUNTED_RATE = 8;
const COUNTED_SECONDS = 5;

const { values: options } = parseArgs({ options: { seconds: { type: 'string', default: '60' } } });
const seconds = Number(options.seconds);
const stepSeconds = Math.min(Math.max(Math.round(seconds / 6), SHORTEST_STEP_SECONDS), LONGEST_STEP_SECONDS);

/** Who carries requests out. */
interface Side {
  readonly name: 'product' | 'bare';
  start(): Started;
  /** Remittances in progress by `/metrics`; of the bare driver there is none. */
  inProgress(): Promise<number | undefined>;
  /** Processor time of its process so far, without the store's, milliseconds. */
  processorMs(): number;
}

/** `npm run bench:pipeline [-- --seconds N]`: atomic calls until their outcomes, beside the bare driver's same writes. */
async function main(): Promise<void> {
  await withStand(async (stand) => {
    const partner = await startPartner();
    try {
      await measure(stand, partner);
    } finally {
      await partner.close();
    }
  });
}

async function measure(stand: Stand, partner: Partner): Promise<void> {
  const [database, copies] = [stand.database(), stand.database()];
  const env = stand.productEnv(database, partner.url, partner.env);
  const replay = await recordReplay(database, copies, partner, env);
  const server = await startLoaded('dist/bin/server.js', env, '/health/ready');
  try {
    const sides = [productSide(server, partner), bareSide(replay)];
    for (const side of sides) {
      await offer(side.start, RATE, WARM_UP_SECONDS);
    }
    await atFixedRate(sides);
    await atHighestRate(sides);
    await requireOneOutcomeEach(database, partner);
  } finally {
    await server.stop();
  }
}

/** Has the product tell what it writes for a call. The first one also fills its caches, and counts for nothing. */
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
    await countCommands(server, partner);
    return replay;
  } finally {
    await server.stop();
  }
}

/** All that is on the wire to the database at a moderate rate, what processes do for themselves included. */
async function countCommands(server: RecordedServer, partner: Partner): Promise<void> {
  server.take();
  const { whole } = await offer(() => partner.call(server.url), COUNTED_RATE, COUNTED_SECONDS);
  await delay(SETTLE_MS);
  const sent = server.take().filter(({ isPart }) => !isPart);
  const byKind = new Map<string, number>();
  for (const { name, command } of sent) {
    const of = typeof command[name] === 'string' ? ` ${command[name]}` : '';
    const kind = `${name}${name === 'getMore' ? '' : of}`;
    byKind.set(kind, (byKind.get(kind) ?? 0) + 1);
  }
  const perCall = (count: number) => (count / whole.length).toFixed(2);
  say(`Commands to the database a call, at ${COUNTED_RATE} calls a second: ${perCall(sent.length)}`);
  const rows = [...byKind].sort(([, one], [, other]) => other - one).map(([kind, n]) => [kind, perCall(n)]);
  table(['', 'a call'], rows, 1);
  say('');
}

function productSide(server: LoadedServer, partner: Partner): Side {
  return {
    name: 'product',
    start: () => partner.call(server.url),
    processorMs: server.processorMs,
    inProgress: async () => {
      const text = await (await fetch(`${server.url}/metrics`)).text();
      const gauges = text.matchAll(/^remitgraph_pipeline_in_progress\{[^}]*\} (\d+)$/gm);
      return [...gauges].reduce((sum, [, value]) => sum + Number(value), 0);
    },
  };
}

function bareSide(replay: Replay): Side {
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
    processorMs: () => {
      const { user, system } = process.cpuUsage();
      return (user + system) / 1000;
    },
  };
}

async function atFixedRate(sides: readonly Side[]): Promise<void> {
  say(`${RATE} calls a second for ${seconds} s a side, sent on schedule:`);
  const offered: Offered[] = [];
  const processor: number[] = [];
  for (const { start, processorMs } of sides) {
    const before = processorMs();
    const side = await offer(start, RATE, seconds);
    offered.push(side);
    processor.push((processorMs() - before) / side.whole.length);
  }
  const rows = (['toAccepted', 'toDone', 'whole'] as const).map((span) => {
    const figures = PARTS.map((part) => offered.map((side) => percentile(side[span], part)));
    return [`${SPANS[span]}, p50 / p95 / p99, ms`, ...compared(figures)];
  });
  rows.push(['processor time a call, without the store, ms', ...compared([processor])]);
  table(['', ...sides.map(({ name }) => name), 'ratio'], rows, 1);
  for (const [side, of] of offered.entries()) {
    if (!isSustained(of)) {
      const sent = `${of.seconds.toFixed(0)} s, ${of.backlog} behind and growing by ${of.growth.toFixed(1)}/s`;
      say(`${sides[side]?.name}: not sustained (${sent}), so that its times tell of the queue.`);
    }
  }
  say('');
}

const PARTS = [0.5, 0.95, 0.99];

/** Figures of the product, of the bare driver, and the first as multiples of the second. */
function compared(figures: readonly (readonly number[])[]): string[] {
  const ratios = figures.map(([product = Number.NaN, bare = Number.NaN]) => product / bare);
  const columns = [figures.map(([product]) => product), figures.map(([, bare]) => bare), ratios];
  return columns.map((column) => column.map((figure = Number.NaN) => figure.toFixed(1)).join(' / '));
}

const SPANS = {
  toAccepted: 'due -> accepted',
  toDone: 'accepted -> outcome delivered',
  whole: 'due -> outcome delivered',
} as const;

/** Each side by its own rates, in turn. */
async function atHighestRate(sides: readonly Side[]): Promise<void> {
  say(`The highest rate that is sustained, in steps of ${stepSeconds} s:`);
  const searches = sides.map((side) => ({ side, search: createRateSearch(RATE) }));
  while (searches.some(({ search }) => search.next !== undefined)) {
    for (const { side, search } of searches) {
      if (search.next !== undefined) {
        const step = await tryRate(side, search.next);
        search.tried(step.rate, isSustained(step));
        say(`${side.name} ${told(step)}`);
      }
    }
  }
  const [product = 0, bare = 0] = searches.map(({ search }) => search.sustained);
  say(
    `Product ${product.toFixed(0)}/s, bare ${bare.toFixed(0)}/s: a ratio of ${(product / bare).toFixed(2)}.`,
  );
}

function told(step: Offered & { readonly inProgress: number | undefined }): string {
  const { rate, growth, backlog, inProgress } = step;
  const seen = inProgress === undefined ? '' : `, ${inProgress} in progress by /metrics`;
  const end = `${backlog} behind at the end${seen}, growing by ${growth.toFixed(1)}/s`;
  return `${rate.toFixed(0)}/s: ${isSustained(step) ? 'sustained' : 'not sustained'}; ${end}`;
}

async function tryRate({ start, inProgress }: Side, rate: number) {
  let read: Promise<number | undefined> | undefined;
  const timer = setTimeout(() => {
    read = inProgress();
  }, stepSeconds * 1000);
  const offered = await offer(start, rate, stepSeconds);
  clearTimeout(timer);
  return { ...offered, inProgress: await read };
}

/** What was measured is worth nothing if calls were lost or told twice. */
async function requireOneOutcomeEach({ connection }: BenchDatabase, partner: Partner): Promise<void> {
  const remittances = connection.collection('remittances');
  const [all, succeeded, told] = await Promise.all([
    remittances.countDocuments(),
    remittances.countDocuments({ status: 'SUCCEEDED' }),
    connection.collection('webhookDeliveries').countDocuments(),
  ]);
  if (all !== succeeded || all !== told || all !== partner.outcomes()) {
    throw new Error(
      `${all} calls, ${succeeded} succeeded, ${told} deliveries, ${partner.outcomes()} outcomes`,
    );
  }
  say(`${all} calls were accepted; each had one outcome.`);
}

await main();
