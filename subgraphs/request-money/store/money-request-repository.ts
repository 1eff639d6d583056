import type { Model, QueryFilter } from 'mongoose';
import type { Connection } from '../../graph/connection.ts';
import { type Order, type Page, paginate } from '../../graph/paginate.ts';
import { createPaymentSource, type PaymentSource } from '../../graph/payment-source.ts';
import type { AccountId } from '../../kernel/account.ts';
import { toBuffer } from '../../kernel/binary.ts';
import type { Expired } from '../../kernel/clock/account-clock.ts';
import type { BlindIndex } from '../../kernel/crypto/blind-index.ts';
import type { Box } from '../../kernel/crypto/box.ts';
import { withAnyOf } from '../../kernel/database/any-of.ts';
import { createTotalsReader } from '../../kernel/database/kept-totals.ts';
import { ofAccount } from '../../kernel/database/of-account.ts';
import { CONFIRMED, findPlain } from '../../kernel/database/plain-reads.ts';
import { shareReads } from '../../kernel/database/shared-reads.ts';
import type { Total, TotalsDivision } from '../../kernel/database/totals.ts';
import type { UnitOfWork } from '../../kernel/database/unit-of-work.ts';
import { cardToken } from '../../kernel/person/card-token.ts';
import { MONEY_REQUEST_STATES, type MoneyRequestStatus } from '../lifecycle.ts';
import type { MoneyRequest, MoneyRequestDocument, MoneyRequestModels, MoneyRequestPrivate } from './model.ts';

/** A list of money requests: which, and in what order. Each combination has an index (model.ts). */
export interface MoneyRequestListing {
  readonly filter: QueryFilter<MoneyRequestDocument>;
  readonly order: Order;
}

/** Reads and writes money requests. It seals the personal part when it writes, and opens it when it reads. */
export interface MoneyRequestRepository {
  exists(accountId: AccountId, referenceId: string, unit?: UnitOfWork): Promise<boolean>;
  /** The accounts among some that have a money request of this reference. */
  having(accountIds: readonly AccountId[], referenceId: string): Promise<AccountId[]>;
  find(accountId: AccountId, referenceId: string, unit?: UnitOfWork): Promise<MoneyRequest | undefined>;
  findMany(accountId: AccountId, referenceIds: readonly string[]): Promise<Map<string, MoneyRequest>>;
  /** The referenceIds of the account's money requests with this requestId: one, or none. */
  findByRequestId(accountId: AccountId, requestId: string): Promise<string[]>;
  list(accountId: AccountId, listing: MoneyRequestListing, page: Page): Promise<Connection<MoneyRequest>>;
  /** Totals of a list; see {@link readTotals}. */
  totals(
    accountId: AccountId,
    listing: Pick<MoneyRequestListing, 'filter'>,
    division: TotalsDivision,
  ): Promise<Total[] | undefined>;
  /** Those of a user, as payments. */
  readonly payments: PaymentSource<MoneyRequest>;
  insert(moneyRequest: MoneyRequest, unit: UnitOfWork): void;
  /**
   * Writes the changes of a move, for a money request that the transaction has read at the version `from`. A final move
   * removes the number of its card.
   */
  move(moneyRequest: MoneyRequest, from: { version: number }, unit: UnitOfWork): void;
  /** A page of the pending money requests that have expired, oldest first. */
  findExpired(
    expired: Expired,
    page: { skip: number; limit: number },
  ): Promise<Pick<MoneyRequest, 'accountId' | 'referenceId'>[]>;
}

interface MoneyRequestRepositoryDeps {
  models: Pick<MoneyRequestModels, 'moneyRequests'>;
  box: Box;
  /** Makes the tokens of cards. */
  blindIndex: BlindIndex;
}

const TOTALS_FIELDS = {
  amount: 'amount',
  currency: 'currency',
  sourceCountry: 'resolved.sourceCountry',
  destinationCountry: 'resolved.destinationCountry',
};

