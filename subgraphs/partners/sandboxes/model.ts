import { type Connection, type Model, Schema } from 'mongoose';
import type { AccountId } from '../../kernel/account.ts';
import { keepWhole } from '../../kernel/database/shard-keys.ts';

/** RUNNING removes records in the background. */
const RESET_STATES = ['RUNNING', 'DONE'] as const;
type ResetState = (typeof RESET_STATES)[number];

/** The last reset of a sandbox. */
export interface StoredReset {
  /** `sr_` and 20 characters. */
  readonly id: string;
  readonly state: ResetState;
  /** Records at its start. */
  readonly found: number;
  /** Records removed so far. */
  readonly removed: number;
  readonly startedAt: Date;
  readonly finishedAt?: Date;
}

/** A sandbox whose clock was set ahead or whose records were reset. Other sandboxes have no document. */
interface SandboxDocument {
  _id: AccountId;
  /** How far its clock is ahead of the database's, milliseconds. */
  aheadMs: number;
  /** When `aheadMs` changed last, by the database's clock: processes read the clocks that have changed. */
  clockSetAt: Date;
  reset?: StoredReset;
}

const number = { type: Number, required: true };
const time = { type: Date, required: true };

const resetSchema = new Schema<StoredReset>(
  {
    id: { type: String, required: true },
    state: { type: String, required: true, enum: RESET_STATES },
    found: number,
    removed: number,
    startedAt: time,
    finishedAt: Date,
  },
  { _id: false },
);

const schema = new Schema<SandboxDocument>(
  { _id: { type: String, required: true }, aheadMs: number, clockSetAt: time, reset: { type: resetSchema } },
  { collection: 'sandboxes', versionKey: false },
);
keepWhole(schema, 'few, and read by every process');
// Serves: clocks that have changed, which every process of a deployment with sandboxes reads each second.
schema.index({ clockSetAt: 1 });
// Serves: running resets; has only those.
schema.index({ 'reset.state': 1 }, { partialFilterExpression: { 'reset.state': 'RUNNING' } });

export type SandboxModel = Model<SandboxDocument>;

export function createSandboxModel(connection: Connection): SandboxModel {
  return connection.model<SandboxDocument>('Sandbox', schema);
}
