import { run } from '../load.ts';
import type { LoadedServer } from '../processes.ts';
import { QUERY_NAMES } from './queries.ts';
import { say, table } from './report.ts';
import { requestsFor, sendDocument } from './requests.ts';

const LIMIT_MIB = 250;
/** Flat: the highest of the last samples is at most this much above the highest of as many before them. */
const FLAT = 1.1;
const COMPARED = 3;
const CONNECTIONS = 20;
const SAMPLES = 10;
const OPERATIONS = 10_000;
const FIELDS = ['id', 'status', 'amount', 'currency'];

/** Prints what the engine's process holds after many distinct operations, and, for some minutes, under load. */
export async function reportMemory(server: LoadedServer, minutes: number): Promise<void> {
  if (minutes > 0) {
    const samples = await sampleUnderLoad(server, minutes);
    const isSmall = Math.max(...samples) <= LIMIT_MIB;
    const title = `RSS in MiB under load over ${minutes} minutes, both queries, ${CONNECTIONS} connections`;
    reportSamples(title, samples, [[`at most ${LIMIT_MIB}`, isSmall]]);
  }
  reportSamples(
    `RSS in MiB after each tenth of ${OPERATIONS} distinct operations`,
    await sampleDistinct(server),
  );
}

function reportSamples(
  title: string,
  samples: readonly number[],
  goals: readonly (readonly [string, boolean])[] = [],
): void {
  const isFlat =
    Math.max(...samples.slice(-COMPARED)) <= Math.max(...samples.slice(-2 * COMPARED, -COMPARED)) * FLAT;
  const judged = [...goals, ['flat', isFlat] as const];
  say(title);
  say();
  table(
    [...samples.map((_, index) => `${index + 1}/${SAMPLES}`), ...judged.map(([goal]) => goal)],
    [[...samples.map((value) => value.toFixed(0)), ...judged.map(([, isMet]) => (isMet ? 'met' : 'missed'))]],
  );
}

async function sampleUnderLoad(server: LoadedServer, minutes: number): Promise<number[]> {
  const makers = QUERY_NAMES.map(requestsFor);
  let turn = 0;
  const next = () => {
    turn += 1;
    return (makers[turn % makers.length] as (typeof makers)[number])();
  };
  const samples: number[] = [];
  const seconds = (minutes * 60) / SAMPLES;
  for (let sample = 0; sample < SAMPLES; sample += 1) {
    await run({ url: server.url, connections: CONNECTIONS, seconds, next });
    samples.push(server.residentMiB());
  }
  return samples;
}

async function sampleDistinct(server: LoadedServer): Promise<number[]> {
  const samples: number[] = [];
  for (let sample = 0; sample < SAMPLES; sample += 1) {
    for (let turn = 0; turn < OPERATIONS / SAMPLES; turn += 1) {
      const query = distinct(sample * (OPERATIONS / SAMPLES) + turn);
      const { text } = await sendDocument(server, JSON.stringify({ query }));
      if (text.includes('"errors"')) {
        throw new Error(`A distinct operation was refused: ${text.slice(0, 300)}`);
      }
    }
    samples.push(server.residentMiB());
  }
  return samples;
}

/** No two have the same text or the same fields. */
function distinct(number: number): string {
  const field = FIELDS[number % FIELDS.length];
  return `query Q${number} { operations(first: ${1 + (number % 20)}) {
    id a${number}: ${field}
    user { id b${number}: firstName links { id status c${number}: lastUsedAt } }
  } }`;
}
