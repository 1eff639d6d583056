import { type Connection, type Model, Schema } from 'mongoose';
import type { AccountId } from '../../kernel/account.ts';
import { findPlain } from '../../kernel/database/plain-reads.ts';
import { setShardKey } from '../../kernel/database/shard-keys.ts';
import type { UnitOfWork } from '../../kernel/database/unit-of-work.ts';
import type { Quote } from '../../kernel/money/quote.ts';

/** How long the database keeps a quote after its end, by its own clock: a day, in which a late request learns why it fails. */
export const QUOTE_KEPT_MS = 86_400_000;

/**
 * A price that is locked for one request for money, as stored. It has no data of people, so an erasure leaves it. Nothing but its
 * use changes it.
 */
export interface QuoteDocument extends Quote {
  /** The quoteId of the API. */
  _id: string;
  accountId: AccountId;
  /** ISO 3166-1 alpha-2 */
  sourceCountry: string;
  destinationCountry: string;
  /** The time of the rate; absent between equal currencies. */
  rateAsOf?: Date;
  /** By the account's clock, as `expiresAt`. */
  createdAt: Date;
  /** From then on nothing is priced by it. */
  expiresAt: Date;
  /** When a request used it; absent while it is unused. */
  usedAt?: Date;
  /** When the database removes it, by its own clock: that of a sandbox may be ahead. */
  removedAt: Date;
}

/** The caller's transaction has found its quote used or expired, and has written nothing. */
export class QuoteUnusableError extends Error {
  override readonly name = 'QuoteUnusableError';
}

/** Reads and writes quotes. */
export interface Quotes {
  insert(quote: QuoteDocument, unit: UnitOfWork): void;
  /** The account's quote with this id. */
  find(accountId: AccountId, quoteId: string): Promise<QuoteDocument | undefined>;
  /**
   * Uses a quote, in the transaction of the request that is priced by it. Otherwise the transaction ends with
   * {@link QuoteUnusableError}: another request has used it, or it has expired at `at`.
   */
  use(quote: { accountId: AccountId; quoteId: string; at: Date }, unit: UnitOfWork): void;
}

export function createQuotes(model: Model<QuoteDocument>): Quotes {
  return {
    insert: (quote, unit) => unit.insert(model, [quote]),
    find: async (accountId, quoteId) => (await findPlain(model, { _id: quoteId, accountId }, {}))[0],
    use: ({ accountId, quoteId, at }, unit) =>
      unit.update(model, {
        filter: { _id: quoteId, accountId, usedAt: { $exists: false }, expiresAt: { $gt: at } },
        update: { $set: { usedAt: at } },
        otherwise: () => new QuoteUnusableError(`The quote ${quoteId} was used or has expired`),
      }),
  };
}

const required = { type: String, required: true };
const time = { type: Date, required: true };

const quoteSchema = new Schema<QuoteDocument>(
  {
    _id: required,
    accountId: required,
    sourceCountry: required,
    destinationCountry: required,
    recipientAmount: required,
    recipientCurrency: required,
    senderAmount: required,
    senderCurrency: required,
    exchangeRate: required,
    tenantFee: required,
    amount: required,
    rateAsOf: Date,
    createdAt: time,
    expiresAt: time,
    usedAt: Date,
    removedAt: time,
  },
  { collection: 'quotes', versionKey: false },
);
setShardKey(
  quoteSchema,
  ['accountId', '_id'],
  'every statement names account and id; a large account may be divided',
);
// Serves: the reset of a sandbox.
quoteSchema.index({ accountId: 1, _id: 1 });
// Serves: the removal of old quotes by the database.
quoteSchema.index({ removedAt: 1 }, { expireAfterSeconds: 0 });

export function createQuoteModel(connection: Connection): Model<QuoteDocument> {
  return connection.model<QuoteDocument>('Quote', quoteSchema);
}
