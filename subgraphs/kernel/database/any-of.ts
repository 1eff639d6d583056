import type { Connection, Model, QueryFilter } from 'mongoose';
import { devStoreServer } from './dev-store-server.ts';
import { toDocument } from './document.ts';

/** The option of a connection that {@link noteServer} sets. */
const NEEDS_BRANCHES = 'needsBranches';

/** Notes which server a connection is to. @param build its answer to `buildInfo` */
export function noteServer(connection: Connection, build: Readonly<Record<string, unknown>>): void {
  connection.set(NEEDS_BRANCHES, devStoreServer(build) === 'rust');
}

/**
 * The condition of having one of these values in a field, beside fields that stand before it in the index. MongoDB reads a range of
 * the index for each value of `$in`, and so does SecantusDB in Python. In Rust it reads all that the fields before it match, so it gets a
 * branch for each value; in Python that would read the whole collection.
 */
export function withAnyOf<T>(
  { db }: Model<T>,
  shared: Readonly<Record<string, string>>,
  field: string,
  values: readonly string[],
): QueryFilter<T> {
  return toDocument(
    values.length > 1 && db.get(NEEDS_BRANCHES) === true
      ? { $or: values.map((value) => ({ ...shared, [field]: value })) }
      : { ...shared, [field]: { $in: [...values] } },
  );
}
