import { parseArgs } from 'node:util';
import type { Connection } from 'mongoose';
import { exchangeWith } from '../support/http.ts';
import { createMoneyRequest, lookUp, moneyRequestBody, newReference } from '../support/money-requests.ts';
import { KEYS } from '../support/seed.ts';
import { describeRatio, inTurns, judge, ratioOf } from './compare.ts';
import { COST_TITLES, type Cost, costOf, createCostReader, perCall } from './cost.ts';
import { fillMoneyRequests } from './fill.ts';
import { type Load, median, percentile, type Round, run } from './load.ts';
import { type LoadedServer, startLoaded } from './processes.ts';
import { type Stand, say, table, withStand } from './stand.ts';

const MONEY_REQUESTS = 500;
const ROUNDS = 4;
const SECONDS = 4;
const WARM_UP_SECONDS = 2;
const CONNECTIONS = [10, 50];
/** Whose money requests are created. */
const USERS = 500;
/** How much slower half of the lookups may be among many money requests than among few. */
const GROWTH_GOAL = 1.3;
/** Most milliseconds of 95 of 100 quotes. */
const QUOTE_P95_GOAL = 20;
const QUOTE_CONNECTIONS = [1, 10];

/** The load on both sides. */
interface Call {
  readonly name: string;
  /** The least ratio of the requests a second, product to bare. */
  readonly goal: number;
  readonly next: Load['next'];
}

/** A round, and what it has cost. */
interface CostedRound extends Round {
  /** Of an answer. */
  readonly cost: Cost;
}

/** One line of the table: the same load on both sides. */
interface Comparison {
  readonly call: Call;
  readonly connections: number;
  readonly product: readonly CostedRound[];
  readonly bare: readonly CostedRound[];
}

interface Sides {
  readonly product: LoadedServer;
  readonly bare: LoadedServer;
  readonly references: readonly string[];
  /** To the store of both. */
  readonly connection: Connection;
}

const { values: options } = parseArgs({ options: { scale: { type: 'string' } } });

/** `npm run bench:rest [-- --scale N]`: the REST surface beside bare Fastify routes on the same store, rounds taken in turn; and quotes by themselves. */
async function main(): Promise<void> {
  await withStand(async (stand) => {
    say(
      `Each figure: ${ROUNDS} rounds of ${SECONDS} s a side, product and bare in turn; all over loopback.\n`,
    );
    await compareOn(stand);
  });
}

async function compareOn(stand: Stand): Promise<void> {
  const [originals, copies] = [stand.database(), stand.database()];
  // Deliveries are stored, as in every create, but not sent: the partner's receiver would be measured with it.
  const unsent = { WEBHOOK_NUDGE: 'false', WEBHOOK_SWEEP_SECONDS: '3600' };
  const env = stand.productEnv(originals, 'https://receiver.test', unsent);
  const product = await startLoaded('dist/bin/server.js', env, '/health/ready');
  const stops = [product.stop];
  try {
    const references = await createMoneyRequests(product);
    const bareEnv = { BARE_URI: originals.uri, BARE_COPIES: copies.name };
    const bare = await startLoaded('dist/test/bench/bare-server.js', bareEnv, '/');
    stops.push(bare.stop);
    await teachAnswers(product, bare, references);
    const sides = { product, bare, references, connection: originals.connection };
    const few = await compareAll(sides);
    report(few);
    await measureQuotes(sides);
    if (options.scale !== undefined) {
      const scale = Number(options.scale);
      say(`\nFilling up to ${scale.toLocaleString('en')} money requests on both sides ...`);
      await fillMoneyRequests(originals.connection, scale);
      await fillMoneyRequests(copies.connection, scale);
      const many = await compareAll(sides);
      report(many);
      reportGrowth(few, many);
    }
  } finally {
    for (const stop of stops) {
      await stop();
    }
  }
}

async function createMoneyRequests({ url }: LoadedServer): Promise<string[]> {
  const exchange = exchangeWith(url);
  const references = Array.from({ length: MONEY_REQUESTS }, newReference);
  const queue = [...references];
  const work = async (): Promise<void> => {
    for (let reference = queue.pop(); reference !== undefined; reference = queue.pop()) {
      const { status, text } = await createMoneyRequest(exchange, moneyRequestBody(reference), {
        idempotencyKey: reference,
      });
      if (status !== 201) {
        throw new Error(`A create was answered ${status}: ${text}`);
      }
    }
  };
  await Promise.all(Array.from({ length: 10 }, work));
  return references;
}

/** Has the bare routes answer the product's bytes, and checks that they do. */
async function teachAnswers(
  product: LoadedServer,
  bare: LoadedServer,
  references: readonly string[],
): Promise<void> {
  const [original, copy] = [exchangeWith(product.url), exchangeWith(bare.url)];
  const teach = async (name: string, text: string) => {
    const headers = { 'Content-Type': 'application/json' };
    await copy({ method: 'PUT', path: `/answers/${name}`, headers, body: JSON.stringify({ text }) });
  };
  await teach('create', (await createMoneyRequest(original, moneyRequestBody(newReference()))).text);
  for (const reference of references) {
    const { text } = await lookUp(original, reference);
    await teach(reference, text);
    const answer = await lookUp(copy, reference);
    if (answer.status !== 200 || answer.text !== text) {
      throw new Error(`The bare route answers other bytes: ${answer.status} ${answer.text}`);
    }
  }
}

async function compareAll(sides: Sides): Promise<Comparison[]> {
  const comparisons: Comparison[] = [];
  for (const call of callsTo(sides.references)) {
    for (const connections of CONNECTIONS) {
      comparisons.push(await compare(sides, call, connections));
    }
  }
  return comparisons;
}

