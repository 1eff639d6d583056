import { type Connection, type IndexDefinition, type IndexOptions, mongo } from 'mongoose';
import { mapAtOnce } from '../map-at-once.ts';

/** Collections that are looked at together. More would open a connection for each at every start, most for this alone. */
const AT_ONCE = 4;

/** The part of a mongoose model that indexes are made from. */
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
 * Names indexes of former versions on the schema's collection that nothing needs any more. {@link makeIndexes} drops them
 * when the present ones exist.
 */
export function setFormerIndexes(schema: IndexedModel['schema'], names: readonly string[]): void {
  formerIndexes.set(schema, names);
}

/**
 * Makes missing collections and indexes of every model on the connection, and drops former indexes. Nothing else makes them:
 * a collection that appears beside its first write is a race, which SecantusDB never ends.
 * @throws what the database rejects, such as an existing index with other options
 */
export async function makeIndexes(connection: Connection): Promise<void> {
  const there = await collectionsOf(connection);
  await mapAtOnce(AT_ONCE, connection.modelNames(), (name) => makeMissing(connection.model(name), there));
}

/** Indexes of the models on the connection that their collections lack, such as `events: tenantId_1_seq_1`. It makes none. */
export async function findMissingIndexes(connection: Connection): Promise<string[]> {
  const there = await collectionsOf(connection);
  const missing = await mapAtOnce(AT_ONCE, connection.modelNames(), async (name) => {
    const { collection, schema } = connection.model(name) as IndexedModel;
    const existing = there.has(collection.name) ? await collection.indexes() : [];
    const names = new Set(existing.map((index) => index.name));
    return schema
      .indexes()
      .map(([key, options]) => options.name ?? nameOf(key))
      .filter((wanted) => !names.has(wanted))
      .map((wanted) => `${collection.name}: ${wanted}`);
  });
  return missing.flat().sort();
}

/** The name that a database gives an index that comes without. */
function nameOf(key: IndexDefinition): string {
  return Object.entries(key).flat().join('_');
}

/** {@link makeIndexes} for one model. */
export async function makeIndexesOf(model: IndexedModel): Promise<void> {
  await makeMissing(model, new Set());
}

async function collectionsOf(connection: Connection): Promise<ReadonlySet<string>> {
  const collections = await connection.db?.listCollections({}, { nameOnly: true }).toArray();
  return new Set(collections?.map(({ name }) => name));
}

/** One command makes all indexes, and the collection; the database compares them with the existing ones. */
async function makeMissing(model: IndexedModel, there: ReadonlySet<string>): Promise<void> {
  const indexes = model.schema.indexes().map(([key, options]) => ({ ...options, key }));
  if (indexes.length > 0) {
    await model.collection.createIndexes(indexes);
  } else if (!there.has(model.collection.name)) {
    await model.createCollection();
  }
  await dropFormer(model);
}

/** A process of a former version that starts later makes them again; then the next start of this version drops them. */
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
      // Another process that starts at the same time was faster.
      if (!(error instanceof mongo.MongoServerError) || error.code !== INDEX_NOT_FOUND) {
        throw error;
      }
    }
  }
}

const INDEX_NOT_FOUND = 27;
