import mongoose, { type Connection } from 'mongoose';
import { createModels } from '../../gateway/app/models.ts';
import { onQuery } from './command-queries.ts';
import { monitored } from './count-commands.ts';
import { addServed, isWriting, readServed, rowName } from './index-table.ts';
import { type DeclaredIndex, nameOf } from './query-planner.ts';
import { createJudgement, declaredIndexes, type Judgement } from './query-shapes.ts';

/** The indexes of all models of the product, by collection. */
export function productIndexes(): ReadonlyMap<string, readonly DeclaredIndex[]> {
  const connection = mongoose.createConnection();
  createModels(connection);
  return declaredIndexes(connection);
}

/** Judges each query that the connection sends from now on. It must have been opened with `monitorCommands`. */
export function recordServed(connection: Connection): Judgement {
  const judgement = createJudgement(productIndexes());
  onQuery(connection, judgement.add);
  return judgement;
}

/**
 * Compares what was sent with the table; `INDEXES=write` adds to the table first.
 * @returns queries that no index serves, and those that the table has not with this index
 */
export function findDrift({ served, unserved }: Judgement): string[] {
  if (isWriting) {
    addServed(served.values());
  }
  const listed = new Set(readServed().map(rowName));
  return [...[...unserved].sort(), ...[...served.keys()].filter((name) => !listed.has(name)).sort()];
}

/** Indexes that no query of the table uses, such as `links: accountId, url`; unique ones and those that expire are kept. */
export function unusedIndexes(): string[] {
  const used = new Set(
    readServed().flatMap(({ collection, index }) => index.split('; ').map((one) => `${collection}: ${one}`)),
  );
  return [...productIndexes()].flatMap(([collection, indexes]) =>
    indexes
      .filter(([, options]) => options.unique !== true && !('expireAfterSeconds' in options))
      .map(([keys]) => `${collection}: ${nameOf(keys)}`)
      .filter((name) => !used.has(name)),
  );
}

/** `INDEXES=check` judges the queries of every server that a test runs in its process; `write` also adds them to the table. */
const isJudging = process.env.INDEXES !== undefined;
const recordings: Judgement[] = [];

/** The URI for a server whose queries are judged; by default as it was. */
export function judgedUri(uri: string): string {
  return isJudging ? monitored(uri) : uri;
}

/** Judges the queries of a server's connection, where this run does that. */
export function judgeServer(connection: Connection): void {
  if (isJudging) {
    recordings.push(recordServed(connection));
  }
}

/** Ends the judgement of the servers so far. @throws for queries that no index serves */
export function settleJudgements(): void {
  const ended = recordings.splice(0);
  if (isWriting) {
    addServed(ended.flatMap(({ served }) => [...served.values()]));
  }
  const unserved = new Set(ended.flatMap((one) => [...one.unserved]));
  if (unserved.size > 0) {
    throw new Error(`Queries without an index:\n${[...unserved].sort().join('\n')}`);
  }
}
