import { inTurns } from '../compare.ts';
import { median, percentile, type Round, run } from '../load.ts';
import type { ContestantId } from './contestants.ts';
import type { Running } from './line-up.ts';
import { QUERY_NAMES, type QueryName } from './queries.ts';
import { requestsFor } from './requests.ts';

const CONNECTIONS = [20, 50];
export const ROUNDS = 3;
export const SECONDS = 4;
const WARM_UP_SECONDS = 2;

/** One contestant under one load. */
interface Figures {
  readonly id: ContestantId;
  readonly name: string;
  /** Requests, median of the rounds. */
  readonly perSecond: number;
  /** Of all answers, milliseconds. */
  readonly p50: number;
  readonly p99: number;
  /** Processor time of the contestant's own process for each answer: what the rest of the machine does shows least here. */
  readonly processorMicros: number;
  /** Requests a second of each round. */
  readonly rounds: readonly number[];
  /** After the last round. */
  readonly residentMiB: number;
}

/** One query at one number of connections. */
export interface Comparison {
  readonly query: QueryName;
  readonly connections: number;
  readonly figures: readonly Figures[];
}

/** Puts every contestant under every load, rounds taken in turn, so that all share in the noise. */
export async function measureAll(running: readonly Running[]): Promise<Comparison[]> {
  const comparisons: Comparison[] = [];
  for (const query of QUERY_NAMES) {
    for (const connections of CONNECTIONS) {
      comparisons.push(await measure(running, query, connections));
    }
  }
  return comparisons;
}

async function measure(
  running: readonly Running[],
  query: QueryName,
  connections: number,
): Promise<Comparison> {
  const next = requestsFor(query);
  const load = ({ server }: Running, seconds: number) => run({ url: server.url, connections, seconds, next });
  for (const one of running) {
    await load(one, WARM_UP_SECONDS);
  }
  const measured = await inTurns(running, ROUNDS, async (one): Promise<Measured> => {
    const before = one.server.processorMs();
    const round = await load(one, SECONDS);
    return { ...round, processorMs: one.server.processorMs() - before };
  });
  const figures = running.map((one) => figuresOf(one, measured.get(one) ?? []));
  return { query, connections, figures };
}

interface Measured extends Round {
  readonly processorMs: number;
}

function figuresOf({ contestant, server }: Running, rounds: readonly Measured[]): Figures {
  const processorMs = rounds.reduce((sum, round) => sum + round.processorMs, 0);
  const perSecond = rounds.map((round) => round.perSecond);
  const latencies = rounds.flatMap((round) => [...round.latencies]);
  return {
    id: contestant.id,
    name: contestant.name,
    perSecond: median(perSecond),
    rounds: perSecond,
    p50: percentile(latencies, 0.5),
    p99: percentile(latencies, 0.99),
    processorMicros: (processorMs * 1_000) / latencies.length,
    residentMiB: server.residentMiB(),
  };
}
