import type { Sharding } from '../../subgraphs/kernel/database/shard-keys.ts';
import { readTable, writeTable } from './marked-table.ts';
import type { Statement } from './shard-routing.ts';

const FILE = 'subgraphs/kernel/database/SHARDING.md';

/** A kind of statement as the table has it, with the reason why it reaches every shard. */
interface Listed extends Statement {
  readonly why: string;
}

/** The tables of statements on sharded collections: those of calls and jobs, and those of jobs alone that name a key or an account. */
type Table = 'statements' | 'jobs';

export function readStatements(table: Table = 'statements'): readonly Listed[] {
  return readTable(FILE, table).map(([collection = '', command = '', filter = '', reach = '', why = '']) => ({
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
  const cells = rows
    .sort((one, other) => (one.text < other.text ? -1 : 1))
    .map(({ row: { collection, command, filter, reach }, text }) => {
      const why = reach === 'every shard' ? (reasons.get(text) ?? '?') : '';
      return [collection, command, `\`${filter}\``, reach, why];
    });
  writeTable(FILE, table, ['Collection', 'Command', 'Filter', 'Reaches', 'Why every shard'], cells);
}

/** The rows of the table of shard keys, as the models declare them. */
export function keysOf(sharding: readonly Sharding[]): string[][] {
  return sharding.map(({ collection, key, why }) => [
    `\`${collection}\``,
    key === undefined ? 'stays whole' : key.map((field) => `\`${field}\``).join(', '),
    why,
  ]);
}

export function readKeys(): string[][] {
  return readTable(FILE, 'keys');
}

export function writeKeys(sharding: readonly Sharding[]): void {
  writeTable(FILE, 'keys', ['Collection', 'Shard key', 'Why'], keysOf(sharding));
}

export function textOf({ collection, command, filter }: Statement): string {
  return `${collection} ${command} ${filter}`;
}
