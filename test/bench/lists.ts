import { parseArgs } from 'node:util';
import { keyringOf } from '../../subgraphs/kernel/crypto/keyring.ts';
import { exchangeWith } from '../support/http.ts';
import { KEYS } from '../support/seed.ts';
import { type Partner, startPartner } from './atomic-calls.ts';
import { describeRatio, judge, type Ratio, ratioOf } from './compare.ts';
import { createCostReader, ownProcessorMs } from './cost.ts';
import { measureExports } from './exports.ts';
import {
  CALLS_OF_A_USER,
  get,
  LIST_CALLS,
  type ListCall,
  queryStore,
  recordQueries,
  type StoreQueries,
} from './list-calls.ts';
import { fillLists } from './list-fill.ts';
import { median } from './load.ts';
import { type LoadedServer, startLoaded } from './processes.ts';
import { startRecorded } from './recording.ts';
import { type BenchDatabase, type Stand, say, withStand } from './stand.ts';
import { type Contestant, describeCalls, inTurn, timesOf } from './turns.ts';

const FEW = 10_000;
/** Of the whole call: no more than this many times the one among few. */
const USER_GOAL = 1.5;
/** Of growth: no more than this many times the bare driver's. */
const LIST_GOAL = 1.2;
const { values: options } = parseArgs({
  options: { scale: { type: 'string', default: '1000000' }, only: { type: 'string' } },
});
const many = Number(options.scale);

/** A product and its database with so many users, links and operations. */
interface Filled {
  readonly database: BenchDatabase;
  readonly server: LoadedServer;
}

/** `npm run bench:lists [-- --scale N]`: history, frequent contacts and lists among 10,000 and N records, in turn; files of N. */
async function main(): Promise<void> {
  await withStand(async (stand) => {
    const partner = await startPartner();
    const filled: Filled[] = [];
    try {
      for (const total of [FEW, many]) {
        filled.push(await fillAndStart(stand, partner, total));
      }
      const [among, amongMany] = filled as [Filled, Filled];
      if (options.only !== 'exports') {
        await compareUsers(among, amongMany);
        await compareLists(await recordAll(stand, partner, among.database), among, amongMany);
      }
      await measureExports(amongMany.server);
    } finally {
      for (const { server } of filled) {
        await server.stop();
      }
      await partner.close();
    }
  });
}

function envOf(stand: Stand, partner: Partner, database: BenchDatabase): Record<string, string> {
  return stand.productEnv(database, partner.url, { ...partner.env, GRAPHQL_TIMEOUT_SECONDS: '300' });
}

async function fillAndStart(stand: Stand, partner: Partner, total: number): Promise<Filled> {
  const database = stand.database();
  const env = envOf(stand, partner, database);
  const first = await startLoaded('dist/bin/server.js', env, '/health/ready');
  try {
    await makeSamples(first, partner);
  } finally {
    await first.stop();
  }
  const started = performance.now();
  const { ENCRYPTION_KEY = '' } = env;
  const box = keyringOf({ ENCRYPTION_KEY, ENCRYPTION_KEY_PREVIOUS: [] }).box('fields');
  await fillLists(database, box, total);
  const seconds = ((performance.now() - started) / 1000).toFixed(0);
  say(`Filled in ${seconds} s: ${total.toLocaleString('en')} operations, users and links each.`);
  return { database, server: await startLoaded('dist/bin/server.js', env, '/health/ready') };
}

/** One record of each kind, made by the product itself. */
async function makeSamples({ url }: LoadedServer, partner: Partner): Promise<void> {
  const { accepted, done } = partner.call(url);
  await accepted;
  await done;
  const name = { firstName: 'Ana', lastName: 'Ruiz' };
  const link = { flow: 'cip', referenceId: 'sample', userData: { name, dob: '1990-01-31' } };
  const { status, text } = await exchangeWith(url)({
    method: 'POST',
    path: '/partner/links',
    headers: { 'Content-Type': 'application/json', 'X-API-Key': KEYS.acme },
    body: JSON.stringify(link),
  });
  if (status !== 201) {
    throw new Error(`A link was answered ${status}: ${text}`);
  }
}

