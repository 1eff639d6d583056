import { parseArgs } from 'node:util';
import { Decimal } from 'decimal.js';
import type { mongo } from 'mongoose';
import type { AccountId } from '../../subgraphs/kernel/account.ts';
import { exchangeWith } from '../support/http.ts';
import { queryGraph } from '../support/money-requests.ts';
import { KEYS } from '../support/seed.ts';
import { startPartner } from './atomic-calls.ts';
import { describeRatio, inTurns, judge, ratioOf } from './compare.ts';
import {
  COST_TITLES,
  type Cost,
  costOf,
  createCostReader,
  describeCost,
  ownProcessorMs,
  perCall,
  type ReadCost,
} from './cost.ts';
import { median, percentile } from './load.ts';
import { measureOverview } from './overview.ts';
import { type LoadedServer, startLoaded } from './processes.ts';
import { type BenchDatabase, say, table, withStand } from './stand.ts';

const TENANTS = 50;
const ROUNDS = 5;
const CALLS = 20;
/** Of a call of the product, in milliseconds. */
const P95_GOAL = 50;

const BATCH = 4_000;
const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
const STATUSES = [
  'Completed',
  'Completed',
  'Completed',
  'Completed',
  'Sent',
  'InTransit',
  'Failed',
  'Cancelled',
];
const CURRENCIES = ['MXN', 'MXN', 'MXN', 'GTQ', 'COP'];

const { values: options } = parseArgs({ options: { scale: { type: 'string', default: '1000000' } } });
const scale = Number(options.scale);

/** A question that a dashboard asks. */
interface Question {
  readonly name: string;
  readonly groupBy: readonly string[];
  /** Days before now that it is about; undefined: all. */
  readonly days?: number;
}

const QUESTIONS: readonly Question[] = [
  { name: 'today by status', groupBy: ['STATUS'], days: 1 },
  { name: '7 days by day and status', groupBy: ['DAY', 'STATUS'], days: 7 },
  { name: '31 days by day', groupBy: ['DAY'], days: 31 },
  { name: 'all by status', groupBy: ['STATUS'] },
  { name: 'all by month and corridor', groupBy: ['MONTH', 'CORRIDOR'] },
];

const QUERY = `query ($where: OperationWhereInput, $groupBy: [TotalsGrouping!]!) {
  operationTotals(where: $where, groupBy: $groupBy) {
    status period sourceCountry destinationCountry count amount { amount currency }
  }
}`;

interface Answer {
  readonly operationTotals: readonly {
    readonly count: number;
    readonly amount: { readonly amount: string; readonly currency: string };
  }[];
}

/** Answers a question; says how many operations it has counted. */
interface Side {
  readonly name: string;
  ask(question: Question): Promise<number>;
  readonly readCost: ReadCost;
}

/** `npm run bench:totals [-- --scale N]`: the totals of a partner, and the console's overview, among a million operations of fifty. */
async function main(): Promise<void> {
  await withStand(async (stand) => {
    const partner = await startPartner();
    const database = stand.database();
    const server = await startLoaded(
      'dist/bin/server.js',
      stand.productEnv(database, partner.url, partner.env),
      '/health/ready',
    );
    try {
      const { accepted, done } = partner.call(server.url);
      await accepted;
      await done;
      await fill(database);
      await expectExact(server, database);
      await compare([byGraph(server, database), byDriver(database)]);
      await measureOverview(server, database);
    } finally {
      await server.stop();
      await partner.close();
    }
  });
}

/** Copies of an operation that the product has made, of all partners in turn. */
async function fill({ connection }: BenchDatabase): Promise<void> {
  const started = performance.now();
  const collection = connection.collection<mongo.Document & { _id: string }>('operations');
  const sample = await collection.findOne();
  if (sample === null) {
    throw new Error('There is no operation to copy');
  }
  for (let first = 0; first < scale; first += BATCH) {
    const numbers = Array.from({ length: Math.min(BATCH, scale - first) }, (_, index) => first + index);
    await collection.insertMany(
      numbers.map((number) => ({ ...sample, ...ownOf(number, sample.accountId) })),
      { ordered: false },
    );
  }
  const seconds = ((performance.now() - started) / 1_000).toFixed(0);
  say(`Filled in ${seconds} s: ${scale.toLocaleString('en')} operations of ${TENANTS} partners.`);
}

/** The nth copy's own values. A partner's are spread over the same time, whatever the scale. */
function ownOf(number: number, accountId: AccountId): mongo.Document & { _id: string } {
  const ofTenant = Math.floor(number / TENANTS);
  const id = String(number).padStart(20, '0');
  const createdAt = new Date(Date.now() - (scale / TENANTS - ofTenant) * 25 * MINUTE_MS);
  return {
    _id: `o_${id}`,
    accountId: number % TENANTS === 0 ? accountId : `tenant-${number % TENANTS}`,
    operationId: `copy-${id}`,
    code: id.slice(-10),
    platId: `plat_${id}`,
    status: STATUSES[ofTenant % STATUSES.length],
    recipientAmount: `${100 + (ofTenant % 4_900)}.${String(ofTenant % 100).padStart(2, '0')}`,
    recipientCurrency: CURRENCIES[ofTenant % CURRENCIES.length],
    createdAt,
    updatedAt: createdAt,
  };
}

