import { randomUUID } from 'node:crypto';
import type { Model, QueryFilter, UpdateQuery } from 'mongoose';
import type { Connection } from '../../graph/connection.ts';
import { type Page, paginate } from '../../graph/paginate.ts';
import type { AccountId } from '../../kernel/account.ts';
import { type StoredBytes, toBuffer } from '../../kernel/binary.ts';
import type { Times } from '../../kernel/clock/account-clock.ts';
import type { Box } from '../../kernel/crypto/box.ts';
import { ofAccount } from '../../kernel/database/of-account.ts';
import { CONFIRMED } from '../../kernel/database/plain-reads.ts';
import type { UnitOfWork } from '../../kernel/database/unit-of-work.ts';
import type { Failure } from '../../kernel/errors/result.ts';
import type { Quote } from '../../kernel/money/quote.ts';
import { LeaseLostError } from '../../runtime/work/claim.ts';
import { REQUEST_STATUSES } from '../lifecycle.ts';
import type { Countries, ReservationDocument } from './model.ts';
import type { OperationIds, OperationKey } from './operation-ids.ts';

/** The statuses of those without an operation. */
const WITHOUT_OPERATION = REQUEST_STATUSES.filter((status) => status !== 'SUCCEEDED');

/**
 * The content of a request, and the values that were fixed with the reservation of its correlation id: contacts, rates and fees change, but
 * every call of a provider under one idempotency key must say the same, and a worker ends what a caller has left.
 */
export interface Terms {
  readonly payer: {
    /** E.164 */
    readonly phoneNumber: string;
    /** ISO 3166-1 alpha-2 */
    readonly country?: string | undefined;
    /** The contact of a payer who was one already, with the name for providers. */
    readonly contactId?: string | undefined;
    readonly firstName?: string | undefined;
    readonly lastName?: string | undefined;
  };
  readonly quote: Quote;
  readonly countries: Countries;
  readonly attributionLink: string;
  /** One of the user's methods. A method that the request gives in full is absent until it is verified, and the user's. */
  readonly paymentMethodId?: string | undefined;
  readonly reason?: string | undefined;
}

/** A new reservation. */
export type NewReservation = Pick<ReservationDocument, 'userId' | 'digest' | 'sentDigest'> & {
  /** Digest of the payer's phone number. */
  readonly payerKey: string;
  readonly terms: Terms;
};

/** A reservation whose lease a caller or a worker has. */
export interface HeldReservation {
  readonly document: ReservationDocument;
  readonly leaseToken: string;
}

/** How long a caller has a reservation: two providers, and writing the outcome. */
export const CALL_LEASE_MS = 30_000;

/** Correlation ids of v2, each reserved for one request. */
export interface Reservations {
  find(key: OperationKey, unit?: UnitOfWork): Promise<ReservationDocument | undefined>;
  findMany(accountId: AccountId, operationIds: readonly string[]): Promise<Map<string, ReservationDocument>>;
  /** Those without an operation whose payer has a phone number with one of these digests, newest first, at most `most`. */
  findByPayer(
    accountId: AccountId,
    payerKeys: readonly string[],
    most: number,
  ): Promise<ReservationDocument[]>;
  list(
    accountId: AccountId,
    filter: QueryFilter<ReservationDocument>,
    page: Page,
  ): Promise<Connection<ReservationDocument>>;
  /**
   * Reserves a free id, with a lease for its caller. @throws a duplicate key error when the id is taken: the caller's
   * transaction is over
   */
  open(key: OperationKey, reservation: NewReservation, times: Times, unit: UnitOfWork): HeldReservation;
  /**
   * Takes the lease of a reservation as it was read, for a caller; undefined when another caller has it, or has made an attempt
   * since.
   */
  take(read: ReservationDocument, times: Times): Promise<HeldReservation | undefined>;
  /** Changes a reservation if its holder still has the lease. Otherwise the transaction ends with LeaseLostError. */
  change(held: HeldReservation, update: UpdateQuery<ReservationDocument>, unit: UnitOfWork): void;
  /** Changes a reservation that the transaction has read, whether or not the caller has its lease. */
  changeRead(read: ReservationDocument, update: UpdateQuery<ReservationDocument>, unit: UnitOfWork): void;
  termsOf(reservation: ReservationDocument): Terms;
  sealTerms(key: OperationKey, terms: Terms): Buffer;
  refusalOf(reservation: ReservationDocument): Failure | undefined;
  sealRefusal(key: OperationKey, failure: Failure): Buffer;
}

type SealedField = 'terms' | 'refusal';

