import type { Connection } from 'mongoose';

/** Makes the collections and indexes of every model on the connection, where they are not there yet. */
export async function makeIndexes(connection: Connection): Promise<void> {
  await Promise.all(connection.modelNames().map((name) => connection.model(name).init()));
}
