import { makeIndexes } from '../database/indexes.ts';
import type { Migration } from './migration.ts';

/** The digest of all indexes that models declared when this migration was the last of its kind: it keeps its checksum. */
const CONTENT = '1a05d74c6827c9e1';

/** The index by which an operation is found by its platId, beside running processes. */
export const platIds: Migration = {
  number: 6,
  name: 'plat-ids',
  kind: 'expand',
  summary: 'Index of operations by platId',
  content: CONTENT,
  run: ({ connection }) => makeIndexes(connection),
};
