import { type Connection, type Model, Schema } from 'mongoose';
import type { AccountId } from '../../kernel/account.ts';
import type { StoredBytes } from '../../kernel/binary.ts';
import { setShardKey } from '../../kernel/database/shard-keys.ts';
import { PAYMENT_METHOD_TYPES, type PaymentMethodType } from '../payment-method.ts';
import { BLOCKER_KINDS, type Blocker, CIP_STATUSES, type UserRecord } from '../user.ts';

/** A partner's end user as stored. */
export interface UserDocument
  extends Omit<UserRecord, 'userId' | 'profile' | 'cipResult' | 'blockedReason' | 'erasureReason'> {
  _id: string;
  /** Digests that find a registered user: of the phone number, and of the email in lower case. */
  phoneKey?: string;
  emailKey?: string;
  /** Digests of the words of the names; absent without any. */
  nameKeys?: string[];
  /** Sealed JSON of UserProfile; context `accountId|profile|userId`. */
  profile: StoredBytes;
  /** Sealed JSON of the checker's report; context `accountId|cipResult|userId`. */
  cipResult?: StoredBytes;
  /** Sealed text; context `accountId|blockedReason|userId`. */
  blockedReason?: StoredBytes;
  /** Counts the transactions that needed the user to be unblocked: each of them conflicts with a block. */
  holds?: number;
  /** Sealed text; context `accountId|erasureReason|userId`. */
  erasureReason?: StoredBytes;
  /** Set from the mark of an erasure until nothing of the user's data is left. */
  isErasing?: true;
}

/** A person that a user asks for money, as stored. */
export interface ContactDocument {
  _id: string;
  accountId: AccountId;
  userId: string;
  /** The same digests as a user's: a contact who is a user of the account has the same. */
  phoneKey: string;
  emailKey?: string;
  /** Sealed JSON of the contact's data; context `accountId|person|contactId`. */
  person: StoredBytes;
  /** Requests for money to this contact. */
  requests: number;
  lastRequestedAt?: Date;
  createdAt: Date;
}

/** A payout method of a user, as stored. */
export interface PaymentMethodDocument {
  _id: string;
  accountId: AccountId;
  userId: string;
  type: PaymentMethodType;
  /** Digest of type, number, country and currency: methods with the same digest are the same. */
  fingerprint: string;
  /** Sealed: the token of a card, the number of an account; context `accountId|number|paymentMethodId`. */
  number?: StoredBytes;
  country: string;
  currency: string;
  isPrimary: boolean;
  createdAt: Date;
}

const required = { type: String, required: true };
const time = { type: Date, required: true };

const blockerSchema = new Schema<Blocker>(
  { kind: { type: String, required: true, enum: BLOCKER_KINDS }, id: String, name: String },
  { _id: false, id: false },
);

const userSchema = new Schema<UserDocument>(
  {
    _id: required,
    accountId: required,
    referenceId: String,
    phoneKey: String,
    emailKey: String,
    nameKeys: { type: [String], default: undefined },
    profile: { type: Buffer, required: true },
    cipStatus: { type: String, required: true, enum: CIP_STATUSES },
    cipProvider: String,
    cipVerifiedAt: Date,
    cipResult: Buffer,
    blocked: { type: Boolean, required: true },
    blockedAt: Date,
    blockedReason: Buffer,
    blockedBy: blockerSchema,
    version: Number,
    holds: Number,
    erasureRequestedAt: Date,
    erasureReason: Buffer,
    isErasing: Boolean,
    erasedAt: Date,
    createdAt: time,
    updatedAt: time,
  },
  { collection: 'users', versionKey: false },
);
setShardKey(
  userSchema,
  ['accountId', '_id'],
  'its changes name account and id; a large account may be divided; claims make references, phone numbers and emails unique',
);
// Serve: a user by the partner's id, by phone number and by email.
for (const key of ['referenceId', 'phoneKey', 'emailKey']) {
  userSchema.index({ accountId: 1, [key]: 1 }, { partialFilterExpression: { [key]: { $exists: true } } });
}
// Serves: users by a word of their names, newest first.
userSchema.index(
  { accountId: 1, nameKeys: 1, createdAt: -1, _id: -1 },
  { partialFilterExpression: { nameKeys: { $exists: true } } },
);
// Serve: the list of an account's users, whole, of a state of the identity check, blocked or not, in both directions.
for (const filter of [{}, { cipStatus: 1 }, { blocked: 1 }, { cipStatus: 1, blocked: 1 }] as const) {
  userSchema.index({ accountId: 1, ...filter, createdAt: -1, _id: -1 });
}
// Serves: users whose erasure is not done, oldest first; has only those.
userSchema.index({ erasureRequestedAt: 1 }, { partialFilterExpression: { isErasing: true } });

