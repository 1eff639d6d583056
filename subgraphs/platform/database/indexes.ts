import type { Connection } from 'mongoose';

/**
 * Makes the collections and indexes of every model on the connection, where they are not there yet. Nothing else does:
 * a collection that is made behind the back of its first write is a race, and one that SecantusDB never ends.
 */
export async function makeIndexes(connection: Connection): Promise<void> {
  await Promise.all(connection.modelNames().map((name) => makeIndexesOf(connection.model(name))));
}

/** The same for one model. */
export async function makeIndexesOf(model: {
  createCollection(): Promise<unknown>;
  createIndexes(): Promise<unknown>;
}): Promise<void> {
  await model.createCollection();
  await model.createIndexes();
}
