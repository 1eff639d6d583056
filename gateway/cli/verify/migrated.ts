import type { Connection } from 'mongoose';
import { findMissingIndexes } from '../../../subgraphs/kernel/database/indexes.ts';
import { createLogger } from '../../../subgraphs/kernel/log/log.ts';
import { createMigrations } from '../../../subgraphs/runtime/migrations/migrations.ts';
import { createModels } from '../../app/models.ts';
import { expectEqual } from './check.ts';
import type { Scratch } from './scratch.ts';

/** The connection of a scratch database, with every model, collection and index of the product: by its own migrations. */
export async function migratedConnection({ connection }: Scratch): Promise<Connection> {
  createModels(connection);
  await createMigrations({ connection, log: createLogger({ level: 'silent' }) }).apply();
  expectEqual('Indexes that are missing after the migrations', await findMissingIndexes(connection), []);
  return connection;
}
