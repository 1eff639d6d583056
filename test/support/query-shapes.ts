import type { Connection, mongo } from 'mongoose';
import { fieldsOf, type QueryShape, shapeOfStages, sortOf } from './command-queries.ts';
import { addServed, isWriting, rowOf, type ServedQuery } from './index-table.ts';
import { BOUNDS } from './query-bounds.ts';
import { type DeclaredIndex, judge, type StoreQuery, type Verdict } from './query-planner.ts';

export type { StoreQuery } from './query-planner.ts';

const FILTERED = new Set([
  'find',
  'findOne',
  'findOneAndUpdate',
  'findOneAndDelete',
  'findOneAndReplace',
  'updateOne',
  'updateMany',
  'deleteOne',
  'deleteMany',
  'countDocuments',
  'distinct',
  'replaceOne',
]);

/** Methods that stop at the first document. */
const OF_ONE = new Set([
  'findOne',
  'findOneAndUpdate',
  'findOneAndDelete',
  'findOneAndReplace',
  'updateOne',
  'deleteOne',
  'replaceOne',
]);

type Document = Readonly<Record<string, unknown>>;

/** Records the queries of the connection's collections from now on. */
export function recordQueries(connection: Connection): readonly StoreQuery[] {
  const queries: StoreQuery[] = [];
  connection.set('debug', (collection: string, method: string, ...args: unknown[]) => {
    queries.push(...queriesOf(method, args).map((query) => ({ collection, method, ...query })));
  });
  return queries;
}

function queriesOf(method: string, args: readonly unknown[]): QueryShape[] {
  if (method === 'aggregate') {
    return [shapeOfStages(args[0] as readonly mongo.Document[])];
  }
  if (method === 'bulkWrite') {
    const writes = args[0] as readonly Readonly<Record<string, { filter?: Document }>>[];
    return writes
      .flatMap((write) => Object.values(write))
      .flatMap(({ filter }) => (filter === undefined ? [] : [{ filter, sort: [] }]));
  }
  if (!FILTERED.has(method)) {
    return [];
  }
  const [first, second] = method === 'distinct' ? args.slice(1) : args;
  const isUpdate = /update|replace/i.test(method);
  const options = (isUpdate ? args[2] : second) as mongo.FindOptions | undefined;
  return [
    {
      filter: (first ?? {}) as Document,
      sort: sortOf(options?.sort as mongo.Document | undefined),
      isLimited: OF_ONE.has(method) || Boolean(options?.limit),
      ...(method === 'countDocuments' ? { fields: [] } : fieldsOf(options?.projection)),
    },
  ];
}

/** The indexes that the connection's models declare, by collection. */
export function declaredIndexes({ models }: Connection): ReadonlyMap<string, readonly DeclaredIndex[]> {
  return new Map(
    Object.values(models).map((model) => [
      model.collection.name,
      model.schema.indexes() as unknown as readonly DeclaredIndex[],
    ]),
  );
}

/**
 * Looks for queries that no index serves of those that the connection's models declare. `INDEXES=write` adds the others to the
 * table of queries.
 * @returns a line for each kind of query
 */
export function findUnserved(connection: Connection, queries: readonly StoreQuery[]): string[] {
  const declared = declaredIndexes(connection);
  const unserved = new Set<string>();
  const served: ServedQuery[] = [];
  for (const query of queries) {
    const verdict = judgeDeclared(query, declared);
    if (verdict && 'unserved' in verdict) {
      unserved.add(`${query.collection}.${query.method}: ${verdict.unserved}`);
    } else if (verdict) {
      served.push(rowOf(query, verdict));
    }
  }
  if (isWriting) {
    addServed(served);
  }
  return [...unserved];
}

/** The verdict on a query of a collection that a model declares; undefined for others. */
export function judgeDeclared(
  query: StoreQuery,
  declared: ReadonlyMap<string, readonly DeclaredIndex[]>,
): Verdict | undefined {
  const indexes = declared.get(query.collection);
  return indexes && judge(query, indexes, BOUNDS[query.collection] ?? []);
}
