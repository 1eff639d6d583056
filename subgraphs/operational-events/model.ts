import { type Connection, type Model, Schema } from 'mongoose';
import type { AccountId } from '../kernel/account.ts';
import { keepWhole } from '../kernel/database/shard-keys.ts';
import type { OperationalEventName } from '../webhook-events/operational.ts';

/** The kinds of conditions, by the event that reports each. */
const CONDITION_KINDS = [
  'endpoint.failing',
  'delivery.dead_lettered',
  'key.expiring',
  'remittance.stuck',
  'quota.near',
] as const;
export type ConditionKind = (typeof CONDITION_KINDS)[number];

/** A condition that was reported, so that it is reported once. A closed one is removed after a day. */
export interface ConditionDocument {
  /** `accountId|kind|subject` */
  _id: string;
  accountId: AccountId;
  kind: ConditionKind;
  /** The record that it is about, such as the id of a key or the digest of an endpoint's URL; empty for the account. */
  subject: string;
  isOpen: boolean;
  /** When it was reported last. */
  openedAt: Date;
  /** When it was last found. */
  seenAt: Date;
  /** Of dead-lettered webhooks: those up to this time of the account's clock were reported. */
  reportedTo?: Date;
  /** Of a failing endpoint: since when. */
  since?: Date;
  /** When a closed condition is removed. */
  expireAt?: Date;
}

/** An event for the mail of a partner. Kept for a month. */
export interface NoticeDocument {
  _id: string;
  accountId: AccountId;
  event: OperationalEventName;
  /** Ids and numbers of the event, by the names of its webhook; no data about people. */
  data: Record<string, unknown>;
  occurredAt: Date;
  /** When its mail is due. A claim moves it to the end of the lease. Absent: it was mailed, or is given up. */
  mailDueAt?: Date;
  /** The token of the process that mails it. */
  mailToken?: string;
  /** Attempts that did not reach all addresses. */
  mailAttempts: number;
  /** Keyed digests of the addresses that have it, or refuse it for good. */
  mailedTo: string[];
  expireAt: Date;
}

const required = { type: String, required: true };
const time = { type: Date, required: true };

const conditionSchema = new Schema<ConditionDocument>(
  {
    _id: required,
    accountId: required,
    kind: { type: String, required: true, enum: CONDITION_KINDS },
    subject: { type: String, default: '' },
    isOpen: { type: Boolean, required: true },
    openedAt: time,
    seenAt: time,
    reportedTo: Date,
    since: Date,
    expireAt: Date,
  },
  { collection: 'operationalConditions', versionKey: false },
);
keepWhole(conditionSchema, 'few for each account, and read by one process');
// Serves: the conditions of an account.
conditionSchema.index({ accountId: 1 });
// Serves: removal of closed conditions.
conditionSchema.index({ expireAt: 1 }, { expireAfterSeconds: 0 });

const noticeSchema = new Schema<NoticeDocument>(
  {
    _id: required,
    accountId: required,
    event: required,
    data: { type: Schema.Types.Mixed, required: true },
    occurredAt: time,
    mailDueAt: Date,
    mailToken: String,
    mailAttempts: { type: Number, required: true },
    mailedTo: { type: [String], required: true },
    expireAt: time,
  },
  { collection: 'operationalNotices', versionKey: false, minimize: false },
);
keepWhole(noticeSchema, 'few for each account, and read by one process');
// Serves: notices to mail; has only those.
noticeSchema.index({ mailDueAt: 1 }, { sparse: true });
// Serves: the reset of a sandbox.
noticeSchema.index({ accountId: 1 });
// Serves: removal of old notices.
noticeSchema.index({ expireAt: 1 }, { expireAfterSeconds: 0 });

/** The collections of operational events. */
export interface OperationalModels {
  readonly conditions: Model<ConditionDocument>;
  readonly notices: Model<NoticeDocument>;
}

export function createOperationalModels(connection: Connection): OperationalModels {
  return {
    conditions: connection.model<ConditionDocument>('OperationalCondition', conditionSchema),
    notices: connection.model<NoticeDocument>('OperationalNotice', noticeSchema),
  };
}
