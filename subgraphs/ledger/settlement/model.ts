import { type Connection, type Model, Schema } from 'mongoose';
import type { AccountId } from '../../kernel/account.ts';
import type { StoredBytes } from '../../kernel/binary.ts';
import { keepWhole } from '../../kernel/database/shard-keys.ts';
import { keysOf } from '../../kernel/objects.ts';

/** The kinds of discrepancies between a provider's files and the journal. */
export const DISCREPANCY_KINDS = {
  MISSING_WITH_US: "A row of the provider's file has no movement in the journal.",
  MISSING_WITH_THEM:
    'A movement in the journal has no row in any file, although a file of its day was imported.',
  AMOUNT_DIFFERS: 'A row and the movement of its operation have different amounts.',
  DUPLICATE: 'A row has a movement that another row has already.',
} as const;
export type DiscrepancyKind = keyof typeof DISCREPANCY_KINDS;

/** The states of discrepancies. Each may follow each. */
export const DISCREPANCY_STATES = {
  OPEN: 'Nobody has looked at it yet.',
  INVESTIGATING: 'Somebody looks for its cause.',
  RESOLVED: 'Its cause is found and corrected.',
  ACCEPTED: 'It stays as it is.',
} as const;
export type DiscrepancyState = keyof typeof DISCREPANCY_STATES;

/** The states in which a discrepancy still needs somebody. */
export const UNSETTLED: readonly DiscrepancyState[] = ['OPEN', 'INVESTIGATING'];

/** The import of a file. */
export interface SettlementFileDocument {
  /** `accountId|`, `fileId`, `|` and a digest of mapping and period */
  _id: string;
  accountId: AccountId;
  /** As the mapping names it. */
  provider: string;
  /** SHA-256 of the file in hexadecimal. */
  fileId: string;
  rows: number;
  /** Rows that match. Rows that neither match nor have a discrepancy were in an earlier import. */
  matched: number;
  /** Discrepancies that this import has opened, by kind; kinds without any are absent. */
  opened: Partial<Record<DiscrepancyKind, number>>;
  createdAt: Date;
  /** Absent until everything is imported. */
  finishedAt?: Date;
}

/** A row of a file, so that it counts once. It has nothing of the file but its digest. */
interface SettlementRowDocument {
  /** `accountId|`, the digest of its content, `|` and how many rows of the file before it have the same content */
  _id: string;
  accountId: AccountId;
  /** The movement that it was compared with, see `match.ts`; absent when there is none. */
  movement?: string;
  isMatch: boolean;
}

/** An account's turn: each transaction of an import changes it, so of two at once one is begun again behind the other. */
interface SettlementTurnDocument {
  /** The same as `accountId`. */
  _id: AccountId;
  accountId: AccountId;
  transactions: number;
}

/** A discrepancy. Amounts are decimal strings: money that came to the provider is above 0, a payout below. */
export interface DiscrepancyDocument {
  _id: string;
  accountId: AccountId;
  kind: DiscrepancyKind;
  state: DiscrepancyState;
  /** true while the state needs somebody; otherwise absent. */
  unsettled?: true;
  provider: string;
  /** SHA-256 of the file that has the row; for `MISSING_WITH_THEM`, of the file whose import opened it. */
  fileId: string;
  /** Where the row ends in the file, lines from 1; absent for `MISSING_WITH_THEM`. */
  line?: number;
  /** The id of a row without a movement, until it is found. */
  row?: string;
  /** The operationId, as the file or the journal has it. */
  reference: string;
  currency: string;
  providerAmount?: string;
  providerDay?: string;
  ourAmount?: string;
  ourDay?: string;
  /** The number of its changes. */
  version: number;
  /** Sealed JSON of its changes, oldest first, with all that people write; context `accountId|log|_id`. Absent without any. */
  log?: StoredBytes;
  createdAt: Date;
}

const required = { type: String, required: true };
const time = { type: Date, required: true };
const count = { type: Number, required: true };

const fileSchema = new Schema<SettlementFileDocument>(
  {
    _id: required,
    accountId: required,
    provider: required,
    fileId: required,
    rows: count,
    matched: count,
    opened: { type: Schema.Types.Mixed, required: true },
    createdAt: time,
    finishedAt: Date,
  },
  { collection: 'settlementFiles', versionKey: false, strict: 'throw', minimize: false },
);
keepWhole(fileSchema, 'a document for each file');
// Serves: the removal by a reset.
fileSchema.index({ accountId: 1 });

const rowSchema = new Schema<SettlementRowDocument>(
  { _id: required, accountId: required, movement: String, isMatch: { type: Boolean, required: true } },
  { collection: 'settlementRows', versionKey: false, strict: 'throw' },
);
keepWhole(rowSchema, 'written in one transaction with the document of its file');
// Serves: the rows of movements.
rowSchema.index({ accountId: 1, movement: 1 });

const turnSchema = new Schema<SettlementTurnDocument>(
  { _id: required, accountId: required, transactions: count },
  { collection: 'settlementTurns', versionKey: false, strict: 'throw' },
);
keepWhole(turnSchema, 'a document for each account');

const discrepancySchema = new Schema<DiscrepancyDocument>(
  {
    _id: required,
    accountId: required,
    kind: { type: String, required: true, enum: keysOf(DISCREPANCY_KINDS) },
    state: { type: String, required: true, enum: keysOf(DISCREPANCY_STATES) },
    unsettled: Boolean,
    provider: required,
    fileId: required,
    line: Number,
    row: String,
    reference: required,
    currency: required,
    providerAmount: String,
    providerDay: String,
    ourAmount: String,
    ourDay: String,
    version: count,
    log: Buffer,
    createdAt: time,
  },
  { collection: 'discrepancies', versionKey: false, strict: 'throw' },
);
keepWhole(discrepancySchema, 'few, and counted over all accounts');
for (const filter of [{}, { state: 1 }, { kind: 1 }, { kind: 1, state: 1 }, { reference: 1 }] as const) {
  // Serve: the list of an account's discrepancies, newest first, whole or of a state, a kind, both, or a reference.
  discrepancySchema.index({ accountId: 1, ...filter, createdAt: -1, _id: -1 });
}
// Serves: rows that had no movement, to compare them again; has only these.
discrepancySchema.index(
  { accountId: 1, provider: 1 },
  { partialFilterExpression: { row: { $exists: true } } },
);
// Serves: the figures of those that need somebody; has only these.
discrepancySchema.index({ unsettled: 1, state: 1 }, { partialFilterExpression: { unsettled: true } });

export interface SettlementModels {
  readonly files: Model<SettlementFileDocument>;
  readonly rows: Model<SettlementRowDocument>;
  readonly turns: Model<SettlementTurnDocument>;
  readonly discrepancies: Model<DiscrepancyDocument>;
}

export function createSettlementModels(connection: Connection): SettlementModels {
  return {
    files: connection.model<SettlementFileDocument>('SettlementFile', fileSchema),
    rows: connection.model<SettlementRowDocument>('SettlementRow', rowSchema),
    turns: connection.model<SettlementTurnDocument>('SettlementTurn', turnSchema),
    discrepancies: connection.model<DiscrepancyDocument>('Discrepancy', discrepancySchema),
  };
}