function callsTo(references: readonly string[]): Call[] {
  const headers = { 'X-API-Key': KEYS.acme };
  let turn = 0;
  return [
    {
      name: 'GET /v1/request-money/{ref}',
      goal: 0.75,
      next: () => {
        turn += 1;
        return { method: 'GET', path: `/v1/request-money/${references[turn % references.length]}`, headers };
      },
    },
    {
      name: `POST /v1/request-money, of ${USERS} users`,
      goal: 0.65,
      next: () => {
        turn += 1;
        return createOf(`bench-${turn % USERS}`);
      },
    },
    // Transactions of one user take turns in the product, for each checks that the user is not blocked.
    { name: 'POST /v1/request-money, of one user', goal: 0.65, next: () => createOf('u-77') },
  ];
}

function createOf(userReferenceId: string): ReturnType<Load['next']> {
  const reference = newReference();
  const { requestData } = moneyRequestBody(reference);
  const changes = { requestData: { ...requestData, userReferenceId } };
  return {
    method: 'POST',
    path: '/v1/request-money',
    headers: {
      'X-API-Key': KEYS.acme,
      'Content-Type': 'application/json',
      'Idempotency-Key': `key-${reference}`,
    },
    body: JSON.stringify(moneyRequestBody(reference, changes)),
  };
}

async function compare(
  { product, bare, connection }: Sides,
  call: Call,
  connections: number,
): Promise<Comparison> {
  const load = (server: LoadedServer, seconds: number) =>
    costed(server, connection, { ...call, connections, seconds });
  await load(product, WARM_UP_SECONDS);
  await load(bare, WARM_UP_SECONDS);
  const rounds = await inTurns([product, bare], ROUNDS, (server) => load(server, SECONDS));
  return { call, connections, product: rounds.get(product) ?? [], bare: rounds.get(bare) ?? [] };
}

async function costed(
  { url, processorMs }: LoadedServer,
  connection: Connection,
  load: Omit<Load, 'url'>,
): Promise<CostedRound> {
  const readCost = createCostReader(connection, processorMs);
  const before = await readCost();
  const round = await run({ ...load, url });
  return { ...round, cost: perCall(costOf(before, await readCost()), round.latencies.length) };
}

function report(comparisons: readonly Comparison[]): void {
  const header = [
    ...['call', 'connections', 'side', 'requests/s', 'p50 ms', 'p99 ms', ...COST_TITLES],
    ...['ratio (of rounds)', 'goal', ''],
  ];
  const rows = comparisons.flatMap(({ call, connections, product, bare }) => {
    const ratio = ratioOf(product.map(perSecond), bare.map(perSecond));
    const judged = [describeRatio(ratio), call.goal.toFixed(2), judge.verdict(ratio.median >= call.goal)];
    return [
      [call.name, String(connections), 'product', ...figures(product), ...judged],
      ['', '', 'bare', ...figures(bare), '', '', ''],
    ];
  });
  table(header, rows, 3);
}

/** Quotes of the product: no route of a document makes them, so there is no bare one. */
async function measureQuotes({ product, connection }: Sides): Promise<void> {
  const body = JSON.stringify({ destinationCountry: 'MX', amount: 1_500.5, currency: 'MXN' });
  const headers = { 'X-API-Key': KEYS.acme, 'Content-Type': 'application/json' };
  const next: Load['next'] = () => ({ method: 'POST', path: '/v1/quotes', headers, body });
  const rows: string[][] = [];
  for (const connections of QUOTE_CONNECTIONS) {
    await costed(product, connection, { next, connections, seconds: WARM_UP_SECONDS });
    const round = await costed(product, connection, { next, connections, seconds: ROUNDS * SECONDS });
    const p95 = percentile(round.latencies, 0.95);
    rows.push([
      ...['POST /v1/quotes', String(connections), ...figures([round]), p95.toFixed(1)],
      ...[String(QUOTE_P95_GOAL), judge.verdict(p95 <= QUOTE_P95_GOAL)],
    ]);
  }
  say('');
  const header = ['call', 'connections', 'requests/s', 'p50 ms', 'p99 ms', ...COST_TITLES];
  table([...header, 'p95 ms', 'goal', ''], rows, 2);
}

function reportGrowth(few: readonly Comparison[], many: readonly Comparison[]): void {
  say(`\nGrowth of the p50 from few money requests to many (goal for lookups ${GROWTH_GOAL}):`);
  for (const [index, { call, connections, ...before }] of few.entries()) {
    const after = many[index];
    const growth = (side: 'product' | 'bare') => (half(after?.[side] ?? []) / half(before[side])).toFixed(2);
    say(`${call.name}, ${connections} connections: product ${growth('product')}, bare ${growth('bare')}`);
  }
}

function half(rounds: readonly Round[]): number {
  return percentile(
    rounds.flatMap((round) => [...round.latencies]),
    0.5,
  );
}

const perSecond = (round: Round) => round.perSecond;

function figures(rounds: readonly CostedRound[]): string[] {
  const latencies = rounds.flatMap((round) => [...round.latencies]);
  return [
    Math.round(median(rounds.map(perSecond))).toString(),
    percentile(latencies, 0.5).toFixed(1),
    percentile(latencies, 0.99).toFixed(1),
    ...(['commands', 'processMs', 'storeMs'] as const).map((of) =>
      median(rounds.map(({ cost }) => cost[of])).toFixed(2),
    ),
  ];
}

await main();