async function compareUsers(few: Filled, amongMany: Filled): Promise<void> {
  say(`\nBy REST, p50 among ${FEW.toLocaleString('en')} and among ${many.toLocaleString('en')}:`);
  for (const call of CALLS_OF_A_USER) {
    const sides = [few, amongMany].map((filled) => byRest(filled, call));
    for (const { call } of sides) {
      await call(0);
    }
    await inTurn(sides);
    const [before, after] = sides as [Contestant, Contestant];
    const growth = growthOf(before, after);
    say(
      `${call.name}: ${pair(before, after)}, ${describeRatio(growth)} times; ${verdict(growth.median, USER_GOAL)}`,
    );
  }
}

async function recordAll(
  stand: Stand,
  partner: Partner,
  database: BenchDatabase,
): Promise<Map<ListCall, StoreQueries>> {
  const server = await startRecorded(envOf(stand, partner, database));
  try {
    const queries = new Map<ListCall, StoreQueries>();
    for (const call of LIST_CALLS) {
      queries.set(call, await recordQueries(server, call));
    }
    return queries;
  } finally {
    await server.stop();
  }
}

async function compareLists(
  queries: ReadonlyMap<ListCall, StoreQueries>,
  few: Filled,
  amongMany: Filled,
): Promise<void> {
  say('\nFirst pages of 20 by REST, and the same count and page by the bare driver: matches, p50, growth');
  for (const [call, sent] of queries) {
    const totals = [await matches(few, call, sent), await matches(amongMany, call, sent)];
    const product = [byRest(few, call), byRest(amongMany, call)] as const;
    const bare = [byDriver(few, sent), byDriver(amongMany, sent)] as const;
    await inTurn([...product, ...bare]);
    const growth = { product: growthOf(...product), bare: growthOf(...bare) };
    say(
      `${call.name} (${totals.map((total) => total.toLocaleString('en')).join(', ')}): ` +
        `product ${pair(...product)}, ${describeRatio(growth.product)} times; ` +
        `bare ${pair(...bare)}, ${describeRatio(growth.bare)} times; ` +
        verdict(growth.product.median / growth.bare.median, LIST_GOAL),
    );
  }
}

/** @throws when product and bare driver do not find as many */
async function matches({ server, database }: Filled, call: ListCall, sent: StoreQueries): Promise<number> {
  const total = Number(/"total":(\d+)/.exec(await get(server.url, call.path(0)))?.[1]);
  const stored = await queryStore(database, sent);
  if (total !== stored || total === 0) {
    throw new Error(`${call.name}: the product finds ${total}, the bare driver ${stored}`);
  }
  return total;
}

function byRest({ server, database }: Filled, { path }: ListCall): Contestant {
  const readCost = createCostReader(database.connection, server.processorMs);
  return { call: (nth) => get(server.url, path(nth)), readCost, turns: [] };
}

function byDriver({ database }: Filled, queries: StoreQueries): Contestant {
  const readCost = createCostReader(database.connection, ownProcessorMs);
  return { call: () => queryStore(database, queries), readCost, turns: [] };
}

/** By how many times calls take longer among many, turn by turn. */
function growthOf(few: Contestant, amongMany: Contestant): Ratio {
  const medians = ({ turns }: Contestant) => turns.map(({ times }) => median(times));
  return ratioOf(medians(amongMany), medians(few));
}

/** Times and costs of a call, among few and among many. */
function pair(...sides: readonly Contestant[]): string {
  return sides.map((side) => `${median(timesOf(side)).toFixed(1)} ms (${describeCalls(side)})`).join(' and ');
}

function verdict(ratio: number, goal: number): string {
  return `${ratio.toFixed(2)} (goal ${goal}, ${judge.verdict(ratio <= goal)})`;
}

await main();
