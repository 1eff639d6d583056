import type { LoadedServer } from '../processes.ts';
import { say, table } from './report.ts';
import { sendDocument } from './requests.ts';

const GOAL_MS = 50;
const TIMES = 5;

/** Documents that must be refused, each with something that makes it another one every time. */
const HOSTILE: Readonly<Record<string, (n: number) => string>> = {
  'syntax fault': (n) => `{ operations(first: ${n} { id`,
  'unknown field': (n) => `{ operations(first: 1) { nothing${n} } }`,
  '5,000 fields': (n) => `{ operations(first: ${n}) { ${'id '.repeat(5_000)} } }`,
  '600 aliases': (n) => `{ ${series(600, (i) => `a${n}x${i}: __typename`)} }`,
  '60 levels that fit together': (n) =>
    `{ operations(first: ${n}) { ${nested(15, 'user { links { moneyRequests { operation {', 4)} } }`,
  '400 levels of fields': (n) => `{ ${nested(400, `a${n} {`, 1)} }`,
  '100,000 braces': (n) => `# ${n}\n${'{'.repeat(100_000)}`,
  '100,000 brackets': (n) => `{ operations(first: ${n} x: ${'['.repeat(100_000)}) { id } }`,
  'fragments doubling 60 times': (n) =>
    `{ ...F0 } ${series(60, doubling(n))} fragment F60 on Query { __typename }`,
  'fragments in a circle': (n) =>
    `{ ...A${n} } fragment A${n} on Query { ...B } fragment B on Query { ...A${n} }`,
  '300 fields to compare': (n) => `{ operations(first: ${n}) { ${'user { id } '.repeat(300)} nothing } }`,
  '300 directives': (n) => `{ operations(first: ${n}) { id ${'@include(if: true) '.repeat(300)} } }`,
  '300 operations': (n) => series(300, (i) => `query Q${n}x${i} { __typename }`),
  introspection: (n) => `query Q${n} { __schema { types { name fields { name } } } }`,
  'a string of 900 kB': (n) => `{ operations(first: "${n}${'x'.repeat(900_000)}") { id } }`,
  '900 kB of commas': (n) => `{ nothing${n} ${','.repeat(900_000)} }`,
  'a body of 2 MiB': (n) => `# ${n}${'x'.repeat(2 * 1024 * 1024)}`,
};

function series(count: number, make: (index: number) => string): string {
  return Array.from({ length: count }, (_, index) => make(index)).join(' ');
}

function nested(count: number, opening: string, levels: number): string {
  return `${opening.repeat(count)}id${'}'.repeat(count * levels)}`;
}

function doubling(n: number): (index: number) => string {
  return (index) => `fragment F${index} on Query { ...F${index + 1} a${n}: __typename ...F${index + 1} }`;
}

interface Refusal {
  readonly failed: boolean;
  /** Longest of some tries, the first included. */
  readonly ms: number;
  readonly code: string;
}

async function provoke(server: LoadedServer, make: (n: number) => string): Promise<Refusal> {
  let ms = 0;
  let code = '';
  let failed = true;
  for (let turn = 1; turn <= TIMES; turn += 1) {
    const answer = await sendDocument(server, JSON.stringify({ query: make(turn) }));
    const { data, errors } = JSON.parse(answer.text);
    ms = Math.max(ms, answer.ms);
    code = errors?.[0]?.extensions?.code ?? '';
    failed &&= errors?.length > 0 && !data;
  }
  return { failed, ms, code };
}

/** Sends hostile documents to an idle server, and reports how soon each was refused. */
export async function reportHostile(server: LoadedServer): Promise<void> {
  say(`Hostile documents, longest of ${TIMES} tries each; goal: refused within ${GOAL_MS} ms`);
  say();
  const rows: string[][] = [];
  for (const [name, make] of Object.entries(HOSTILE)) {
    const { failed, ms, code } = await provoke(server, make);
    rows.push([name, code, ms.toFixed(1), failed && ms < GOAL_MS ? 'met' : 'missed']);
  }
  table(['document', 'refused with', 'ms', 'goal'], rows);
}
