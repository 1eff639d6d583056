import { type Connection, type Model, Schema } from 'mongoose';
import { SETTING_SOURCES, type SettingInForce } from '../../kernel/config/in-force.ts';
import { ROLES, type Role } from '../../kernel/config/roles.ts';
import { keepWhole } from '../../kernel/database/shard-keys.ts';

/** A running process, as it reports itself. Has no secrets. */
export interface ProcessDocument {
  /** `proc_` and 20 characters, new at each start. */
  _id: string;
  role: Role;
  version: string;
  host: string;
  pid: number;
  startedAt: Date;
  /** When it last said that it runs. */
  seenAt: Date;
  settings: SettingInForce[];
}

/** How long a process is kept that says nothing more, seconds. */
export const PROCESS_KEPT_SECONDS = 300;

const required = { type: String, required: true };
const time = { type: Date, required: true };

const settingSchema = new Schema<SettingInForce>(
  {
    name: required,
    value: { type: String, default: null },
    source: { type: String, required: true, enum: SETTING_SOURCES },
    isSecret: { type: Boolean, required: true },
  },
  { _id: false },
);

const schema = new Schema<ProcessDocument>(
  {
    _id: required,
    role: { type: String, required: true, enum: ROLES },
    version: required,
    host: required,
    pid: { type: Number, required: true },
    startedAt: time,
    seenAt: time,
    settings: { type: [settingSchema], required: true },
  },
  { collection: 'processes', versionKey: false },
);
keepWhole(schema, 'one document for each process');
// Serves: removal of killed processes, which are listed until then.
schema.index({ seenAt: 1 }, { expireAfterSeconds: PROCESS_KEPT_SECONDS });

export function createProcessModel(connection: Connection): Model<ProcessDocument> {
  return connection.model<ProcessDocument>('Process', schema);
}
