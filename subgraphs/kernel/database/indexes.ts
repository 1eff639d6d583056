import { createHash } from 'node:crypto';
import type { Connection, IndexDefinition, IndexOptions } from 'mongoose';
import { mapAtOnce } from '../map-at-once.ts';

/** Collections that are looked at together. More would open a connection for each at every start, most for this alone. */
const AT_ONCE = 4;

/** The part of a mongoose model that indexes are made from. */
interface IndexedModel {
  readonly collection: {
    readonly name: string;
    createIndexes(indexes: IndexOptions[], options: { readonly commitQuorum: 'majority' }): Promise<unknown>;
    indexes(): Promise<({ name?: string } & Record<string, unknown>)[]>;
  };
  readonly schema: { indexes(): [IndexDefinition, IndexOptions][] };
  createCollection(): Promise<unknown>;
}

/**
 * Makes missing collections and indexes of every model on the connection. Nothing else makes them: a collection that appears
 * beside its first write is a race, which SecantusDB never ends.
 * @throws the database's error, such as for an existing index with other options
 */
export async function makeIndexes(connection: Connection): Promise<void> {
  const there = await collectionsOf(connection);
  await mapAtOnce(AT_ONCE, connection.modelNames(), (name) => makeMissing(connection.model(name), there));
}

/** How the indexes of a database differ from those of the models; each such as `events: accountId_1_seq_1`. */
export interface IndexDifferences {
  readonly missing: readonly string[];
  /** Of the same name, with other fields or options. */
  readonly differing: readonly string[];
  /** In a collection of a model, but of none of its indexes. */
  readonly unknown: readonly string[];
}

/** Compares the indexes of the database with those that the models on the connection declare. It makes none. */
export async function compareIndexes(connection: Connection): Promise<IndexDifferences> {
  const there = await collectionsOf(connection);
  const all = await mapAtOnce(AT_ONCE, connection.modelNames(), async (name) => {
    const { collection, schema } = connection.model(name) as IndexedModel;
    const existing = there.has(collection.name) ? await collection.indexes() : [];
    const found = new Map(existing.map((index) => [index.name, index]));
    const wanted = new Map(
      schema.indexes().map(([key, options]) => [options.name ?? nameOf(key), meaningOf({ ...options, key })]),
    );
    const of = (names: Iterable<string | undefined>) => [...names].map((one) => `${collection.name}: ${one}`);
    return {
      missing: of([...wanted.keys()].filter((one) => !found.has(one))),
      differing: of(
        [...wanted]
          .filter(([one, meaning]) => found.has(one) && meaningOf(found.get(one)) !== meaning)
          .map(([one]) => one),
      ),
      unknown: of([...found.keys()].filter((one) => one !== '_id_' && !wanted.has(String(one)))),
    };
  });
  return {
    missing: all.flatMap(({ missing }) => missing).sort(),
    differing: all.flatMap(({ differing }) => differing).sort(),
    unknown: all.flatMap(({ unknown }) => unknown).sort(),
  };
}

/** Indexes of the models on the connection that their collections lack. It makes none. */
export async function findMissingIndexes(connection: Connection): Promise<readonly string[]> {
  return (await compareIndexes(connection)).missing;
}

/** The part of an index that decides what it finds and rejects. */
function meaningOf({
  key,
  unique,
  sparse,
  partialFilterExpression,
  expireAfterSeconds,
}: Readonly<Record<string, unknown>> = {}): string {
  return JSON.stringify([
    Object.entries(key ?? {}).map(([field, direction]) => [field, Number(direction) || direction]),
    unique === true,
    sparse === true,
    partialFilterExpression ?? null,
    expireAfterSeconds === undefined ? null : Number(expireAfterSeconds),
  ]);
}

/** A digest of all indexes that the models on the connection declare, with their options. */
export function digestIndexes(connection: Connection): string {
  const declared = connection
    .modelNames()
    .map((name): IndexedModel => connection.model(name))
    .flatMap(({ collection, schema }) =>
      schema.indexes().map(([key, options]) => {
        // Mongoose's own default.
        const { background: _, ...reported } = options;
        return JSON.stringify([collection.name, key, reported]);
      }),
    );
  return createHash('sha256').update(declared.sort().join('\n')).digest('hex').slice(0, 16);
}

/** The collections of the models on the connection that exist. */
export async function findCollections(connection: Connection): Promise<string[]> {
  const there = await collectionsOf(connection);
  const names = connection.modelNames().map((name) => connection.model(name).collection.name);
  return names.filter((name) => there.has(name)).sort();
}

/** The name that a database gives an index that comes without. */
function nameOf(key: IndexDefinition): string {
  return Object.entries(key).flat().join('_');
}

/** Makes the collections of these models that are missing. One that is there is left alone: somebody may be writing to it. */
export async function makeCollections(
  connection: Connection,
  models: readonly IndexedModel[],
): Promise<void> {
  const there = await collectionsOf(connection);
  await Promise.all(
    models.filter(({ collection }) => !there.has(collection.name)).map((model) => model.createCollection()),
  );
}

async function collectionsOf(connection: Connection): Promise<ReadonlySet<string>> {
  const collections = await connection.db?.listCollections({}, { nameOnly: true }).toArray();
  return new Set(collections?.map(({ name }) => name));
}

/**
 * One command makes all indexes, and the collection; the database compares them with the existing ones. A build ends when a
 * majority of the members is ready: by default it waits for all of them, and one that is away would stop a migration.
 */
async function makeMissing(model: IndexedModel, there: ReadonlySet<string>): Promise<void> {
  const indexes = model.schema.indexes().map(([key, options]) => ({ ...options, key }));
  if (indexes.length > 0) {
    await model.collection.createIndexes(indexes, { commitQuorum: 'majority' });
  } else if (!there.has(model.collection.name)) {
    await model.createCollection();
  }
}
