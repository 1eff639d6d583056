import { dropFormerIndexes } from '../database/indexes.ts';
import type { Migration } from './migration.ts';

/** By some of them the database itself removed documents at other times than this version does. */
export const dropFormer: Migration = {
  number: 3,
  name: 'drop-former-indexes',
  kind: 'contract',
  summary: 'Indexes that only former versions used are dropped',
  run: async ({ connection }) => {
    await dropFormerIndexes(connection);
  },
};
