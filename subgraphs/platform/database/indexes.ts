import { createHash } from 'node:crypto';
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

/** Names indexes of former versions on the schema's collection that nothing needs any more: {@link dropFormerIndexes}. */
export function setFormerIndexes(schema: IndexedModel['schema'], names: readonly string[]): void {
  formerIndexes.set(schema, names);
}

/**
 * Makes missing collections and indexes of every model on the connection. Nothing else makes them: a collection that appears
 * beside its first write is a race, which SecantusDB never ends.
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

/** A digest of all indexes that the models on the connection declare, with their options. */
export function digestIndexes(connection: Connection): string {
  const declared = connection
    .modelNames()
    .map((name): IndexedModel => connection.model(name))
    .flatMap(({ collection, schema }) =>
      schema.indexes().map(([key, options]) => {
        // Mongoose's own default.
        const { background: _, ...told } = options;
        return JSON.stringify([collection.name, key, told]);
      }),
    );
  return createHash('sha256').update(declared.sort().join('\n')).digest('hex').slice(0, 16);
}

/** Indexes of former versions that are left, such as `events: keptUntil_1`. */
export async function findFormerIndexes(connection: Connection): Promise<string[]> {
  const there = await collectionsOf(connection);
  const left = await Promise.all(
    modelsWithFormer(connection)
      .filter(({ collection }) => there.has(collection.name))
      .map(async (model) => (await formerOf(model)).map((name) => `${model.collection.name}: ${name}`)),
  );
  return left.flat().sort();
}

/** Drops indexes of former versions, while others read and write. A process of such a version makes them again at its start. */
export async function dropFormerIndexes(connection: Connection): Promise<void> {
  for (const model of modelsWithFormer(connection)) {
    for (const name of await formerOf(model)) {
      await dropIndex(model, name);
    }
  }
}

function modelsWithFormer(connection: Connection): IndexedModel[] {
  return connection
    .modelNames()
    .map((name): IndexedModel => connection.model(name))
    .filter(({ schema }) => formerIndexes.has(schema));
}

async function formerOf({ collection, schema }: IndexedModel): Promise<string[]> {
  const there = new Set((await collection.indexes()).map(({ name }) => name));
  return (formerIndexes.get(schema) ?? []).filter((name) => there.has(name));
}

async function dropIndex({ collection }: IndexedModel, name: string): Promise<void> {
  try {
    await collection.dropIndex(name);
  } catch (error) {
    // Another process was faster.
    if (!(error instanceof mongo.MongoServerError) || error.code !== INDEX_NOT_FOUND) {
      throw error;
    }
  }
}

const INDEX_NOT_FOUND = 27;

/** The name that a database gives an index that comes without. */
function nameOf(key: IndexDefinition): string {
  return Object.entries(key).flat().join('_');
}

/** {@link makeIndexes} for one model. */
export async function makeIndexesOf(model: IndexedModel): Promise<void> {
  await makeMissing(model, new Set());
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

/** One command makes all indexes, and the collection; the database compares them with the existing ones. */
async function makeMissing(model: IndexedModel, there: ReadonlySet<string>): Promise<void> {
  const indexes = model.schema.indexes().map(([key, options]) => ({ ...options, key }));
  if (indexes.length > 0) {
    await model.collection.createIndexes(indexes);
  } else if (!there.has(model.collection.name)) {
    await model.createCollection();
  }
}
