import type { Connection, Model, QueryFilter } from 'mongoose';
import { toDocument } from './document.ts';

/** The option of a connection that {@link noteServer} sets. */
const IS_SECANTUS = 'isSecantus';

/** Notes which server a connection is to. @param build its answer to `buildInfo` */
export function noteServer(connection: Connection, build: Readonly<Record<string, unknown>>): void {
  connection.set(IS_SECANTUS, build.secantusVersion !== undefined);
}

/**
 * The condition of having one of these values in a field, beside fields that stand before it in the index. MongoDB reads a range of
 * the index for each value of `$in`. SecantusDB reads all that the fields before it match, so it gets a branch for each value.
 */
export function withAnyOf<T>(
  { db }: Model<T>,
  shared: Readonly<Record<string, string>>,
  field: string,
  values: readonly string[],
): QueryFilter<T> {
  return toDocument(
    values.length > 1 && db.get(IS_SECANTUS) === true
      ? { $or: values.map((value) => ({ ...shared, [field]: value })) }
      : { ...shared, [field]: { $in: [...values] } },
  );
}
