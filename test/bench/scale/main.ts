import { availableParallelism } from 'node:os';
import { DASHBOARD } from '../../distributed/load.ts';
import { exchangeWith } from '../../support/http.ts';
import { createMoneyRequest, moneyRequestBody, newReference } from '../../support/money-requests.ts';
import { KEYS } from '../../support/seed.ts';
import { type Partner, startPartner } from '../atomic-calls.ts';
import { keepBusy } from '../closed-load.ts';
import { describeRatio, inTurns, judge, ratioOf } from '../compare.ts';
import { median, percentile, run } from '../load.ts';
import { say, table, withStand } from '../stand.ts';
import { type Arrangement, type Arrangements, startArrangements } from './arrangements.ts';
import { type Loaded, type MakeLoad, type Measured, measure } from './measure.ts';

const ROUNDS = 4;
const SECONDS = 4;
const WARM_UP_SECONDS = 2;
/** Calls under way; with two gateways each gets half of them. */
const UNDER_WAY = 16;
/** Of each arrangement, so that a dashboard has something to show. */
const MONEY_REQUESTS = 100;
const USERS = 500;
/** One process more must not cost more than this leaves, even where the machine is full. */
const GOAL = 0.9;

const ROLES = ['all in one', 'gateways', 'subgraphs', 'workers', 'store', 'load'];

interface Call {
  readonly name: string;
  /** Whether workers have a part in it. */
  readonly isWorked: boolean;
  readonly load: MakeLoad;
  /** When its last rounds begin at the latest, from the start of all: the whole takes less than six minutes. */
  readonly lastMs: number;
}

/** `npm run bench:scale`: dashboard, create and atomic call; all in one beside splits with more and more processes, in turn. */
async function main(): Promise<void> {
  const begin = performance.now();
  await withStand(async (stand) => {
    const partner = await startPartner();
    try {
      const arrangements = await startArrangements(stand, partner.url, partner.env);
      try {
        const all = [arrangements.allInOne, ...arrangements.split];
        say(
          `${ROUNDS} rounds of ${SECONDS} s each, ${UNDER_WAY} calls under way, on ${availableParallelism()} processors with store and load.`,
        );
        for (const arrangement of [arrangements.allInOne, arrangements.split[0]]) {
          await fill(arrangement);
        }
        for (const call of callsOf(partner)) {
          const those = call.isWorked ? all : all.slice(0, 3);
          report(call, await measureAll(call, those, begin), arrangements);
        }
      } finally {
        await arrangements.stop();
      }
    } finally {
      await partner.close();
    }
  });
}

async function fill(arrangement: Arrangement | undefined): Promise<void> {
  const [url] = (await arrangement?.open()) ?? [];
  const exchange = exchangeWith(String(url));
  for (let index = 0; index < MONEY_REQUESTS; index += 1) {
    const { status, text } = await createMoneyRequest(exchange, bodyOf(index));
    if (status !== 201) {
      throw new Error(`A create was answered ${status}: ${text}`);
    }
  }
}

function bodyOf(index: number) {
  const reference = newReference();
  const { requestData } = moneyRequestBody(reference);
  return moneyRequestBody(reference, {
    requestData: { ...requestData, userReferenceId: `scale-${index % USERS}` },
  });
}

function callsOf(partner: Partner): Call[] {
  const headers = { 'X-API-Key': KEYS.acme, 'Content-Type': 'application/json' };
  let turn = 0;
  return [
    {
      name: 'dashboard query',
      isWorked: false,
      lastMs: 90_000,
      load: spread(() => ({
        method: 'POST',
        path: '/graphql',
        headers,
        body: JSON.stringify({ query: DASHBOARD }),
      })),
    },
    {
      name: 'create',
      isWorked: false,
      lastMs: 160_000,
      load: spread(() => {
        turn += 1;
        return { method: 'POST', path: '/v1/request-money', headers, body: JSON.stringify(bodyOf(turn)) };
      }),
    },
    {
      name: 'atomic call, to its outcome',
      isWorked: true,
      lastMs: 250_000,
      load: async (urls, seconds) => {
        const latencies: number[] = [];
        let next = 0;
        const start = () => {
          next += 1;
          const from = performance.now();
          const { accepted, done } = partner.call(urls[next % urls.length] ?? urls[0]);
          const ended = done.then(() => void latencies.push(performance.now() - from));
          // The code that awaits `accepted` gets the refusal of a call.
          ended.catch(() => undefined);
          return { accepted, done: ended };
        };
        const { calls, seconds: took } = await keepBusy(start, UNDER_WAY, seconds);
        return { calls, seconds: took, latencies };
      },
    },
  ];
}

