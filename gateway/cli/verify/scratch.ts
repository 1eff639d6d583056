import { randomBytes } from 'node:crypto';
import type { Connection, IndexDefinition, IndexOptions, mongo } from 'mongoose';
import { connect } from '../../../subgraphs/kernel/database/connect.ts';
import { redactText, redactUri, withDatabase } from '../../../subgraphs/kernel/database/uri.ts';
import { OperatorError } from '../../../subgraphs/kernel/errors/operator-error.ts';
import { messageOf } from '../../../subgraphs/kernel/errors/thrown.ts';

/** A document of a check. */
export interface Sample extends mongo.Document {
  _id: string;
}

/** A database that exists for one run of the command. */
export interface Scratch {
  /** Names the database; may hold credentials. */
  readonly uri: string;
  readonly name: string;
  /** As the product connects: majority writes, journalled. */
  readonly connection: Connection;
  readonly db: mongo.Db;
  /** A further client with connections of its own, which this closes. */
  another(): Promise<Connection>;
  /** A new, empty collection with these indexes. */
  collection(
    purpose: string,
    indexes?: readonly (readonly [IndexDefinition, IndexOptions?])[],
  ): Promise<mongo.Collection<Sample>>;
  /** The same collection, through another connection. */
  through(connection: Connection, collection: mongo.Collection<Sample>): mongo.Collection<Sample>;
  /** Closes the further clients, drops the database, and closes. @throws OperatorError that names a database that it could not drop */
  drop(): Promise<void>;
}

/**
 * Connects to a server, and names a database there that no other run has. Collections come with the first check.
 * @throws DatabaseError when the server cannot be reached, or has no transactions; OperatorError when the user of the URI may not
 *   create or drop databases
 */
export async function openScratch(uri: string): Promise<Scratch> {
  const name = `remitgraph_verify_${randomBytes(6).toString('hex')}`;
  const connection = await connect(uri, name);
  const others: Connection[] = [];
  const db = dbOf(connection);
  try {
    await requireRights(db);
  } catch (error) {
    await connection.destroy();
    throw error;
  }
  return {
    uri: withDatabase(uri, name),
    name,
    connection,
    db,
    another: async () => {
      const other = await connect(uri, name);
      others.push(other);
      return other;
    },
    collection: async (purpose, indexes = []) => {
      const collection = await db.createCollection<Sample>(`${purpose}_${randomBytes(3).toString('hex')}`);
      for (const [key, options] of indexes) {
        // The cast: mongoose's definition is wider; all of ours are fields and directions.
        await collection.createIndex(key as mongo.IndexSpecification, options as mongo.CreateIndexesOptions);
      }
      return collection;
    },
    through: (other, { collectionName }) => dbOf(other).collection<Sample>(collectionName),
    drop: async () => {
      // Their open transactions end with them, and would hold up the drop.
      await Promise.all(others.map((other) => other.destroy()));
      try {
        // Once more after an election: the driver does not repeat this command, but finds the new primary for the next one.
        await db.dropDatabase().catch(() => db.dropDatabase());
      } catch (error) {
        throw new OperatorError(
          `The database ${name} on ${redactUri(uri)} could not be dropped: ${redactText(messageOf(error), uri)}. Drop it by hand.`,
        );
      } finally {
        await connection.destroy();
      }
    },
  };
}

const FIRST = 'first';

/**
 * Creates a database and drops it. Without the rights to both, a run would find differences in a server that has none, or would
 * leave its database behind.
 * @throws OperatorError with the reason and the fix
 */
export async function requireRights(db: mongo.Db): Promise<void> {
  try {
    await db.createCollection(FIRST);
    await db.dropDatabase().catch(async (error: unknown) => {
      await db.dropCollection(FIRST);
      throw error;
    });
  } catch (error) {
    throw new OperatorError(
      `The database ${db.databaseName} cannot be created and dropped: ${messageOf(error)}. ` +
        'Use a user with the roles readWriteAnyDatabase and dbAdminAnyDatabase: each run has databases with new names.',
    );
  }
}

/** The driver's own database of a connection. */
export function dbOf(connection: Connection): mongo.Db {
  return connection.getClient().db(connection.name);
}
