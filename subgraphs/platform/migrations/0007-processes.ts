import { digestIndexes, makeIndexes } from '../database/indexes.ts';
import type { Migration } from './migration.ts';

/**
 * The digest of all declared indexes that this migration makes. When a test says that it differs, because a model has got
 * another index, leave this as it is, and add a migration of the same kind with the new digest, which takes the check over:
 * databases that are there already have applied this one.
 */
const CONTENT = 'd7b84bd77daa41d4';

/** The records of the processes that run, beside running processes. */
export const processes: Migration = {
  number: 7,
  name: 'processes',
  kind: 'expand',
  summary: 'Collection and index of the processes that run',
  content: CONTENT,
  run: async ({ connection }) => {
    if (digestIndexes(connection) !== CONTENT) {
      throw new TypeError('The models on the connection are not those of this migration');
    }
    await makeIndexes(connection);
  },
};
