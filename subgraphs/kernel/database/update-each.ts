import type { Model, QueryFilter } from 'mongoose';
import { toDocument } from './document.ts';

/**
 * Updates some documents as far as they meet a condition, outside of any transaction: each by itself, all in one command.
 * `updateMany` gives the same result. But SecantusDB in Python keeps the lock of the collection while `updateMany` waits for
 * a document that a transaction has open, and the transaction needs that lock to end: both wait for ever.
 * `_id` stands first in each filter: SecantusDB in Rust takes the index of the field that does.
 * @param documents their ids, and what else routes to them, such as their tenant
 * @param update operators, such as `$set`
 * @returns how many it has changed
 */
export async function updateEach<T extends { _id: string }>(
  { collection }: Model<T>,
  documents: readonly (Partial<T> & { _id: string })[],
  condition: QueryFilter<T>,
  update: object,
): Promise<number> {
  if (documents.length === 0) {
    return 0;
  }
  const updates = documents.map(({ _id, ...others }) => ({
    updateOne: { filter: toDocument({ _id, ...others, ...condition }), update: toDocument(update) },
  }));
  return (await collection.bulkWrite(updates, { ordered: false })).modifiedCount;
}
