import { digestIndexes, makeIndexes } from '../database/indexes.ts';
import type { Migration } from './migration.ts';

/**
 * The digest of all declared indexes that this migration makes. When a test says that it differs, because a model has got
 * another index, leave this as it is, and add a migration of the same kind with the new digest, which takes the check over:
 * databases that are there already have applied this one.
 */
const CONTENT = '1425f5730cb4bf1a';

/** The index by which a timeline finds the webhooks about calls that failed, beside running processes. */
export const failedCalls: Migration = {
  number: 8,
  name: 'failed-calls',
  kind: 'expand',
  summary: 'Index of webhooks by the record whose call failed',
  content: CONTENT,
  run: async ({ connection }) => {
    if (digestIndexes(connection) !== CONTENT) {
      throw new TypeError('The models on the connection are not those of this migration');
    }
    await makeIndexes(connection);
  },
};
