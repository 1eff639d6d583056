import { digestIndexes, makeIndexes } from '../database/indexes.ts';
import type { Migration } from './migration.ts';

/**
 * The digest of all declared indexes that this migration makes. When a test says that it differs, because a model has got
 * another index, leave this as it is, and add a migration of the same kind with the new digest, which takes the check over:
 * databases that are there already have applied this one.
 */
const CONTENT = '1a05d74c6827c9e1';

/** The index by which an operation is found by its platId, beside running processes. */
export const platIds: Migration = {
  number: 6,
  name: 'plat-ids',
  kind: 'expand',
  summary: 'Index of operations by platId',
  content: CONTENT,
  run: async ({ connection }) => {
    if (digestIndexes(connection) !== CONTENT) {
      throw new TypeError('The models on the connection are not those of this migration');
    }
    await makeIndexes(connection);
  },
};
