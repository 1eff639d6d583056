import { type Connection, type Model, Schema } from 'mongoose';
import { keepWhole } from '../database/shard-keys.ts';
import type { MigrationKind } from './migration.ts';

/** A migration that was applied to this database, or is being applied. */
export interface MigrationDocument {
  /** Its number. */
  _id: number;
  name: string;
  kind: MigrationKind;
  checksum: string;
  state: 'running' | 'applied';
  /** Fencing number of the process that runs it: one under a lower number writes nothing any more. */
  term: number;
  /** What the run has saved last; removed when it was applied. */
  progress?: unknown;
  /** Host and process that ran it last, such as `worker-1:412`. */
  by: string;
  startedAt: Date;
  appliedAt?: Date;
}

const required = { type: String, required: true };

// Every query is by number, or reads all: no index beside that of _id.
const schema = new Schema<MigrationDocument>(
  {
    _id: { type: Number, required: true },
    name: required,
    kind: required,
    checksum: required,
    state: required,
    term: { type: Number, required: true },
    progress: Schema.Types.Mixed,
    by: required,
    startedAt: { type: Date, required: true },
    appliedAt: Date,
  },
  { collection: 'migrations', versionKey: false },
);
keepWhole(schema, 'one document for each migration');

export function createMigrationModel(connection: Connection): Model<MigrationDocument> {
  return connection.model<MigrationDocument>('Migration', schema);
}
