import { makeIndexes } from '../database/indexes.ts';
import type { Migration } from './migration.ts';

/** The digest of all indexes that models declared when this migration was the last of its kind: it keeps its checksum. */
const CONTENT = '7ae1d47bc1b8414c';

/** The log of requests with its indexes, beside running processes. */
export const requestLog: Migration = {
  number: 5,
  name: 'request-log',
  kind: 'expand',
  summary: 'Collection and indexes of the log of requests',
  content: CONTENT,
  run: ({ connection }) => makeIndexes(connection),
};