const contactSchema = new Schema<ContactDocument>(
  {
    _id: required,
    accountId: required,
    userId: required,
    phoneKey: required,
    emailKey: String,
    person: { type: Buffer, required: true },
    requests: { type: Number, required: true },
    lastRequestedAt: Date,
    createdAt: time,
  },
  { collection: 'contacts', versionKey: false },
);
setShardKey(
  contactSchema,
  ['accountId', 'userId'],
  'read and written by user; a large account may be divided',
);
// Serves: a user's contact by phone number; one contact for each.
contactSchema.index({ accountId: 1, userId: 1, phoneKey: 1 }, { unique: true });
// Serves: the contacts of all users with a phone number, newest first.
contactSchema.index({ accountId: 1, phoneKey: 1, createdAt: -1, _id: -1 });
// Serves: a user's contact by email, the newest of several.
contactSchema.index(
  { accountId: 1, userId: 1, emailKey: 1, createdAt: -1, _id: -1 },
  { partialFilterExpression: { emailKey: { $exists: true } } },
);
// Serves: the contacts that a user requests money from most.
contactSchema.index({ accountId: 1, userId: 1, requests: -1, lastRequestedAt: -1, _id: 1 });
// Serves: the list of a user's contacts, newest first.
contactSchema.index({ accountId: 1, userId: 1, createdAt: -1, _id: -1 });

const paymentMethodSchema = new Schema<PaymentMethodDocument>(
  {
    _id: required,
    accountId: required,
    userId: required,
    type: { type: String, required: true, enum: PAYMENT_METHOD_TYPES },
    fingerprint: required,
    number: Buffer,
    country: required,
    currency: required,
    isPrimary: { type: Boolean, required: true },
    createdAt: time,
  },
  { collection: 'paymentMethods', versionKey: false },
);
setShardKey(
  paymentMethodSchema,
  ['accountId', 'userId'],
  'read and written by user; a large account may be divided',
);
// Serves: whether a user has this card or account; each once.
paymentMethodSchema.index({ accountId: 1, userId: 1, fingerprint: 1 }, { unique: true });
// Serves: whether a user has a primary method; one at most.
paymentMethodSchema.index(
  { accountId: 1, userId: 1, isPrimary: 1 },
  { unique: true, partialFilterExpression: { isPrimary: true } },
);
// Serves: the list of a user's payout methods, newest first.
paymentMethodSchema.index({ accountId: 1, userId: 1, createdAt: -1, _id: -1 });

interface UsersModels {
  readonly users: Model<UserDocument>;
  readonly contacts: Model<ContactDocument>;
  readonly paymentMethods: Model<PaymentMethodDocument>;
}

export function createUsersModels(connection: Connection): UsersModels {
  return {
    users: connection.model<UserDocument>('User', userSchema),
    contacts: connection.model<ContactDocument>('Contact', contactSchema),
    paymentMethods: connection.model<PaymentMethodDocument>('PaymentMethod', paymentMethodSchema),
  };
}
