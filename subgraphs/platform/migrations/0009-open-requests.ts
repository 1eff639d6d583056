import { digestIndexes, makeIndexes } from '../database/indexes.ts';
import type { Migration } from './migration.ts';

/**
 * The digest of all declared indexes that this migration makes. When a test says that it differs, because a model has got
 * another index, leave this as it is, and add a migration of the same kind with the new digest, which takes the check over:
 * databases that are there already have applied this one.
 */
const CONTENT = 'e3a52216297849b4';

/** The collection and indexes of reserved requests, and of what workers have to do, beside running processes. */
export const openRequests: Migration = {
  number: 9,
  name: 'open-requests',
  kind: 'expand',
  summary:
    'Reserved requests; indexes of work at requests whose payer may have been asked, of payments by user, of contacts by phone number',
  content: CONTENT,
  run: async ({ connection }) => {
    if (digestIndexes(connection) !== CONTENT) {
      throw new TypeError('The models on the connection are not those of this migration');
    }
    await makeIndexes(connection);
  },
};
