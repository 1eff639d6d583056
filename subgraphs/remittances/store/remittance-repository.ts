import type { Model, QueryFilter, UpdateQuery } from 'mongoose';
import type { Connection } from '../../graph/connection.ts';
import { type Order, type Page, paginate } from '../../graph/paginate.ts';
import { createPaymentSource, type PaymentSource } from '../../graph/payment-source.ts';
import type { AccountId } from '../../kernel/account.ts';
import { ofAccount } from '../../kernel/database/of-account.ts';
import { CONFIRMED } from '../../kernel/database/plain-reads.ts';
import type { UnitOfWork } from '../../kernel/database/unit-of-work.ts';
import { LeaseLostError } from '../../runtime/work/claim.ts';
import { REMITTANCE_STATUSES } from '../lifecycle.ts';
import type { RemittanceDocument } from './model.ts';

/** The statuses of those without an operation. */
const WITHOUT_OPERATION = REMITTANCE_STATUSES.filter((status) => status !== 'SUCCEEDED');

/** A remittance that a worker has a lease of, as its last step left it. */
export interface Held {
  readonly document: RemittanceDocument;
  readonly leaseToken: string;
  readonly leaseUntil: Date;
}

/** A list of remittances: which, and in what order. Each combination has an index (model.ts). */
export interface RemittanceListing {
  readonly filter: QueryFilter<RemittanceDocument>;
  readonly order: Order;
}

/** Reads and writes remittances. */
export interface RemittanceRepository {
  findMany(accountId: AccountId, correlationIds: readonly string[]): Promise<Map<string, RemittanceDocument>>;
  /** Those without an operation whose payer has a phone number with one of these digests, newest first, at most `most`. */
  findByPayer(
    accountId: AccountId,
    payerKeys: readonly string[],
    most: number,
  ): Promise<RemittanceDocument[]>;
  list(accountId: AccountId, listing: RemittanceListing, page: Page): Promise<Connection<RemittanceDocument>>;
  /** Those of a user, as payments. */
  readonly payments: PaymentSource<RemittanceDocument>;
  insert(remittance: RemittanceDocument, unit: UnitOfWork): void;
  /** Reads a remittance in the caller's transaction. */
  find(
    accountId: AccountId,
    correlationId: string,
    unit: UnitOfWork,
  ): Promise<RemittanceDocument | undefined>;
  /**
   * Changes a remittance that the transaction has read, whatever worker has it: the worker's own outcome is stale then. The
   * update has the next version.
   */
  changeRead(
    read: Pick<RemittanceDocument, '_id' | 'accountId' | 'version'>,
    update: UpdateQuery<RemittanceDocument>,
    unit: UnitOfWork,
  ): void;
  /**
   * Changes a remittance if it still has the worker's version and lease. When another worker has taken it over or moved it
   * on, the transaction ends with LeaseLostError and changes nothing.
   */
  change(held: Held, update: UpdateQuery<RemittanceDocument>, unit: UnitOfWork): void;
}

const AMOUNTS = { amount: 'quote.recipientAmount', currency: 'quote.recipientCurrency' };

export function createRemittanceRepository(model: Model<RemittanceDocument>): RemittanceRepository {
  return {
    findMany: async (accountId, correlationIds) => {
      const _id = { $in: correlationIds.map((correlationId) => remittanceId(accountId, correlationId)) };
      const found = await model
        .find({ _id, accountId })
        .readConcern(CONFIRMED.level)
        .lean<RemittanceDocument[]>();
      return new Map(found.map((remittance) => [remittance.correlationId, remittance]));
    },
    findByPayer: (accountId, payerKeys, most) =>
      model
        .find({ accountId, payerKey: { $in: [...payerKeys] }, status: { $in: WITHOUT_OPERATION } })
        .sort({ createdAt: -1, _id: -1 })
        .limit(most)
        .lean<RemittanceDocument[]>(),
    list: (accountId, { filter, order }, page) =>
      paginate(model, ofAccount(accountId, filter), page, (remittance) => remittance, order),
    payments: createPaymentSource(model, AMOUNTS, (remittance) => remittance),
    insert: (remittance, unit) => unit.insert(model, [remittance]),
    find: async (accountId, correlationId, unit) =>
      (await model
        .findOne({ _id: remittanceId(accountId, correlationId), accountId })
        .session(unit.session)
        .lean<RemittanceDocument>()) ?? undefined,
    changeRead: ({ _id, accountId, version }, update, unit) =>
      unit.update(model, {
        filter: { _id, accountId, version },
        update,
        otherwise: () => new Error(`Remittance ${_id} changed within the transaction that read it`),
      }),
    change: ({ document, leaseToken }, update, unit) =>
      unit.update(model, {
        filter: {
          _id: document._id,
          accountId: document.accountId,
          version: document.version,
          leaseToken,
        },
        update,
        otherwise: () => new LeaseLostError(),
      }),
  };
}

/** The parts of an id; undefined for a text that is none. */
export function partsOfRemittanceId(id: string): { accountId: AccountId; correlationId: string } | undefined {
  const end = id.indexOf('|');
  return end < 0 ? undefined : { accountId: id.slice(0, end) as AccountId, correlationId: id.slice(end + 1) };
}

/** Tenants' ids have no `|` in them. */
export function remittanceId(accountId: AccountId, correlationId: string): string {
  return `${accountId}|${correlationId}`;
}
