import type { Connection } from 'mongoose';
import { onQuery } from './command-queries.ts';
import { addServed, isWriting, rowName, rowOf, type ServedQuery } from './index-table.ts';
import { BOUNDS } from './query-bounds.ts';
import { type DeclaredIndex, judge, type StoreQuery } from './query-planner.ts';
import { describeFilter } from './shard-routing.ts';

export type { StoreQuery } from './query-planner.ts';

/** The indexes that models declare, by collection. */
type DeclaredIndexes = ReadonlyMap<string, readonly DeclaredIndex[]>;

/** Records the queries that the connection sends from now on. It must have been opened with `monitorCommands`. */
export function recordQueries(connection: Connection): readonly StoreQuery[] {
  const queries: StoreQuery[] = [];
  onQuery(connection, (query) => queries.push(query));
  return queries;
}

/** The indexes that the connection's models declare. */
export function declaredIndexes({ models }: Connection): DeclaredIndexes {
  return new Map(
    Object.values(models).map((model) => [
      model.collection.name,
      model.schema.indexes() as unknown as readonly DeclaredIndex[],
    ]),
  );
}

/**
 * Looks for queries that no index serves of those on collections that the connection's models declare. `INDEXES=write` adds the
 * others to the table of queries.
 * @returns a line for each kind of query
 */
export function findUnserved(connection: Connection, queries: readonly StoreQuery[]): string[] {
  const judgement = createJudgement(declaredIndexes(connection));
  for (const query of queries) {
    judgement.add(query);
  }
  if (isWriting) {
    addServed(judgement.served.values());
  }
  return [...judgement.unserved];
}

/** Kinds of queries with the indexes that serve them, and lines about those that no index serves. */
export interface Judgement {
  readonly served: ReadonlyMap<string, ServedQuery>;
  readonly unserved: ReadonlySet<string>;
}

/** Judges queries one by one; those on collections that are not declared are left out. */
export function createJudgement(declared: DeclaredIndexes): Judgement & { add(query: StoreQuery): void } {
  const served = new Map<string, ServedQuery>();
  const unserved = new Set<string>();
  const add = (query: StoreQuery) => {
    const { collection, method, filter } = query;
    const indexes = declared.get(collection);
    const verdict = indexes && judge(query, indexes, BOUNDS[collection] ?? []);
    if (verdict && 'unserved' in verdict) {
      unserved.add(`${collection} ${method} ${describeFilter(filter)}: ${verdict.unserved}`);
    } else if (verdict) {
      const row = rowOf(query, verdict);
      served.set(rowName(row), row);
    }
  };
  return { served, unserved, add };
}
