import { digestIndexes, makeIndexes } from '../../kernel/database/indexes.ts';
import type { Migration } from './migration.ts';

/**
 * The digest of all declared indexes that this migration makes. When a test says that it differs, because a model has other
 * indexes: before the first release, write the new digest here. After it, leave this as it is, and add a migration of the same
 * kind with the new digest, which takes the check over: existing databases have applied this one.
 */
const CONTENT = '90e007a62332ddc6';

/** Collections and indexes, made beside running processes. */
export const schema: Migration = {
  number: 1,
  name: 'schema',
  summary: 'Collections and indexes of every model',
  content: CONTENT,
  run: async (connection) => {
    if (digestIndexes(connection) !== CONTENT) {
      throw new TypeError('The models on the connection are not those of this migration');
    }
    await makeIndexes(connection);
  },
};
