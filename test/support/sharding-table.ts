import { readFileSync, writeFileSync } from 'node:fs';
import type { Sharding } from '../../subgraphs/kernel/database/shard-keys.ts';
import type { Statement } from './shard-routing.ts';

const FILE = 'subgraphs/kernel/database/SHARDING.md';

/** A kind of statement as the table has it, with the reason why it reaches every shard. */
export interface Listed extends Statement {
  readonly why: string;
}

/** The tables of statements on sharded collections: those of calls and jobs, and those of jobs alone that name a key or an account. */
type Table = 'statements' | 'jobs';

export function readStatements(table: Table = 'statements'): readonly Listed[] {
  return rowsOf(table).map(([collection = '', command = '', filter = '', reach = '', why = '']) => ({
    collection,
    command,
    filter: filter.replaceAll('`', ''),
    // The cast: the test compares it with what was recorded.
    reach: reach as Statement['reach'],
    why,
  }));
}

/** Writes a table anew, with the reasons that it has, and what reaches every shard without having been recorded this time. */
export function writeStatements(statements: readonly Statement[], table: Table = 'statements'): void {
  const listed = readStatements(table).filter(({ reach }) => reach === 'every shard');
  const reasons = new Map(listed.map((one) => [textOf(one), one.why]));
  const recorded = new Set(statements.map(textOf));
  const rare = listed.filter((one) => !recorded.has(textOf(one)));
  const rows = [...statements, ...rare].map((one) => ({ row: one, text: textOf(one) }));
  const lines = rows
    .sort((one, other) => (one.text < other.text ? -1 : 1))
    .map(({ row: { collection, command, filter, reach }, text }) =>
      cells([
        collection,
        command,
        `\`${filter}\``,
        reach,
        reach === 'every shard' ? (reasons.get(text) ?? '?') : '',
      ]),
    );
  const head = [
    cells(['Collection', 'Command', 'Filter', 'Reaches', 'Why every shard']),
    '|---|---|---|---|---|',
  ];
  write(table, [...head, ...lines]);
}

/** The table of shard keys, as the models declare them. */
export function keysTable(sharding: readonly Sharding[]): string {
  const lines = sharding.map(({ collection, key, why }) =>
    cells([
      `\`${collection}\``,
      key === undefined ? 'stays whole' : key.map((field) => `\`${field}\``).join(', '),
      why,
    ]),
  );
  return ['| Collection | Shard key | Why |', '|---|---|---|', ...lines].join('\n');
}

export function readKeysTable(): string {
  return between('keys').trim();
}

export function writeKeysTable(sharding: readonly Sharding[]): void {
  write('keys', keysTable(sharding).split('\n'));
}

export function textOf({ collection, command, filter }: Statement): string {
  return `${collection} ${command} ${filter}`;
}

function cells(texts: readonly string[]): string {
  return `| ${texts.join(' | ')} |`;
}

function rowsOf(name: string): string[][] {
  return between(name)
    .split('\n')
    .filter((line) => line.startsWith('| '))
    .slice(1)
    .map((line) =>
      line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()),
    );
}

function between(name: string): string {
  const [, rest = ''] = readFileSync(FILE, 'utf8').split(`<!-- ${name} -->`);
  return String(rest.split(`<!-- /${name} -->`)[0]);
}

function write(name: string, lines: readonly string[]): void {
  const [begin, end] = [`<!-- ${name} -->`, `<!-- /${name} -->`];
  const present = `${begin}${between(name)}${end}`;
  const text = readFileSync(FILE, 'utf8').replace(present, () => [begin, ...lines, end].join('\n'));
  writeFileSync(FILE, text);
}
