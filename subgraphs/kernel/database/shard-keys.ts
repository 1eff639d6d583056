import type { Connection } from 'mongoose';

/** Where the documents of a collection are on a sharded cluster. */
export interface Sharding {
  readonly collection: string;
  /** The fields of the shard key; undefined when the collection stays whole, on one shard. */
  readonly key: readonly [string, ...string[]] | undefined;
  readonly why: string;
}

type Declared = Omit<Sharding, 'collection'>;

const declared = new WeakMap<object, Declared>();

/** Declares the shard key of a schema's collection, beside its indexes. A cluster that is not sharded needs none. */
export function setShardKey(schema: object, key: readonly [string, ...string[]], why: string): void {
  declared.set(schema, { key, why });
}

/** Declares that the collection is not sharded. */
export function keepWhole(schema: object, why: string): void {
  declared.set(schema, { key: undefined, why });
}

/**
 * Where the collections of all models on the connection are, by name.
 * @throws TypeError for a model without a declaration
 */
export function shardingOf(connection: Connection): readonly Sharding[] {
  return connection
    .modelNames()
    .map((name) => {
      const { collection, schema } = connection.model(name);
      const own = declared.get(schema);
      if (own === undefined) {
        throw new TypeError(`${name} declares no shard key`);
      }
      return { collection: collection.name, ...own };
    })
    .sort((one, other) => one.collection.localeCompare(other.collection));
}

/** Unique indexes that MongoDB would not allow on a sharded collection: each must begin with the shard key. */
export function findUniqueIssues(connection: Connection): string[] {
  const keys = new Map(shardingOf(connection).map(({ collection, key = [] }) => [collection, key]));
  return connection.modelNames().flatMap((name) => {
    const { collection, schema } = connection.model(name);
    const key = keys.get(collection.name) ?? [];
    return schema
      .indexes()
      .filter(([, options]) => options?.unique === true)
      .map(([index]) => Object.keys(index))
      .filter((index) => key.some((field, place) => index[place] !== field))
      .map(
        (index) => `${collection.name}: unique index ${index.join()} does not begin with ${key.join(', ')}`,
      );
  });
}

/** The shard keys of a collection, as commands of `mongosh` on a mongos, in any database. */
export interface ShardCommands {
  readonly collection: string;
  /** Makes the index that the shard key needs; absent when a declared one serves. */
  readonly index?: string;
  readonly shard: string;
}

/**
 * The commands for every collection that is divided.
 * @param options.hashed whether the first field is hashed
 */
export function shardCommandsOf(
  connection: Connection,
  { hashed }: { readonly hashed: boolean },
): readonly ShardCommands[] {
  const served = indexesByCollection(connection);
  return shardingOf(connection).flatMap(({ collection, key }) => {
    if (key === undefined) {
      return [];
    }
    const pattern = JSON.stringify(
      Object.fromEntries(key.map((field, place) => [field, hashed && place === 0 ? 'hashed' : 1])),
    );
    const isServed =
      !hashed && served.get(collection)?.some((fields) => key.every((one, place) => fields[place] === one));
    const shard = `sh.shardCollection("${connection.name}.${collection}", ${pattern})`;
    // Whatever database mongosh has in use.
    const index = `db.getSiblingDB("${connection.name}").${collection}.createIndex(${pattern})`;
    return [{ collection, ...(!isServed && { index }), shard }];
  });
}

/** The fields of each index that a range can use: not partial, ascending by default. */
function indexesByCollection(connection: Connection): ReadonlyMap<string, readonly (readonly string[])[]> {
  return new Map(
    connection.modelNames().map((name) => {
      const { collection, schema } = connection.model(name);
      const declaredIndexes = schema
        .indexes()
        .filter(([, options]) => options?.partialFilterExpression === undefined)
        .map(([index]) => {
          const entries = Object.entries(index);
          const end = entries.findIndex(([, direction]) => direction !== 1);
          return entries.slice(0, end === -1 ? entries.length : end).map(([field]) => field);
        });
      return [collection.name, [['_id'], ...declaredIndexes]];
    }),
  );
}
