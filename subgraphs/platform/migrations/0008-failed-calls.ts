import { makeIndexes } from '../database/indexes.ts';
import type { Migration } from './migration.ts';

/** The digest of all indexes that models declared when this migration was the last of its kind: it keeps its checksum. */
const CONTENT = '1425f5730cb4bf1a';

/** The index by which a timeline finds the webhooks about calls that failed, beside running processes. */
export const failedCalls: Migration = {
  number: 8,
  name: 'failed-calls',
  kind: 'expand',
  summary: 'Index of webhooks by the record whose call failed',
  content: CONTENT,
  run: ({ connection }) => makeIndexes(connection),
};
