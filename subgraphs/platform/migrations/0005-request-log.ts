import { digestIndexes, makeIndexes } from '../database/indexes.ts';
import type { Migration } from './migration.ts';

/**
 * The digest of all declared indexes that this migration makes. When a test says that it differs, because a model has got
 * another index, leave this as it is, and add a migration of the same kind with the new digest, which takes the check over:
 * databases that are there already have applied this one.
 */
const CONTENT = '7ae1d47bc1b8414c';

/** The log of requests with its indexes, beside running processes. */
export const requestLog: Migration = {
  number: 5,
  name: 'request-log',
  kind: 'expand',
  summary: 'Collection and indexes of the log of requests',
  content: CONTENT,
  run: async ({ connection }) => {
    if (digestIndexes(connection) !== CONTENT) {
      throw new TypeError('The models on the connection are not those of this migration');
    }
    await makeIndexes(connection);
  },
};