/** A load over HTTP, half of the connections to each of two addresses. */
function spread(next: Parameters<typeof run>[0]['next']): MakeLoad {
  return async (urls, seconds): Promise<Loaded> => {
    const connections = UNDER_WAY / urls.length;
    const rounds = await Promise.all(urls.map((url) => run({ url, connections, seconds, next })));
    const latencies = rounds.flatMap((round) => [...round.latencies]);
    const perSecond = rounds.reduce((sum, round) => sum + round.perSecond, 0);
    return { calls: latencies.length, seconds: latencies.length / perSecond, latencies };
  };
}

/** Rounds in turn. When the time is over, every arrangement has as many as the others. */
async function measureAll(
  { load, lastMs }: Call,
  arrangements: readonly Arrangement[],
  begin: number,
): Promise<Map<Arrangement, Measured[]>> {
  for (const arrangement of arrangements) {
    await measure(arrangement, load, WARM_UP_SECONDS);
  }
  const results = new Map<Arrangement, Measured[]>(arrangements.map((one) => [one, []]));
  // Two at a time: one in each direction.
  for (let round = 0; round < ROUNDS; round += 2) {
    if (round > 0 && performance.now() - begin > lastMs) {
      say(`\nThe time is over: ${round} rounds in place of ${ROUNDS}.`);
      break;
    }
    const pair = await inTurns(arrangements, 2, (one) => measure(one, load, SECONDS));
    for (const [arrangement, measured] of pair) {
      results.get(arrangement)?.push(...measured);
    }
  }
  return results;
}

function report(call: Call, results: Map<Arrangement, Measured[]>, { allInOne, split }: Arrangements): void {
  const ratesOf = (arrangement: Arrangement | undefined) =>
    (arrangement && results.get(arrangement))?.map(({ perSecond }) => perSecond) ?? [];
  const [smallest] = split;
  say(`\n${call.name}`);
  const header = [
    ...['arrangement', 'calls/s (of rounds)', 'p50 ms', 'p95 ms', 'to all in one', 'to the smallest split'],
    ...[`goal ${GOAL}`, 'commands a call', ...ROLES.map((role) => `${role} ms`)],
  ];
  const rows = [...results].map(([arrangement, rounds]) => {
    const rates = ratesOf(arrangement);
    const latencies = rounds.flatMap((round) => [...round.latencies]);
    const grown = ratioOf(rates, ratesOf(smallest));
    const isGrown = arrangement !== allInOne && arrangement !== smallest;
    return [
      arrangement.name,
      `${median(rates).toFixed(0)} (${Math.min(...rates).toFixed(0)} to ${Math.max(...rates).toFixed(0)})`,
      ...[0.5, 0.95].map((part) => percentile(latencies, part).toFixed(1)),
      arrangement === allInOne ? '' : describeRatio(ratioOf(rates, ratesOf(allInOne))),
      ...(isGrown ? [describeRatio(grown), judge.verdict(grown.median >= GOAL)] : ['', '']),
      median(rounds.map(({ commands }) => commands)).toFixed(1),
      ...ROLES.map((role) => describeMs(rounds.map(({ ms }) => ms.get(role)))),
    ];
  });
  table(header, rows, 1);
  const doubt = judge.verdict(true);
  say(`What limits it${doubt === 'met' ? '' : ` (${doubt})`}:`);
  for (const [{ name }, rounds] of results) {
    say(`  ${name}: ${rounds.map(({ limit }) => limit).at(middleOf(rounds))}`);
  }
}

/** The round with the median rate: its limit stands for all. */
function middleOf(rounds: readonly Measured[]): number {
  const rates = rounds.map(({ perSecond }) => perSecond);
  return rates.indexOf(median(rates));
}

function describeMs(values: readonly (number | undefined)[]): string {
  const known = values.filter((one) => one !== undefined);
  return known.length === 0 ? '' : median(known).toFixed(1);
}

await main();
