import { makeIndexes } from '../database/indexes.ts';
import type { Migration } from './migration.ts';

/** The digest of all indexes that models declared when this migration was the last of its kind: it keeps its checksum. */
const CONTENT = 'd7b84bd77daa41d4';

/** The records of the processes that run, beside running processes. */
export const processes: Migration = {
  number: 7,
  name: 'processes',
  kind: 'expand',
  summary: 'Collection and index of the processes that run',
  content: CONTENT,
  run: ({ connection }) => makeIndexes(connection),
};
