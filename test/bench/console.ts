import { parseArgs } from 'node:util';
import { keyringOf } from '../../subgraphs/kernel/crypto/keyring.ts';
import { type Partner, startPartner } from './atomic-calls.ts';
import { judge } from './compare.ts';
import {
  ask,
  type ConsoleCall,
  listCalls,
  makeTimeline,
  recordCommands,
  runCommands,
} from './console-calls.ts';
import { createCostReader, ownProcessorMs } from './cost.ts';
import { fillOperations } from './list-fill.ts';
import { percentile } from './load.ts';
import { type LoadedServer, startLoaded } from './processes.ts';
import { startRecorded } from './recording.ts';
import { type BenchDatabase, say, withStand } from './stand.ts';
import { type Contestant, describeCalls, inTurn, timesOf } from './turns.ts';

const { values: options } = parseArgs({ options: { scale: { type: 'string', default: '1000000' } } });
const scale = Number(options.scale);

/** Turns that are not counted: the first calls compile the product's code. */
const WARM_UP = { most: 3, fewest: 1 };

type Commands = Awaited<ReturnType<typeof recordCommands>>;

/** `npm run bench:console [-- --scale N]`: what the console reads, among N operations, beside the same by the bare driver. */
async function main(): Promise<void> {
  await withStand(async (stand) => {
    const partner = await startPartner();
    try {
      const database = stand.database();
      const env = stand.productEnv(database, partner.url, { ...partner.env, GRAPHQL_TIMEOUT_SECONDS: '300' });
      await fill(database, env, partner);
      const calls = await withServer(env, async ({ url }) => [
        await makeTimeline(url, env.INTERNAL_API_KEY ?? ''),
        ...(await listCalls(url, scale)),
      ]);
      const commands = await recordAll(env, calls);
      await withServer(env, (server) => measureAll(server, database, commands));
    } finally {
      await partner.close();
    }
  });
}

type Env = Readonly<Record<string, string>>;

async function withServer<Result>(env: Env, run: (server: LoadedServer) => Promise<Result>): Promise<Result> {
  const server = await startLoaded('dist/bin/server.js', env, '/health/ready');
  try {
    return await run(server);
  } finally {
    await server.stop();
  }
}

/** Copies what the product itself has made once. */
async function fill(database: BenchDatabase, env: Env, partner: Partner): Promise<void> {
  await withServer(env, async ({ url }) => {
    const { accepted, done } = partner.call(url);
    await accepted;
    await done;
  });
  const started = performance.now();
  const { ENCRYPTION_KEY = '' } = env;
  await fillOperations(
    database,
    keyringOf({ ENCRYPTION_KEY, ENCRYPTION_KEY_PREVIOUS: [] }).box('fields'),
    scale,
  );
  const seconds = ((performance.now() - started) / 1000).toFixed(0);
  say(`Filled in ${seconds} s: ${scale.toLocaleString('en')} operations.`);
}

async function recordAll(env: Env, calls: readonly ConsoleCall[]): Promise<Map<ConsoleCall, Commands>> {
  const server = await startRecorded(env);
  try {
    const commands = new Map<ConsoleCall, Commands>();
    for (const call of calls) {
      commands.set(call, await recordCommands(server, call));
    }
    return commands;
  } finally {
    await server.stop();
  }
}

async function measureAll(
  server: LoadedServer,
  database: BenchDatabase,
  commands: ReadonlyMap<ConsoleCall, Commands>,
): Promise<void> {
  say('\nBy GraphQL, and the same commands by the bare driver, one after the other:');
  for (const [call, sent] of commands) {
    const product: Contestant = {
      call: () => ask(server.url, call),
      readCost: createCostReader(database.connection, server.processorMs),
      turns: [],
    };
    const bare: Contestant = {
      call: () => runCommands(database, sent),
      readCost: createCostReader(database.connection, ownProcessorMs),
      turns: [],
    };
    const sides = [product, bare];
    await inTurn(
      sides.map((side) => ({ ...side, turns: [] })),
      WARM_UP,
    );
    await inTurn(sides);
    say(`${call.name}: product ${rowOf(product)}; bare ${rowOf(bare)}; ${verdict(call, product, bare)}`);
  }
}

function rowOf(side: Contestant): string {
  const times = timesOf(side);
  const ms = (part: number) => percentile(times, part).toFixed(1);
  return `p50 ${ms(0.5)} ms, p95 ${ms(0.95)} ms of ${times.length} calls (${describeCalls(side)})`;
}

/** Work that takes the store itself longer is no goal of the product. */
function verdict({ goal }: ConsoleCall, product: Contestant, bare: Contestant): string {
  const [ours, theirs] = [product, bare].map((side) => percentile(timesOf(side), 0.95));
  if (Number(theirs) > goal) {
    return `goal ${goal} ms: the store itself takes longer`;
  }
  return `goal ${goal} ms, ${judge.verdict(Number(ours) <= goal)}`;
}

await main();
