import { parseArgs } from 'node:util';
import { exchangeWith } from '../support/http.ts';
import { createMoneyRequest, lookUp, moneyRequestBody, newReference } from '../support/money-requests.ts';
import { KEYS } from '../support/seed.ts';
import { fillMoneyRequests } from './fill.ts';
import { type Load, median, percentile, type Round, run } from './load.ts';
import { type LoadedServer, startLoaded } from './processes.ts';
import { type Stand, say, table, withStand } from './stand.ts';

const ASKS = 500;
const ROUNDS = 4;
const SECONDS = 4;
const WARM_UP_SECONDS = 2;
const CONNECTIONS = [10, 50];
const GOAL = 0.6;
/** How much slower half of the lookups may be among many asks than among few. */
const GROWTH_GOAL = 1.3;

/** One line of the table: the same load on both sides. */
interface Comparison {
  readonly call: string;
  readonly connections: number;
  readonly product: readonly Round[];
  readonly bare: readonly Round[];
}

interface Sides {
  readonly product: LoadedServer;
  readonly bare: LoadedServer;
  readonly references: readonly string[];
}

const { values: options } = parseArgs({ options: { scale: { type: 'string' } } });

/** `npm run bench:rest [-- --scale ASKS]`: the REST surface beside bare Fastify routes on the same store, rounds taken in turn. */
async function main(): Promise<void> {
  await withStand(async (stand) => {
    say(
      `Each figure: ${ROUNDS} rounds of ${SECONDS} s a side, product and bare in turn; all over loopback.\n`,
    );
    await compareOn(stand);
  });
}

async function compareOn(stand: Stand): Promise<void> {
  const [asks, copies] = [stand.database(), stand.database()];
  // Deliveries are stored, as in every create, but not sent: the partner's receiver would be measured with it.
  const unsent = { WEBHOOK_NUDGE: 'false', WEBHOOK_SWEEP_SECONDS: '3600' };
  const env = stand.productEnv(asks, 'https://receiver.test', unsent);
  const product = await startLoaded('dist/bin/server.js', env, '/health/ready');
  const stops = [product.stop];
  try {
    const references = await createMoneyRequests(product);
    const bareEnv = { BARE_URI: asks.uri, BARE_COPIES: copies.name };
    const bare = await startLoaded('dist/test/bench/bare-server.js', bareEnv, '/');
    stops.push(bare.stop);
    await teachAnswers(product, bare, references);
    const few = await compareAll({ product, bare, references });
    report(few);
    if (options.scale !== undefined) {
      const scale = Number(options.scale);
      say(`\nFilling up to ${scale.toLocaleString('en')} asks on both sides ...`);
      await fillMoneyRequests(asks.connection, scale);
      await fillMoneyRequests(copies.connection, scale);
      const many = await compareAll({ product, bare, references });
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
  const references = Array.from({ length: ASKS }, newReference);
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
  const [ask, copy] = [exchangeWith(product.url), exchangeWith(bare.url)];
  const teach = async (name: string, text: string) => {
    const headers = { 'Content-Type': 'application/json' };
    await copy({ method: 'PUT', path: `/answers/${name}`, headers, body: JSON.stringify({ text }) });
  };
  await teach('create', (await createMoneyRequest(ask, moneyRequestBody(newReference()))).text);
  for (const reference of references) {
    const { text } = await lookUp(ask, reference);
    await teach(reference, text);
    const answer = await lookUp(copy, reference);
    if (answer.status !== 200 || answer.text !== text) {
      throw new Error(`The bare route answers other bytes: ${answer.status} ${answer.text}`);
    }
  }
}

async function compareAll(sides: Sides): Promise<Comparison[]> {
  const comparisons: Comparison[] = [];
  for (const [call, next] of Object.entries(callsTo(sides.references))) {
    for (const connections of CONNECTIONS) {
      comparisons.push(await compare(sides, call, connections, next));
    }
  }
  return comparisons;
}

function callsTo(references: readonly string[]): Record<string, Load['next']> {
  const headers = { 'X-API-Key': KEYS.acme };
  let turn = 0;
  return {
    'GET /v1/request-money/{ref}': () => {
      turn += 1;
      return { method: 'GET', path: `/v1/request-money/${references[turn % references.length]}`, headers };
    },
    'POST /v1/request-money': () => {
      const reference = newReference();
      return {
        method: 'POST',
        path: '/v1/request-money',
        headers: { ...headers, 'Content-Type': 'application/json', 'Idempotency-Key': `key-${reference}` },
        body: JSON.stringify(moneyRequestBody(reference)),
      };
    },
  };
}

async function compare(
  { product, bare }: Sides,
  call: string,
  connections: number,
  next: Load['next'],
): Promise<Comparison> {
  const load = (url: string, seconds: number) => run({ url, connections, seconds, next });
  await load(product.url, WARM_UP_SECONDS);
  await load(bare.url, WARM_UP_SECONDS);
  const rounds: { product: Round[]; bare: Round[] } = { product: [], bare: [] };
  for (let round = 0; round < ROUNDS; round += 1) {
    rounds.product.push(await load(product.url, SECONDS));
    rounds.bare.push(await load(bare.url, SECONDS));
  }
  return { call, connections, ...rounds };
}

function report(comparisons: readonly Comparison[]): void {
  const header = ['call', 'connections', 'side', 'requests/s', 'p50 ms', 'p99 ms', 'ratio', `goal ${GOAL}`];
  const rows = comparisons.flatMap(({ call, connections, product, bare }) => {
    const ratio = median(product.map(perSecond)) / median(bare.map(perSecond));
    const verdict = ratio >= GOAL ? 'met' : 'missed';
    return [
      [call, String(connections), 'product', ...figures(product), ratio.toFixed(2), verdict],
      ['', '', 'bare', ...figures(bare), '', ''],
    ];
  });
  table(header, rows, 3);
}

function reportGrowth(few: readonly Comparison[], many: readonly Comparison[]): void {
  say(`\nGrowth of the p50 from few asks to many (goal for lookups ${GROWTH_GOAL}):`);
  for (const [index, { call, connections, ...before }] of few.entries()) {
    const after = many[index];
    const growth = (side: 'product' | 'bare') => (half(after?.[side] ?? []) / half(before[side])).toFixed(2);
    say(`${call}, ${connections} connections: product ${growth('product')}, bare ${growth('bare')}`);
  }
}

function half(rounds: readonly Round[]): number {
  return percentile(
    rounds.flatMap((round) => [...round.latencies]),
    0.5,
  );
}

const perSecond = (round: Round) => round.perSecond;

function figures(rounds: readonly Round[]): string[] {
  const latencies = rounds.flatMap((round) => [...round.latencies]);
  return [
    Math.round(median(rounds.map(perSecond))).toString(),
    percentile(latencies, 0.5).toFixed(1),
    percentile(latencies, 0.99).toFixed(1),
  ];
}

await main();
