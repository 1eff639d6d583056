import { makeIndexes } from '../database/indexes.ts';
import type { Migration } from './migration.ts';

/** The digest of all indexes that models declared when this migration was the last of its kind: it keeps its checksum. */
const CONTENT = '7d8b9572ef08f781';

/** Collections and indexes, made beside running processes: those of this version, which later migrations find made. */
export const indexes: Migration = {
  number: 1,
  name: 'indexes',
  kind: 'expand',
  summary: 'Collections and indexes of every model',
  content: CONTENT,
  run: ({ connection }) => makeIndexes(connection),
};
