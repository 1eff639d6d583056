import type { Connection, Model, QueryFilter } from 'mongoose';
import { devStoreServer } from './dev-store-server.ts';
import { toDocument } from './document.ts';

/** The option of a connection that {@link noteServer} sets. */
const NEEDS_BRANCHES = 'needsBranches';
/** Most values that get branches: from about 32 on, the list takes less time even in a small collection. */
const MOST_BRANCHES = 32;

/** Notes which server a connection is to. @param build its answer to `buildInfo` */
export function noteServer(connection: Connection, build: Readonly<Record<string, unknown>>): void {
  connection.set(NEEDS_BRANCHES, devStoreServer(build) === 'rust');
}

/**
 * The condition of having one of these values in a field, beside fields that stand before it in the index. MongoDB reads a range of
 * the index for each value of `$in`, and so does SecantusDB in Python. In Rust it reads all that the fields before it match as long as
 * the collection has a few thousand documents, so it gets a branch for each of a few values; in Python that would read the whole
 * collection.
 */
export function withAnyOf<T>(
  { db }: Model<T>,
  shared: Readonly<Record<string, string>>,
  field: string,
  values: readonly string[],
): QueryFilter<T> {
  return toDocument(
    values.length > 1 && values.length <= MOST_BRANCHES && db.get(NEEDS_BRANCHES) === true
      ? { $or: values.map((value) => ({ ...shared, [field]: value })) }
      : { ...shared, [field]: { $in: [...values] } },
  );
}
