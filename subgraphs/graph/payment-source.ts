import type { Model } from 'mongoose';
import type { AccountId } from '../kernel/account.ts';
import { toDocument } from '../kernel/database/document.ts';
import { readNewestTotals, type Total, type TotalsFields } from '../kernel/database/totals.ts';
import type { Connection } from './connection.ts';
import { type Page, paginate } from './paginate.ts';

/** Most payments of one kind that a user's totals count: the newest. People have a few hundred at most. */
export const MOST_COUNTED = 10_000;

/** A user of an account. */
export interface AccountUser {
  readonly accountId: AccountId;
  readonly userId: string;
}

/** The payments of a user of one kind: the records that begin them. Each payment has one such record. */
export interface PaymentSource<Stored> {
  /** Newest first. */
  page(user: AccountUser, page: Page): Promise<Connection<Stored>>;
  /** Count and sum for each currency, of the newest {@link MOST_COUNTED}. */
  totals(user: AccountUser): Promise<Total[]>;
  /** When the newest began; undefined without any. */
  newestAt(user: AccountUser): Promise<Date | undefined>;
}

interface Begun {
  readonly _id: string;
  readonly accountId: AccountId;
  readonly userId: string;
  readonly createdAt: Date;
}

/** Reads a collection with an index `{ accountId, userId, createdAt: -1, _id: -1 }`. */
export function createPaymentSource<Document extends Begun, Stored = Document>(
  model: Model<Document>,
  fields: Pick<TotalsFields, 'amount' | 'currency'>,
  present: (document: Document) => Stored,
): PaymentSource<Stored> {
  return {
    page: ({ accountId, userId }, page) =>
      paginate(model, { ...toDocument({ userId }), accountId }, page, present),
    totals: ({ accountId, userId }) =>
      readNewestTotals(model, { ...toDocument({ userId }), accountId }, fields, MOST_COUNTED),
    newestAt: async ({ accountId, userId }) => {
      const newest = await model
        .findOne(toDocument({ accountId, userId }))
        .sort({ createdAt: -1, _id: -1 })
        .select({ createdAt: 1 })
        .lean<Pick<Begun, 'createdAt'>>();
      return newest?.createdAt;
    },
  };
}
