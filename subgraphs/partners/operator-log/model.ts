import { type Connection, type Model, Schema } from 'mongoose';
import type { Environment } from '../../kernel/account.ts';
import { keepWhole } from '../../kernel/database/shard-keys.ts';

/** Where an operator acts: on the command line, or in a console session. */
const OPERATOR_SOURCES = ['COMMAND', 'CONSOLE'] as const;
export type OperatorSource = (typeof OPERATOR_SOURCES)[number];

/** The operator who acts. */
export interface Operator {
  source: OperatorSource;
  /** The label of the console session, which may be empty; of a command, the user of the operating system. */
  actor: string;
  /** The console session; absent for commands. */
  sessionId?: string;
  /** The machine of the command; absent in the console. */
  host?: string;
}

/** The public state of a record before or after an act: nothing secret, and no personal data of users and payers. */
export type ActState = Readonly<Record<string, unknown>>;

/** An act of an operator as stored. Entries are only ever added. */
export interface OperatorLogDocument extends Operator {
  _id: string;
  /** The database's time. */
  createdAt: Date;
  /** The name of the admin command that does the same, such as `remittances retry`. */
  act: string;
  /** The partner that the act is about; absent when it is about all of them. */
  tenantId?: string;
  environment?: Environment;
  /** The id of the record that it changes, such as a correlationId or a keyId. */
  subject?: string;
  /** Why, as the operator says; absent if they say nothing. */
  reason?: string;
  before?: ActState;
  after?: ActState;
}

const required = { type: String, required: true };

const schema = new Schema<OperatorLogDocument>(
  {
    _id: required,
    createdAt: { type: Date, required: true },
    source: { type: String, required: true, enum: OPERATOR_SOURCES },
    actor: { type: String, default: '' },
    sessionId: String,
    host: String,
    act: required,
    tenantId: String,
    environment: String,
    subject: String,
    reason: String,
    before: Schema.Types.Mixed,
    after: Schema.Types.Mixed,
  },
  { collection: 'operatorLog', versionKey: false },
);
keepWhole(schema, 'a few entries a day, read by the operators of the platform');
// Serve: the log, newest first, whole or of one partner. It is kept for good: no index removes entries.
schema.index({ createdAt: -1, _id: -1 });
schema.index({ tenantId: 1, createdAt: -1, _id: -1 });

export type OperatorLogModel = Model<OperatorLogDocument>;

export function createOperatorLogModel(connection: Connection): OperatorLogModel {
  return connection.model<OperatorLogDocument>('OperatorLogEntry', schema);
}
