import { type Connection, type Model, Schema } from 'mongoose';
import type { AccountId } from '../../kernel/account.ts';
import type { StoredBytes } from '../../kernel/binary.ts';
import { keepWhole, setShardKey } from '../../kernel/database/shard-keys.ts';
import type { NewEvent } from '../../runtime/events/index.ts';
import { CHART, ENTRY_KINDS, type EntryKind, type JournalLine } from '../chart.ts';

/** A journal entry for one change of one entity, as its writer posts it. It has no personal data. */
export interface NewEntry {
  readonly accountId: AccountId;
  /** The event of the change: entity, id and version are those of the event log. */
  readonly entity: NewEvent['entity'];
  readonly entityId: string;
  readonly version: number;
  readonly kind: EntryKind;
  /** They balance in each currency. */
  readonly lines: readonly JournalLine[];
  /** The account's time of the change. */
  readonly createdAt: Date;
}

/** The place of an entry in the chain of its account. */
interface EntryPlace {
  /** 1, 2, 3… in the order of the event log. */
  readonly number: number;
  /** When it counts: `createdAt`, or if that is later, the time of the entry before it or the end of a closed day. It never goes back. */
  readonly bookedAt: Date;
  /** The day of `bookedAt` in UTC, `YYYY-MM-DD`. */
  readonly day: string;
  /** SHA-256 of the hash before it and of the entry, in hexadecimal; see `chain.ts`. */
  readonly hash: string;
}

/** An entry as stored. Nothing of it changes but the place, which sealing gives it once. */
export interface EntryDocument extends NewEntry, Partial<EntryPlace> {
  readonly _id: string;
  /** true until the entry is sealed. */
  readonly pending?: true;
}

export type SealedEntry = Omit<EntryDocument, 'pending'> & EntryPlace;

/** How far an account's chain goes. */
export interface ChainEnd {
  /** The number of its last entry. */
  readonly number: number;
  /** The hash of its last entry. */
  readonly hash: string;
  /** When its last entry counts. */
  readonly bookedAt: Date;
  /** Balances of the ledger accounts after it, in a fixed order; those of 0 are left out. */
  readonly balances: readonly JournalLine[];
}

/** The end of an account's chain: one document, which each sealing changes by compare-and-set. */
export interface HeadDocument extends ChainEnd {
  /** The same as `accountId`. */
  readonly _id: AccountId;
  readonly accountId: AccountId;
  /** The number of the last event of the log whose entries are sealed. */
  readonly seq: number;
  /** The end, encrypted: only a holder of `ENCRYPTION_KEY` can make it. Context `accountId|seal|_id`. */
  readonly seal: StoredBytes;
}

/** Where the chain stood at the end of a day. */
export interface DayDocument extends ChainEnd {
  /** `accountId|YYYY-MM-DD` */
  readonly _id: string;
  readonly accountId: AccountId;
  readonly day: string;
  /** The end, encrypted. Context `accountId|seal|_id`. */
  readonly seal: StoredBytes;
}

const required = { type: String, required: true };
const time = { type: Date, required: true };
const count = { type: Number, required: true };
const lines = {
  type: [
    new Schema<JournalLine>(
      {
        account: { type: String, required: true, enum: Object.keys(CHART) },
        currency: required,
        amount: required,
      },
      { _id: false },
    ),
  ],
  required: true,
};

const entrySchema = new Schema<EntryDocument>(
  {
    _id: required,
    accountId: required,
    entity: required,
    entityId: required,
    version: count,
    kind: { type: String, required: true, enum: Object.keys(ENTRY_KINDS) },
    lines,
    createdAt: time,
    pending: Boolean,
    number: Number,
    bookedAt: Date,
    day: String,
    hash: String,
  },
  { collection: 'journalEntries', versionKey: false, strict: 'throw' },
);
setShardKey(
  entrySchema,
  ['accountId', 'entityId'],
  'written with its entity; a large account may be divided',
);
// Serves: the entries of entities; one entry for each of their versions.
entrySchema.index({ accountId: 1, entityId: 1, entity: 1, version: 1 }, { unique: true });
// Serves: the list of an account's entries, newest first.
entrySchema.index({ accountId: 1, createdAt: -1, _id: -1 });
// Serves: an account's chain in order, whole or from a number.
entrySchema.index({ accountId: 1, number: 1 }, { partialFilterExpression: { number: { $exists: true } } });
// Serves: the accounts with entries to seal; has only these entries.
entrySchema.index({ pending: 1, accountId: 1 }, { partialFilterExpression: { pending: true } });

const end = {
  number: count,
  hash: required,
  bookedAt: time,
  balances: lines,
  seal: { type: Buffer, required: true },
};

const headSchema = new Schema<HeadDocument>(
  { _id: required, accountId: required, ...end, seq: count },
  { collection: 'journalHeads', versionKey: false, strict: 'throw' },
);
keepWhole(headSchema, 'a document for each account');

const daySchema = new Schema<DayDocument>(
  { _id: required, accountId: required, day: required, ...end },
  { collection: 'journalDays', versionKey: false, strict: 'throw' },
);
keepWhole(daySchema, 'a document for each account and day');
// Serves: the days of an account in order, and the last one before a day.
daySchema.index({ accountId: 1, day: 1 });

export interface LedgerModels {
  readonly entries: Model<EntryDocument>;
  readonly heads: Model<HeadDocument>;
  readonly days: Model<DayDocument>;
}

export function createLedgerModels(connection: Connection): LedgerModels {
  return {
    entries: connection.model<EntryDocument>('JournalEntry', entrySchema),
    heads: connection.model<HeadDocument>('JournalHead', headSchema),
    days: connection.model<DayDocument>('JournalDay', daySchema),
  };
}
