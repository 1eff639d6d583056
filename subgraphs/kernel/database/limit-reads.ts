import type { Connection } from 'mongoose';

/** Reads, and the place of their options among their arguments. */
const READS = [
  ['find', 1],
  ['findOne', 1],
  ['aggregate', 1],
  ['countDocuments', 1],
  ['distinct', 2],
] as const;

/** Part of the time of a GraphQL operation that one read may take: its own error is then still answered. */
const SHARE = 0.9;

/** A collection of mongoose, whose methods pass their arguments to the driver. */
type Reader = Record<string, (...args: unknown[]) => unknown>;

/**
 * Has the database stop each read of the connection that takes longer than nine tenths of the time limit of operations: lists,
 * totals, counts and look-ups, by mongoose and by its collections. Such a read fails with MongoDB's code 50, which is answered
 * like an outage. A read with a limit of its own keeps it. Change streams have none.
 * @param operationMs the time limit of a GraphQL operation, milliseconds
 */
export function limitReads(connection: Connection, operationMs: number): void {
  const maxTimeMS = Math.ceil(SHARE * operationMs);
  const open = connection.collection.bind(connection);
  const limited = new WeakSet<object>();
  const limit = <Collection extends object>(collection: Collection): Collection => {
    if (!limited.has(collection)) {
      limited.add(collection);
      limitCollection(collection as unknown as Reader, maxTimeMS);
    }
    return collection;
  };
  Object.values(connection.collections).forEach(limit);
  Object.assign(connection, {
    collection: (...args: Parameters<typeof open>) => limit(open(...args)),
  });
}

function limitCollection(collection: Reader, maxTimeMS: number): void {
  for (const [name, place] of READS) {
    const read = collection[name];
    collection[name] = (...args) => {
      const given = [...args];
      given[place] = { maxTimeMS, ...(args[place] as object | undefined) };
      return read?.apply(collection, given);
    };
  }
}
