import { readFileSync, writeFileSync } from 'node:fs';
import type { Served, StoreQuery } from './query-planner.ts';
import { describeFilter } from './shard-routing.ts';

const FILE = 'subgraphs/kernel/database/INDEXES.md';
/** Whether this run adds the queries that it judges to the table. */
export const isWriting = process.env.INDEXES === 'write';
const [BEGIN, END] = ['<!-- queries -->', '<!-- /queries -->'];

/** The commands of the driver's methods. */
const COMMANDS: Readonly<Record<string, string>> = {
  bulkWrite: 'update',
  countDocuments: 'aggregate',
  deleteOne: 'delete',
  findOne: 'find',
  findOneAndDelete: 'findAndModify',
  findOneAndReplace: 'findAndModify',
  findOneAndUpdate: 'findAndModify',
  replaceOne: 'update',
  updateOne: 'update',
};

/** One kind of query, without values, and the index that serves it. */
export interface ServedQuery {
  readonly collection: string;
  /** Such as `find, limited`. */
  readonly command: string;
  /** Such as `accountId, status in, createdAt <>`. */
  readonly filter: string;
  /** Such as `createdAt -1`; empty without any. */
  readonly sort: string;
  /** Its keys; empty where the collection needs none. Several: those of branches. */
  readonly index: string;
  readonly remark: string;
}

/** The row of a query and the index that serves it. */
export function rowOf(query: StoreQuery, served: Served): ServedQuery {
  const { collection, method, filter, sort, isLimited } = query;
  const command = COMMANDS[method] ?? method;
  return {
    ...served,
    collection,
    command: isLimited && /^(find|aggregate)$/.test(command) ? `${command}, limited` : command,
    filter: describeFilter(filter),
    sort: sort.map(([field, direction]) => `${field} ${direction}`).join(', '),
  };
}

export function rowName({ collection, command, filter, sort, index }: ServedQuery): string {
  return [collection, command, filter, sort, index].join(' | ');
}

/** The table of queries. */
export function readServed(): ServedQuery[] {
  return between()
    .split('\n')
    .filter((line) => line.startsWith('| '))
    .slice(1)
    .map((line) => {
      const cells = line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim().replaceAll('`', ''));
      const [collection = '', command = '', filter = '', sort = '', index = '', remark = ''] = cells;
      return { collection, command, filter, sort, index, remark };
    });
}

/** Adds queries to the table. To drop those that are sent no more, empty it first. */
export function addServed(added: Iterable<ServedQuery>): void {
  const rows = new Map([...readServed(), ...added].map((row) => [rowName(row), row]));
  const lines = [...rows]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([, { collection, command, filter, sort, index, remark }]) => {
      const code = (text: string) => (text === '' ? '' : `\`${text}\``);
      return `| ${[collection, command, code(filter), code(sort), code(index), remark].join(' | ')} |`;
    });
  const head = ['| Collection | Command | Filter | Sort | Index | Remark |', '|---|---|---|---|---|---|'];
  const text = readFileSync(FILE, 'utf8');
  writeFileSync(
    FILE,
    text.replace(`${BEGIN}${between()}${END}`, () => [BEGIN, ...head, ...lines, END].join('\n')),
  );
}

function between(): string {
  const [, rest = ''] = readFileSync(FILE, 'utf8').split(BEGIN);
  return String(rest.split(END)[0]);
}
