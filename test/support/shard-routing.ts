import mongoose, { type Connection } from 'mongoose';
import { createModels } from '../../gateway/app/models.ts';
import { shardingOf } from '../../subgraphs/kernel/database/shard-keys.ts';
import { onQuery } from './command-queries.ts';
import { type Filter, flatten, operatorsOf } from './query-conditions.ts';

/** The shards that a statement reaches on a sharded cluster. */
type Reach =
  /** Names the whole shard key: one chunk. */
  | 'one key'
  /** Names the first field of the shard key: the shards of one account; one, until that account is divided. */
  | 'one account'
  /** Names neither: every shard that has a chunk of the collection. */
  | 'every shard'
  /** The collection is not sharded: the shard where it is. */
  | 'one place';

/** One kind of statement: its collection, its command and the fields of its filter, without values. */
export interface Statement {
  readonly collection: string;
  readonly command: string;
  /** Such as `accountId, status in, createdAt <>`; fields without a mark are equal to a value. */
  readonly filter: string;
  readonly reach: Reach;
}

/** The shard key of each collection; undefined when it is not sharded. */
type ShardKeys = ReadonlyMap<string, readonly string[] | undefined>;

/** The shard keys that the product's models declare. */
export function declaredShardKeys(): ShardKeys {
  const connection = mongoose.createConnection();
  createModels(connection);
  return new Map(shardingOf(connection).map(({ collection, key }) => [collection, key]));
}

/** Notes each kind of statement that the connection sends from now on. @returns the notes, by their text */
export function recordStatements(connection: Connection, keys: ShardKeys): ReadonlyMap<string, Statement> {
  const noted = new Map<string, Statement>();
  onQuery(connection, ({ collection, method: command, filter }) => {
    const key = keys.get(collection);
    const reach = key === undefined ? 'one place' : reachOf(filter, key);
    const statement = { collection, command, filter: describeFilter(filter), reach };
    noted.set(`${collection} ${command} ${statement.filter}`, statement);
  });
  return noted;
}

/** Reads a filter: all conditions that hold at once, and alternatives of which one holds. */
function readFilter(filter: Filter): {
  readonly all: readonly (readonly [field: string, condition: unknown])[];
  readonly any: readonly Filter[][];
} {
  const entries = flatten(filter);
  return {
    all: entries.filter(([field]) => field !== '$or'),
    any: entries.filter(([field]) => field === '$or').map(([, branches]) => branches as Filter[]),
  };
}

const RANKS = ['every shard', 'one account', 'one key'] as const;

function reachOf(filter: Filter, key: readonly string[]): Reach {
  return RANKS[rankOf(filter, key)] ?? 'every shard';
}

/** The place in {@link RANKS}: that of the worst of alternatives, unless what holds at once names more. */
function rankOf(filter: Filter, key: readonly string[]): number {
  const { all, any } = readFilter(filter);
  const shared = Object.fromEntries(all);
  const alternatives = any.map((branches) =>
    Math.min(...branches.map((branch) => rankOf({ ...shared, ...branch }, key))),
  );
  const named = new Set(
    all.filter(([, condition]) => /^( in)?$/.test(markOf(condition))).map(([field]) => field),
  );
  const own = key.every((field) => named.has(field)) ? 2 : Number(named.has(String(key[0])));
  return Math.max(own, ...alternatives);
}

/** The fields and how they are compared, sorted, without values. */
export function describeFilter(filter: Filter): string {
  const { all, any } = readFilter(filter);
  const fields = all.map(([field, condition]) => `${field}${markOf(condition)}`);
  const alternatives = any.map(
    (branches) => `(${[...new Set(branches.map(describeFilter))].sort().join(' or ')})`,
  );
  return [...new Set([...fields.sort(), ...alternatives])].join(', ') || 'everything';
}

const MARKS: readonly (readonly [operators: readonly string[], mark: string])[] = [
  [['$eq'], ''],
  [['$in'], ' in'],
  [['$gt', '$gte', '$lt', '$lte'], ' <>'],
  [['$exists'], ' exists'],
  [['$ne', '$nin'], ' not'],
];

function markOf(condition: unknown): string {
  const first = Object.keys(operatorsOf(condition) ?? {}).find((name) => name.startsWith('$'));
  return first === undefined ? '' : (MARKS.find(([names]) => names.includes(first))?.[1] ?? ' …');
}
