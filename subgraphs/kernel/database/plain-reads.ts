import type { ClientSession, Model, mongo, QueryFilter } from 'mongoose';
import { toDocument } from './document.ts';

/** How documents are read. */
interface PlainRead<T> {
  /** Default: outside of any transaction. */
  readonly session?: ClientSession | undefined;
  /** Fields to read besides `_id`. Default: all. */
  readonly projection?: Partial<Record<keyof T, 1>>;
  readonly sort?: Readonly<Record<string, 1 | -1>>;
  readonly limit?: number;
  /** {@link CONFIRMED} for statuses that callers get. Default: `local`. */
  readonly readConcern?: typeof CONFIRMED;
}

/**
 * The read concern of look-ups that answer a status: they see what a majority of the members has, so no failover undoes an
 * answer. A write that was acknowledged is always seen. Reads that follow a lost race keep `local`: they must see the winner's
 * write before the other members have it.
 */
export const CONFIRMED = { level: 'majority' } as const;

/**
 * Finds documents by the driver, for reads that every call makes: a lean read of mongoose takes a third more processor time
 * and gives the same. The filter is sent as it is: it holds digests, and ids that are known to be texts. The read has the time
 * limit of the connection (`maxTimeMS`), as reads by mongoose have.
 */
export function findPlain<T>(
  { collection, db }: Model<T>,
  filter: QueryFilter<T>,
  { session, ...options }: PlainRead<T>,
): Promise<T[]> {
  const found = collection.find<T & mongo.Document>(toDocument(filter), {
    ...options,
    maxTimeMS: db.get('maxTimeMS'),
    ...(session && { session }),
  });
  return found.toArray();
}
