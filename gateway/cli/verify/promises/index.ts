import type { Check } from '../check.ts';
import { bulkWriteChecks } from './bulk-write.ts';
import { causalOrderChecks } from './causal-order.ts';
import { changeStreamChecks } from './change-streams.ts';
import { duplicateKeyChecks } from './duplicate-keys.ts';
import { queryChecks } from './queries.ts';
import { serverChecks } from './server.ts';
import { snapshotReadChecks } from './snapshot-reads.ts';
import { transactionChecks } from './transactions.ts';
import { ttlIndexChecks } from './ttl-indexes.ts';
import { uniqueIndexChecks } from './unique-indexes.ts';
import { updateChecks } from './updates.ts';
import { upsertChecks } from './upserts.ts';
import { writeConflictChecks } from './write-conflicts.ts';

/** Every promise of a database that the product relies on. */
export const PROMISES: readonly Check[] = [
  ...serverChecks,
  ...transactionChecks,
  ...duplicateKeyChecks,
  ...bulkWriteChecks,
  ...changeStreamChecks,
  ...ttlIndexChecks,
  ...uniqueIndexChecks,
  ...snapshotReadChecks,
  ...causalOrderChecks,
  ...writeConflictChecks,
  ...upsertChecks,
  ...queryChecks,
  ...updateChecks,
];