/** @param deps.box seals names, phone numbers, card and account numbers, and providers' texts */
export function createReservations({
  ids,
  model,
  box,
}: {
  ids: Pick<OperationIds, 'reserve'>;
  model: Model<ReservationDocument>;
  box: Box;
}): Reservations {
  const seal = (key: OperationKey, field: SealedField, value: unknown) =>
    box.seal(JSON.stringify(value), contextOf(key, field));
  const reveal = (key: OperationKey, field: SealedField, sealed: StoredBytes) =>
    JSON.parse(box.open(toBuffer(sealed), contextOf(key, field)).toString());
  return {
    find: async (key, unit) =>
      (await model
        .findOne({ _id: reservationId(key), accountId: key.accountId })
        .session(unit?.session ?? null)
        .lean<ReservationDocument>()) ?? undefined,
    findMany: async (accountId, operationIds) => {
      const _id = { $in: operationIds.map((operationId) => reservationId({ accountId, operationId })) };
      const found = await model
        .find({ _id, accountId })
        .readConcern(CONFIRMED.level)
        .lean<ReservationDocument[]>();
      return new Map(found.map((reservation) => [reservation.operationId, reservation]));
    },
    findByPayer: (accountId, payerKeys, most) =>
      model
        .find({ accountId, payerKey: { $in: [...payerKeys] }, status: { $in: WITHOUT_OPERATION } })
        .sort({ createdAt: -1, _id: -1 })
        .limit(most)
        .lean<ReservationDocument[]>(),
    list: (accountId, filter, page) =>
      paginate(model, ofAccount(accountId, filter), page, (reservation) => reservation),
    open: (key, reservation, times, unit) => {
      const document = newReservation(key, reservation, seal(key, 'terms', reservation.terms), times);
      ids.reserve(key, unit);
      unit.insert(model, [document]);
      return { document, leaseToken: document.leaseToken };
    },
    take: (read, times) => take(model, read, times),
    change: ({ document: { _id, accountId }, leaseToken }, update, unit) =>
      unit.update(model, {
        filter: { _id, accountId, leaseToken },
        update,
        otherwise: () => new LeaseLostError(),
      }),
    changeRead: ({ _id, accountId, status }, update, unit) =>
      unit.update(model, {
        filter: { _id, accountId, status },
        update,
        otherwise: () => new Error(`Reservation ${_id} changed within the transaction that read it`),
      }),
    termsOf: (reservation) => {
      if (reservation.terms === undefined) {
        throw new TypeError('A request that has ended has no terms left');
      }
      return reveal(reservation, 'terms', reservation.terms);
    },
    sealTerms: (key, terms) => seal(key, 'terms', terms),
    refusalOf: (reservation) => reservation.refusal && reveal(reservation, 'refusal', reservation.refusal),
    sealRefusal: (key, failure) => seal(key, 'refusal', failure),
  };
}

function newReservation(
  key: OperationKey,
  { terms: { quote }, ...given }: NewReservation,
  terms: Buffer,
  { at, now }: Times,
) {
  const { recipientAmount, recipientCurrency } = quote;
  return {
    _id: reservationId(key),
    ...key,
    userId: given.userId,
    payerKey: given.payerKey,
    digest: given.digest,
    sentDigest: given.sentDigest,
    status: 'IN_PROGRESS',
    isOpen: true,
    calledAt: now,
    attempts: 0,
    recipientAmount,
    recipientCurrency,
    terms,
    claims: 0,
    nextAttemptAt: new Date(now.getTime() + CALL_LEASE_MS),
    leaseToken: randomUUID(),
    createdAt: at,
    updatedAt: at,
  } as const;
}

async function take(
  model: Model<ReservationDocument>,
  { _id, accountId, attempts, leaseToken: before }: ReservationDocument,
  { at, now }: Times,
): Promise<HeldReservation | undefined> {
  const leaseToken = randomUUID();
  const document = await model
    .findOneAndUpdate(
      {
        _id,
        accountId,
        status: 'IN_PROGRESS',
        attempts,
        withdrawal: { $exists: false },
        leaseToken: before ?? { $exists: false },
      },
      {
        $set: {
          leaseToken,
          isOpen: true,
          calledAt: now,
          nextAttemptAt: new Date(now.getTime() + CALL_LEASE_MS),
          updatedAt: at,
        },
      },
      { returnDocument: 'after' },
    )
    .lean<ReservationDocument>();
  return document ? { document, leaseToken } : undefined;
}

/** Tenants' ids have no `|` in them. */
function reservationId({ accountId, operationId }: OperationKey): string {
  return `${accountId}|${operationId}`;
}

function contextOf({ accountId, operationId }: OperationKey, field: SealedField): string {
  return `${accountId}|${field}|${operationId}`;
}
