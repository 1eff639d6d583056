import mongoose, { type Connection, type mongo } from 'mongoose';
import { createModels } from '../../gateway/app/models.ts';
import { shardingOf } from '../../subgraphs/kernel/database/shard-keys.ts';

/** The shards that a statement reaches on a sharded cluster. */
export type Reach =
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
export type ShardKeys = ReadonlyMap<string, readonly string[] | undefined>;

/** The shard keys that the product's models declare. */
export function declaredShardKeys(): ShardKeys {
  const connection = mongoose.createConnection();
  createModels(connection);
  return new Map(shardingOf(connection).map(({ collection, key }) => [collection, key]));
}

type Document = Readonly<Record<string, unknown>>;

/** Notes each kind of statement that the connection sends from now on. @returns the notes, by their text */
export function recordStatements(connection: Connection, keys: ShardKeys): ReadonlyMap<string, Statement> {
  const noted = new Map<string, Statement>();
  connection.getClient().on('commandStarted', ({ commandName, command }: mongo.CommandStartedEvent) => {
    for (const [collection, name, filter] of statementsOf(commandName, command)) {
      const statement = { collection, command: name, filter: describe(filter), reach: 'one place' as const };
      const key = keys.get(collection);
      const reached = key === undefined ? statement : { ...statement, reach: reachOf(filter, key) };
      noted.set(`${collection} ${name} ${reached.filter}`, reached);
    }
  });
  return noted;
}

/** Statements that are routed by a filter. Inserts are routed by the document, which has the whole key. */
function statementsOf(
  name: string,
  command: mongo.Document,
): (readonly [collection: string, command: string, filter: Document])[] {
  const collection = String(command[name]);
  switch (name) {
    case 'find':
      return [[collection, name, command.filter ?? {}]];
    case 'count':
    case 'distinct':
    case 'findAndModify':
      return [[collection, name, command.query ?? {}]];
    case 'aggregate':
      return [[collection, name, command.pipeline[0]?.$match ?? {}]];
    case 'update':
      return command.updates.map((one: mongo.Document) => [
        collection,
        one.multi ? 'updateMany' : 'update',
        one.q,
      ]);
    case 'delete':
      return command.deletes.map((one: mongo.Document) => [
        collection,
        one.limit === 1 ? 'delete' : 'deleteMany',
        one.q,
      ]);
    case 'bulkWrite':
      return command.ops.flatMap((op: mongo.Document) => {
        const ns = String(command.nsInfo[op.update ?? op.delete ?? op.insert]?.ns);
        const written = ns.slice(ns.indexOf('.') + 1);
        const kind = op.delete === undefined ? 'update' : 'delete';
        return op.filter === undefined ? [] : [[written, op.multi ? `${kind}Many` : kind, op.filter]];
      });
    default:
      return [];
  }
}

/** Reads a filter: all conditions that hold at once, and alternatives of which one holds. */
function readFilter(filter: Document): {
  readonly all: readonly (readonly [string, unknown])[];
  readonly any: readonly Document[][];
} {
  const all: (readonly [string, unknown])[] = [];
  const any: Document[][] = [];
  for (const [field, condition] of Object.entries(filter)) {
    if (field === '$and') {
      for (const part of (condition as Document[]).map(readFilter)) {
        all.push(...part.all);
        any.push(...part.any);
      }
    } else if (field === '$or') {
      any.push(condition as Document[]);
    } else {
      all.push([field, condition]);
    }
  }
  return { all, any };
}

const RANKS = ['every shard', 'one account', 'one key'] as const;

function reachOf(filter: Document, key: readonly string[]): Reach {
  return RANKS[rankOf(filter, key)] ?? 'every shard';
}

/** The place in {@link RANKS}: that of the worst of alternatives, unless what holds at once names more. */
function rankOf(filter: Document, key: readonly string[]): number {
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
function describe(filter: Document): string {
  const { all, any } = readFilter(filter);
  const fields = all.map(([field, condition]) => `${field}${markOf(condition)}`);
  const alternatives = any.map((branches) => `(${[...new Set(branches.map(describe))].sort().join(' or ')})`);
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
  const operators =
    typeof condition === 'object' &&
    condition !== null &&
    Object.getPrototypeOf(condition) === Object.prototype
      ? Object.keys(condition).filter((name) => name.startsWith('$'))
      : [];
  const [first] = operators;
  return first === undefined ? '' : (MARKS.find(([names]) => names.includes(first))?.[1] ?? ' …');
}
