import { type Connection, type Model, Schema } from 'mongoose';
import { keepWhole } from '../../kernel/database/shard-keys.ts';

/** A migration that was applied to this database, or is being applied. */
export interface MigrationDocument {
  /** Its number. */
  _id: number;
  name: string;
  checksum: string;
  /** Whether a version that does not know the migration may work with the database. */
  isAdditive: boolean;
  state: 'running' | 'applied';
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
    checksum: required,
    isAdditive: { type: Boolean, required: true },
    state: required,
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
