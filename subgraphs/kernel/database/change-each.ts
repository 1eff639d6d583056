import type { Model } from 'mongoose';
import { toDocument } from './document.ts';

/** A document, and its own update. */
interface DocumentChange {
  /** `_id` first, and what else routes to the document, such as its tenant. */
  readonly filter: { readonly _id: unknown } & Readonly<Record<string, unknown>>;
  /** Operators, such as `$set`. */
  readonly update: object;
}

/**
 * Changes documents outside of any transaction, each by its own update, all in one command. `updateEach` (update-each.ts)
 * makes the same change to all.
 */
export async function changeEach<T>(
  { collection }: Pick<Model<T>, 'collection'>,
  changes: readonly DocumentChange[],
): Promise<void> {
  if (changes.length > 0) {
    const updates = changes.map(({ filter, update }) => ({
      updateOne: { filter: toDocument(filter), update: toDocument(update) },
    }));
    await collection.bulkWrite(updates, { ordered: false });
  }
}
