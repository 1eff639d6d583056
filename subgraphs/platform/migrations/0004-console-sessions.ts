import { makeIndexes } from '../database/indexes.ts';
import type { Migration } from './migration.ts';

/** The digest of all indexes that models declared when this migration was the last of its kind: it keeps its checksum. */
const CONTENT = '2f65bf7e8bdb91eb';

/** The collection of console sessions with its indexes, beside running processes. */
export const consoleSessions: Migration = {
  number: 4,
  name: 'console-sessions',
  kind: 'expand',
  summary: 'Collection and indexes of console sessions',
  content: CONTENT,
  run: ({ connection }) => makeIndexes(connection),
};