/** @throws where the totals differ from what is read one by one */
async function expectExact({ url }: LoadedServer, { connection }: BenchDatabase): Promise<void> {
  const sums = new Map<string, Decimal>();
  const sample = await connection.collection('operations').findOne({}, { projection: { accountId: 1 } });
  const projection = { recipientAmount: 1, recipientCurrency: 1 };
  for await (const one of connection
    .collection('operations')
    .find({ accountId: sample?.accountId }, { projection })) {
    const sum = sums.get(one.recipientCurrency) ?? new Decimal(0);
    sums.set(one.recipientCurrency, sum.plus(one.recipientAmount));
  }
  const reported = new Map<string, Decimal>();
  for (const { amount } of (await askGraph(url, { name: 'all', groupBy: ['STATUS'] })).operationTotals) {
    reported.set(amount.currency, (reported.get(amount.currency) ?? new Decimal(0)).plus(amount.amount));
  }
  const listed = (map: Map<string, Decimal>) => JSON.stringify([...map].sort().map(String));
  if (sums.size === 0 || listed(sums) !== listed(reported)) {
    throw new Error(`The totals are ${listed(reported)}, the operations ${listed(sums)}`);
  }
  say(`The totals equal the sum of all operations one by one: ${listed(reported)}`);
}

function whereOf({ days }: Question): { createdAt?: { gte: Date; lt: Date } } {
  const now = Date.now();
  return days === undefined ? {} : { createdAt: { gte: new Date(now - days * DAY_MS), lt: new Date(now) } };
}

async function askGraph(url: string, question: Question): Promise<Answer> {
  const variables = { where: whereOf(question), groupBy: question.groupBy };
  const { data, errors } = await queryGraph<Answer>(exchangeWith(url), QUERY, variables, KEYS.acme);
  if (errors !== undefined || !data) {
    throw new Error(`${question.name}: ${JSON.stringify(errors)}`);
  }
  return data;
}

function byGraph(server: LoadedServer, { connection }: BenchDatabase): Side {
  return {
    name: 'graph',
    ask: async (question) => {
      const { operationTotals } = await askGraph(server.url, question);
      return operationTotals.reduce((sum, { count }) => sum + count, 0);
    },
    readCost: createCostReader(connection, server.processorMs),
  };
}

/** A count of the same operations by the bare driver: the least that a store has to do. */
function byDriver({ connection }: BenchDatabase): Side {
  return {
    name: 'bare count',
    ask: async (question) => {
      const { createdAt } = whereOf(question);
      const match = {
        accountId: 'acme/sandbox',
        ...(createdAt && { createdAt: { $gte: createdAt.gte, $lt: createdAt.lt } }),
      };
      const [group] = await connection
        .collection('operations')
        .aggregate([{ $match: match }, { $group: { _id: null, count: { $sum: 1 } } }])
        .toArray();
      return group?.count ?? 0;
    },
    readCost: createCostReader(connection, ownProcessorMs),
  };
}

interface Turn {
  readonly times: readonly number[];
  readonly cost: Cost;
}

async function compare(sides: readonly Side[]): Promise<void> {
  const rows: string[][] = [];
  for (const question of QUESTIONS) {
    const counts = new Set<number>();
    const firsts: number[] = [];
    for (const side of sides) {
      const from = performance.now();
      counts.add(await side.ask(question));
      firsts.push(performance.now() - from);
    }
    const turns = await inTurns(sides, ROUNDS, (side) => takeTurn(side, question));
    const [ours = [], bare = []] = sides.map((side) => turns.get(side));
    const times = ours.flatMap((turn) => [...turn.times]);
    const p95 = percentile(times, 0.95);
    const medians = (list: readonly Turn[]) => list.map((turn) => median(turn.times));
    rows.push([
      question.name,
      [...counts].join(' / '),
      firsts[0]?.toFixed(0) ?? '',
      median(times).toFixed(1),
      `${p95.toFixed(1)} (${judge.verdict(p95 <= P95_GOAL)})`,
      describeRatio(ratioOf(medians(ours), medians(bare))),
      ...describeCost(meanOf(ours)),
    ]);
  }
  table(
    [
      'totals',
      'operations',
      'first ms',
      'p50 ms',
      `p95 ms (goal ${P95_GOAL})`,
      '× bare count',
      ...COST_TITLES,
    ],
    rows,
    1,
  );
}

async function takeTurn({ ask, readCost }: Side, question: Question): Promise<Turn> {
  const times: number[] = [];
  const before = await readCost();
  for (let call = 0; call < CALLS; call += 1) {
    const from = performance.now();
    await ask(question);
    times.push(performance.now() - from);
  }
  return { times, cost: perCall(costOf(before, await readCost()), CALLS) };
}

function meanOf(turns: readonly Turn[]): Cost {
  const of = (figure: keyof Cost) => median(turns.map(({ cost }) => cost[figure]));
  return {
    commands: of('commands'),
    conflicts: of('conflicts'),
    processMs: of('processMs'),
    storeMs: of('storeMs'),
  };
}

await main();
