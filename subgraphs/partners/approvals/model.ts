import { type Connection, type Model, Schema } from 'mongoose';
import type { AccountId } from '../../kernel/account.ts';
import type { StoredBytes } from '../../kernel/binary.ts';
import { keepWhole } from '../../kernel/database/shard-keys.ts';
import { FOUR_EYES_ACTS, type FourEyesAct } from '../tenants/four-eyes.ts';

/** PENDING waits for a decision, until its end; the other two are decided. */
export const APPROVAL_STATES = ['PENDING', 'APPROVED', 'REJECTED'] as const;
export type ApprovalState = (typeof APPROVAL_STATES)[number];

/** A person who asks or decides, in a console session. */
export interface Administrator {
  readonly sessionId: string;
  /** The label of the session: the person. */
  readonly person: string;
  /** Digest of the person at the company's OpenID Connect provider; absent in a session of a link. */
  readonly signedInAs?: string;
}

/** A request for the approval of an act, as stored. */
export interface ApprovalDocument {
  /** `apr_` and 20 characters. */
  _id: string;
  accountId: AccountId;
  /** The name of the mutation. */
  operation: string;
  acts: FourEyesAct[];
  /** Sealed JSON, as it may have a secret; context `accountId|input|_id`. The input of the mutation. */
  input: StoredBytes;
  state: ApprovalState;
  requestedBy: Administrator;
  createdAt: Date;
  /** From this time on it is neither approved nor rejected. */
  expiresAt: Date;
  decidedBy?: Administrator;
  decidedAt?: Date;
}

/** As long as deliveries and replays, seconds: 30 days. */
const KEPT_SECONDS = 30 * 86_400;

const required = { type: String, required: true };
const administrator = new Schema<Administrator>(
  { sessionId: required, person: required, signedInAs: String },
  { _id: false },
);

const schema = new Schema<ApprovalDocument>(
  {
    _id: required,
    accountId: required,
    operation: required,
    acts: { type: [String], required: true, enum: FOUR_EYES_ACTS },
    input: { type: Buffer, required: true },
    state: { type: String, required: true, enum: APPROVAL_STATES },
    requestedBy: { type: administrator, required: true },
    createdAt: { type: Date, required: true },
    expiresAt: { type: Date, required: true },
    decidedBy: { type: administrator },
    decidedAt: Date,
  },
  { collection: 'approvals', versionKey: false },
);
keepWhole(schema, 'few');
// Serves: an account's open requests of the last day, and its requests, newest first. Lists name all states.
schema.index({ accountId: 1, state: 1, createdAt: -1 });
// Serves: removal.
schema.index({ createdAt: 1 }, { expireAfterSeconds: KEPT_SECONDS });

export type ApprovalModel = Model<ApprovalDocument>;

export function createApprovalModel(connection: Connection): ApprovalModel {
  return connection.model<ApprovalDocument>('Approval', schema);
}
