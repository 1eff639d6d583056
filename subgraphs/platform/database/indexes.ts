import { type Connection, type IndexDefinition, type IndexOptions, mongo } from 'mongoose';

/** What indexes are made from: a part of a mongoose model. */
interface IndexedModel {
  readonly collection: {
    readonly name: string;
    createIndexes(indexes: IndexOptions[]): Promise<unknown>;
    indexes(): Promise<{ name?: string }[]>;
    dropIndex(name: string): Promise<unknown>;
  };
  readonly schema: { indexes(): [IndexDefinition, IndexOptions][] };
  createCollection(): Promise<unknown>;
}

const formerIndexes = new WeakMap<object, readonly string[]>();

/**
 * Names indexes that former versions made on the schema's collection and that nothing needs any more. {@link makeIndexes}
 * drops them once the present ones are there.
 */
export function setFormerIndexes(schema: IndexedModel['schema'], names: readonly string[]): void {
  formerIndexes.set(schema, names);
}

/**
 * Makes the collections and indexes of every model on the connection, where they are not there yet, and drops the former
 * ones. Nothing else does: a collection that is made behind the back of its first write is a race, and one that SecantusDB
 * never ends.
 * @throws what the database rejects, such as an index that is there with other options
 */
export async function makeIndexes(connection: Connection): Promise<void> {
  const there = await collectionsOf(connection);
  await Promise.all(connection.modelNames().map((name) => makeMissing(connection.model(name), there)));
}

/** The same for one model. */
export async function makeIndexesOf(model: IndexedModel): Promise<void> {
  await makeMissing(model, new Set());
}

async function collectionsOf(connection: Connection): Promise<ReadonlySet<string>> {
  const collections = await connection.db?.listCollections({}, { nameOnly: true }).toArray();
  return new Set(collections?.map(({ name }) => name));
}

/** All indexes by one command: the database compares them with those that are there. */
async function makeMissing(model: IndexedModel, there: ReadonlySet<string>): Promise<void> {
  if (!there.has(model.collection.name)) {
    await model.createCollection();
  }
  const indexes = model.schema.indexes().map(([key, options]) => ({ ...options, key }));
  if (indexes.length > 0) {
    await model.collection.createIndexes(indexes);
  }
  await dropFormer(model);
}

/** A process of a former version that starts later makes them again; the next start of this version drops them then. */
async function dropFormer({ collection, schema }: IndexedModel): Promise<void> {
  const former = formerIndexes.get(schema);
  if (!former) {
    return;
  }
  const there = await collection.indexes();
  for (const name of former.filter((one) => there.some((index) => index.name === one))) {
    try {
      await collection.dropIndex(name);
    } catch (error) {
      // Another process that starts now was quicker.
      if (!(error instanceof mongo.MongoServerError) || error.code !== INDEX_NOT_FOUND) {
        throw error;
      }
    }
  }
}

const INDEX_NOT_FOUND = 27;
