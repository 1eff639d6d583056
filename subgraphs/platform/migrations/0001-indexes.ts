import { digestIndexes, makeIndexes } from '../database/indexes.ts';
import type { Migration } from './migration.ts';

/**
 * The digest of all declared indexes that this migration makes. When a test says that it differs, because a model has got
 * another index, leave this as it is, and add a migration of the same kind with the new digest: databases that are there
 * already have applied this one.
 */
const CONTENT = '7d8b9572ef08f781';

/** Collections and indexes, made beside running processes. */
export const indexes: Migration = {
  number: 1,
  name: 'indexes',
  kind: 'expand',
  summary: 'Collections and indexes of every model',
  content: CONTENT,
  run: async ({ connection }) => {
    if (digestIndexes(connection) !== CONTENT) {
      throw new TypeError('The models on the connection are not those of this migration');
    }
    await makeIndexes(connection);
  },
};
