import { type Connection, type Model, Schema } from 'mongoose';
import type { AccountId } from '../../kernel/account.ts';
import { keepWhole } from '../../kernel/database/shard-keys.ts';
import { CHART, ENTRY_KINDS, type EntryKind, type LedgerAccount } from '../chart.ts';
import type { ChainEnd } from '../store/model.ts';

/** Lengths of the periods that statements are of. */
export type StatementPeriod = 'day' | 'month';

/** An amount in a ledger account, in the currency of the statement. */
export interface StatementAmount {
  readonly account: LedgerAccount;
  /** A decimal string, never 0: a debit is above 0, a credit below. */
  readonly amount: string;
}

/** The entries of one kind in a period. */
export interface StatementMovement {
  readonly kind: EntryKind;
  /** How many entries have the currency. */
  readonly entries: number;
  /** Their sums, in a fixed order. */
  readonly amounts: readonly StatementAmount[];
}

/** A statement: where the ledger accounts stood before and after a period, in one currency. Nothing of it ever changes. */
export interface StatementDocument {
  /** `accountId|id`: there is one for each account, period and currency. */
  readonly _id: string;
  readonly accountId: AccountId;
  /** `2026-11-20-USD`, or `2026-11-USD` of a month. */
  readonly id: string;
  readonly period: StatementPeriod;
  /** The day or the month: `2026-11-20`, `2026-11`. */
  readonly name: string;
  readonly currency: string;
  /** IANA name of the zone in which the period ends. */
  readonly timeZone: string;
  readonly from: Date;
  /** The first instant after it. */
  readonly to: Date;
  readonly opening: readonly StatementAmount[];
  /** In the order of the kinds. */
  readonly movements: readonly StatementMovement[];
  /** Fees of the period: the increase of the credit of FEE_INCOME. A decimal string. */
  readonly fees: string;
  /** Change of FX_POSITION: above 0, the currency was bought. A decimal string. */
  readonly fx: string;
  readonly closing: readonly StatementAmount[];
  /** The numbers of the account's last sealed entries before and in the period; the same when it has none. */
  readonly entriesAfter: number;
  readonly lastEntry: number;
  /** The hashes of these entries. */
  readonly hashBefore: string;
  readonly hash: string;
  /** When it was issued, by the account's clock. */
  readonly createdAt: Date;
}

/** Where a chain stood at the end of a period. */
export type ChainPosition = Omit<ChainEnd, 'bookedAt'>;

/** The last day of an account that was closed: one document, which each closing changes by compare-and-set. */
export interface ClosingDocument extends ChainPosition {
  /** The same as `accountId`. */
  readonly _id: AccountId;
  readonly accountId: AccountId;
  /** `YYYY-MM-DD` */
  readonly day: string;
  /** When the day ended, and the next one began. */
  readonly endsAt: Date;
  /** Where the chain stood when the month of the day began. */
  readonly month: ChainPosition & { readonly from: Date };
}

const required = { type: String, required: true };
const time = { type: Date, required: true };
const count = { type: Number, required: true };
const amount = { account: { type: String, required: true, enum: Object.keys(CHART) }, amount: required };
const amounts = { type: [new Schema<StatementAmount>(amount, { _id: false })], required: true };
const movement = {
  kind: { type: String, required: true, enum: Object.keys(ENTRY_KINDS) },
  entries: count,
  amounts,
};

const statementSchema = new Schema<StatementDocument>(
  {
    _id: required,
    accountId: required,
    id: required,
    period: { type: String, required: true, enum: ['day', 'month'] },
    name: required,
    currency: required,
    timeZone: required,
    from: time,
    to: time,
    opening: amounts,
    movements: { type: [new Schema<StatementMovement>(movement, { _id: false })], required: true },
    fees: required,
    fx: required,
    closing: amounts,
    entriesAfter: count,
    lastEntry: count,
    hashBefore: required,
    hash: required,
    createdAt: time,
  },
  // `id` is a field of its own.
  { collection: 'statements', versionKey: false, strict: 'throw', id: false },
);
keepWhole(statementSchema, 'a few documents for each account and day');
// Serves: the list of an account's statements, newest first.
statementSchema.index({ accountId: 1, createdAt: -1, _id: -1 });

const balance = { account: amount.account, currency: required, amount: required };
const end = {
  number: count,
  hash: required,
  balances: { type: [new Schema(balance, { _id: false })], required: true },
};
const closingSchema = new Schema<ClosingDocument>(
  {
    _id: required,
    accountId: required,
    ...end,
    day: required,
    endsAt: time,
    month: { type: new Schema({ ...end, from: time }, { _id: false }), required: true },
  },
  { collection: 'statementClosings', versionKey: false, strict: 'throw' },
);
keepWhole(closingSchema, 'a document for each account');

export interface StatementModels {
  readonly statements: Model<StatementDocument>;
  readonly closings: Model<ClosingDocument>;
}

export function createStatementModels(connection: Connection): StatementModels {
  return {
    statements: connection.model<StatementDocument>('Statement', statementSchema),
    closings: connection.model<ClosingDocument>('StatementClosing', closingSchema),
  };
}
