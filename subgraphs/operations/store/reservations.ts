import type { Model } from 'mongoose';
import { type StoredBytes, toBuffer } from '../../platform/binary.ts';
import type { Box } from '../../platform/crypto/box.ts';
import type { UnitOfWork } from '../../platform/database/unit-of-work.ts';
import type { Failure } from '../../platform/errors/result.ts';
import type { Quote } from '../../platform/money/quote.ts';
import type { Environment } from '../../platform/principal.ts';
import type { Countries, OperationIdDocument } from './model.ts';
import { type OperationKey, operationIdKey } from './operation-ids.ts';

/**
 * The terms that were fixed with the reservation of a correlation id and are not part of the request: contacts, rates and
 * fees change, but every call of a provider under one idempotency key must say the same.
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
  /** Absent in reservations of former versions. */
  readonly countries?: Countries;
  readonly attributionLink: string;
}

/** A correlation id that belongs to one request; its digest recognises the request. */
export interface Reservation {
  readonly digest: string;
  /** The environment of the key that made the request: its providers are called, whoever continues it. */
  readonly environment: Environment;
  readonly terms: Terms;
}

/** The state of a taken id: `used` means that an operation, or an atomic call, has it. */
export type TakenId =
  | { readonly kind: 'open'; readonly reservation: Reservation }
  | { readonly kind: 'failed'; readonly digest: string; readonly failure: Failure }
  | { readonly kind: 'used' };

/**
 * Correlation ids of v2. Each is reserved for one request, from before the payer gets the request for money until the request
 * ends.
 */
export interface Reservations {
  /** Undefined when the id is free. */
  find(key: OperationKey): Promise<TakenId | undefined>;
  /** @throws a duplicate key error when the id is taken: the caller's transaction is over */
  open(key: OperationKey, reservation: Reservation, unit: UnitOfWork): void;
  /** Ends an open reservation with its operation. Returns false, and changes nothing, when it is not open any more. */
  close(key: OperationKey, unit: UnitOfWork): Promise<boolean>;
  /** Ends an open reservation with a provider's final rejection; false when it is not open any more. */
  fail(key: OperationKey, failure: Failure): Promise<boolean>;
}

type SealedField = 'terms' | 'refusal';

/** @param deps.box seals names, phone numbers and providers' texts */
export function createReservations({
  ids,
  box,
}: {
  ids: Model<OperationIdDocument>;
  box: Box;
}): Reservations {
  const seal = (key: OperationKey, field: SealedField, value: unknown) =>
    box.seal(JSON.stringify(value), contextOf(key, field));
  const reveal = (key: OperationKey, field: SealedField, sealed: StoredBytes) =>
    JSON.parse(box.open(toBuffer(sealed), contextOf(key, field)).toString());
  const openOne = (key: OperationKey) => ({ _id: operationIdKey(key), terms: { $exists: true } });
  return {
    find: async (key) => {
      const found = await ids.findById(operationIdKey(key)).lean();
      if (!found) {
        return undefined;
      }
      const { digest, environment, terms, refusal: failure } = found;
      if (digest !== undefined && failure !== undefined) {
        return { kind: 'failed', digest, failure: reveal(key, 'refusal', failure) };
      }
      return digest === undefined || environment === undefined || terms === undefined
        ? { kind: 'used' }
        : { kind: 'open', reservation: { digest, environment, terms: reveal(key, 'terms', terms) } };
    },
    open: (key, { digest, environment, terms }, unit) => {
      const document = { _id: operationIdKey(key), digest, environment, terms: seal(key, 'terms', terms) };
      unit.insert(ids, [document]);
    },
    close: async (key, unit) =>
      (await ids.updateOne(openOne(key), { $unset: { terms: 1 } }, { session: unit.session }))
        .matchedCount === 1,
    fail: async (key, failure) => {
      const sealed = seal(key, 'refusal', failure);
      const ended = { $set: { refusal: sealed }, $unset: { terms: 1 as const } };
      return (await ids.updateOne(openOne(key), ended)).matchedCount === 1;
    },
  };
}

function contextOf({ tenantId, operationId }: OperationKey, field: SealedField): string {
  return `${tenantId}|${field}|${operationId}`;
}
