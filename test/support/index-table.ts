import { readTable, writeTable } from './marked-table.ts';
import type { Served, StoreQuery } from './query-planner.ts';
import { describeFilter } from './shard-routing.ts';

const FILE = 'subgraphs/kernel/database/INDEXES.md';
/** Whether this run adds the queries that it judges to the table. */
export const isWriting = process.env.INDEXES === 'write';
const TABLE = 'queries';

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
  return {
    ...served,
    collection,
    command: isLimited && /^(find|aggregate)$/.test(method) ? `${method}, limited` : method,
    filter: describeFilter(filter),
    sort: sort.map(([field, direction]) => `${field} ${direction}`).join(', '),
  };
}

export function rowName({ collection, command, filter, sort, index }: ServedQuery): string {
  return [collection, command, filter, sort, index].join(' | ');
}

/** The table of queries. */
export function readServed(): ServedQuery[] {
  return readTable(FILE, TABLE).map((cells) => {
    const texts = cells.map((cell) => cell.replaceAll('`', ''));
    const [collection = '', command = '', filter = '', sort = '', index = '', remark = ''] = texts;
    return { collection, command, filter, sort, index, remark };
  });
}

/** Adds queries to the table. To drop those that are sent no more, empty it first. */
export function addServed(added: Iterable<ServedQuery>): void {
  const code = (text: string) => (text === '' ? '' : `\`${text}\``);
  const rows = new Map([...readServed(), ...added].map((row) => [rowName(row), row]));
  writeTable(
    FILE,
    TABLE,
    ['Collection', 'Command', 'Filter', 'Sort', 'Index', 'Remark'],
    [...rows]
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([, { collection, command, filter, sort, index, remark }]) => [
        ...[collection, command, code(filter), code(sort), code(index), remark],
      ]),
  );
}