export function createMoneyRequestRepository(deps: MoneyRequestRepositoryDeps): MoneyRequestRepository {
  const {
    models: { moneyRequests },
    box,
  } = deps;
  const readMany = (accountId: AccountId, referenceIds: readonly string[]) =>
    readByReferences(moneyRequests, accountId, referenceIds);
  const lookUp = shareReads(readMany);
  const reveal = (document: MoneyRequestDocument) => revealMoneyRequest(box, document);
  const readTotals = createTotalsReader({ model: moneyRequests, fields: TOTALS_FIELDS });
  return {
    having: async (accountIds, referenceId) => {
      const found = await moneyRequests
        .find({ accountId: { $in: [...accountIds] }, referenceId })
        .select({ accountId: 1 })
        .lean();
      return found.map(({ accountId }) => accountId);
    },
    exists: existsIn(moneyRequests),
    find: async (accountId, referenceId, unit) => {
      const found = await (unit === undefined
        ? lookUp(accountId, referenceId)
        : moneyRequests.findOne({ accountId, referenceId }).session(unit.session).lean());
      return found ? reveal(found) : undefined;
    },
    findMany: async (accountId, referenceIds) => {
      const found = await readMany(accountId, referenceIds);
      return new Map([...found].map(([referenceId, document]) => [referenceId, reveal(document)]));
    },
    findByRequestId: async (accountId, requestId) => {
      const filter = { _id: requestId, accountId };
      const found = await moneyRequests.find(filter).select({ _id: 0, referenceId: 1 }).lean();
      return found.map(({ referenceId }) => referenceId);
    },
    list: (accountId, { filter, order }, page) =>
      paginate(moneyRequests, ofAccount(accountId, filter), page, reveal, order),
    totals: (accountId, { filter }, division) => readTotals(ofAccount(accountId, filter), division),
    payments: createPaymentSource(moneyRequests, TOTALS_FIELDS, reveal),
    insert: (moneyRequest, unit) => unit.insert(moneyRequests, [sealMoneyRequest(box, moneyRequest)]),
    move: (moneyRequest, from, unit) => {
      const { requestId, accountId, referenceId, status, statusDetails } = moneyRequest;
      const { version, operationId, failureCause, updatedAt } = moneyRequest;
      const change = {
        status,
        statusDetails,
        version,
        updatedAt,
        ...(operationId === undefined ? {} : { operationId }),
        ...(failureCause === undefined ? {} : { failureCause }),
        ...(isFinal(status) ? tokenizeCard(deps, moneyRequest) : {}),
      };
      unit.update(moneyRequests, {
        filter: { _id: requestId, accountId, referenceId, version: from.version },
        update: { $set: change },
        otherwise: () => new Error(`Request ${requestId} changed within the transaction that read it`),
      });
    },
    findExpired: ({ at, ...account }, { skip, limit }) =>
      moneyRequests
        .find({ ...account, status: 'pending', expiresAt: { $lte: at } })
        // The index by expiry has the requests of all accounts: an account that is ahead would read those that are not due yet.
        .sort(account.accountId === undefined ? { expiresAt: 1 } : { createdAt: 1, _id: 1 })
        .skip(skip)
        .limit(limit)
        .select({ _id: 0, accountId: 1, referenceId: 1 })
        .lean(),
  };
}

function existsIn(model: Model<MoneyRequestDocument>): MoneyRequestRepository['exists'] {
  const lookUp = shareReads(async (accountId, referenceIds) => {
    const projection = { referenceId: 1 } as const;
    const found = await findPlain(model, atReferences(model, accountId, referenceIds), { projection });
    return new Map(found.map(({ referenceId }) => [referenceId, true]));
  });
  return async (accountId, referenceId, unit) =>
    unit === undefined
      ? (await lookUp(accountId, referenceId)) === true
      : (await model.exists({ accountId, referenceId }).session(unit.session)) !== null;
}

async function readByReferences(
  model: Model<MoneyRequestDocument>,
  accountId: AccountId,
  referenceIds: readonly string[],
): Promise<Map<string, MoneyRequestDocument>> {
  if (referenceIds.length === 0) {
    return new Map();
  }
  const found = await findPlain(model, atReferences(model, accountId, referenceIds), {
    readConcern: CONFIRMED,
  });
  return new Map(found.map((document) => [document.referenceId, document]));
}

function atReferences(
  model: Model<MoneyRequestDocument>,
  accountId: AccountId,
  referenceIds: readonly string[],
): QueryFilter<MoneyRequestDocument> {
  return withAnyOf(model, { accountId }, 'referenceId', referenceIds);
}

/** Whether a money request has ended: nothing will be paid to its card any more. */
function isFinal(status: MoneyRequestStatus): boolean {
  return MONEY_REQUEST_STATES[status].next.length === 0;
}

/**
 * The changes of the sealed part at the end of a money request: the token, which has the last four digits, replaces the number
 * of its card, and the expiration date goes. None without a card.
 */
function tokenizeCard(
  { box, blindIndex }: MoneyRequestRepositoryDeps,
  moneyRequest: MoneyRequest,
): Partial<MoneyRequestDocument> {
  const { accountId, requestData } = moneyRequest;
  if (!requestData.card) {
    return {};
  }
  const { expirationDate: _, ...rest } = requestData.card;
  const card = { ...rest, number: cardToken(blindIndex, accountId, rest.number) };
  const { private: sealed } = sealMoneyRequest(box, {
    ...moneyRequest,
    requestData: { ...requestData, card },
  });
  return { private: sealed };
}

function sealMoneyRequest(
  box: Box,
  { requestId, requestData, waLink, ...base }: MoneyRequest,
): MoneyRequestDocument {
  const personal: MoneyRequestPrivate = { requestData, waLink };
  return {
    ...base,
    _id: requestId,
    private: box.seal(JSON.stringify(personal), context(base.accountId, requestId)),
  };
}

function revealMoneyRequest(
  box: Box,
  { _id: requestId, private: sealed, ...base }: MoneyRequestDocument,
): MoneyRequest {
  const opened = box.open(toBuffer(sealed), context(base.accountId, requestId)).toString();
  const personal: MoneyRequestPrivate = JSON.parse(opened);
  return { ...base, requestId, ...personal };
}

function context(accountId: AccountId, requestId: string): string {
  return `${accountId}|private|${requestId}`;
}
