import type { Model } from 'mongoose';
import type { Connection } from '../../graph/connection.ts';
import { type Page, paginate } from '../../graph/paginate.ts';
import type { AccountId } from '../../kernel/account.ts';
import { toBuffer } from '../../kernel/binary.ts';
import type { Box } from '../../kernel/crypto/box.ts';
import { newId } from '../../kernel/database/ids.ts';
import { findPlain } from '../../kernel/database/plain-reads.ts';
import type { UnitOfWork } from '../../kernel/database/unit-of-work.ts';
import { PAYMENT_METHOD_ID, type PaymentMethodInput, type PaymentMethodRecord } from '../payment-method.ts';
import type { KeepPaymentMethod } from '../port.ts';
import type { Owner } from '../user.ts';
import type { Keys } from './keys.ts';
import type { PaymentMethodDocument } from './model.ts';

/** Reads and writes payout methods. It stores the token of a card instead of its number. */
export interface PaymentMethodRepository {
  find(owner: Owner, paymentMethodId: string): Promise<PaymentMethodRecord | undefined>;
  /** The user's method with the same {@link Keys.fingerprint}. */
  findSame(
    owner: Owner,
    method: PaymentMethodInput,
    unit?: UnitOfWork,
  ): Promise<PaymentMethodRecord | undefined>;
  findMany(
    accountId: AccountId,
    paymentMethodIds: readonly string[],
  ): Promise<Map<string, PaymentMethodRecord>>;
  list(owner: Owner, page: Page): Promise<Connection<PaymentMethodRecord>>;
  /** The same method, and whether the user has a primary one, by one read. */
  findSameOrPrimary(
    owner: Owner,
    method: PaymentMethodInput,
    unit: UnitOfWork,
  ): Promise<{ same: PaymentMethodRecord | undefined; hasPrimary: boolean }>;
  /** @throws a duplicate key error when the user has this method, or another primary one */
  insert(method: KeepPaymentMethod & { isPrimary: boolean }, unit: UnitOfWork): PaymentMethodRecord;
}

interface PaymentMethodRepositoryDeps {
  model: Model<PaymentMethodDocument>;
  box: Box;
  keys: Keys;
}

export function createPaymentMethodRepository(deps: PaymentMethodRepositoryDeps): PaymentMethodRepository {
  const { model, box, keys } = deps;
  const present = (document: PaymentMethodDocument) => reveal(box, document);
  return {
    find: async ({ accountId, userId }, paymentMethodId) => {
      const found = await model.findOne({ _id: paymentMethodId, accountId, userId }).lean();
      return found ? present(found) : undefined;
    },
    findSame: async ({ accountId, userId }, method, unit) => {
      const found = await model
        .findOne({ accountId, userId, fingerprint: keys.fingerprint(accountId, method) })
        .session(unit?.session ?? null)
        .lean();
      return found ? present(found) : undefined;
    },
    findMany: async (accountId, paymentMethodIds) => {
      const found = await model.find({ _id: { $in: paymentMethodIds }, accountId }).lean();
      return new Map(found.map((method) => [method._id, present(method)]));
    },
    list: ({ accountId, userId }, page) => paginate(model, { accountId, userId }, page, present),
    findSameOrPrimary: async ({ accountId, userId }, method, unit) => {
      const fingerprint = keys.fingerprint(accountId, method);
      const found = await findPlain(
        model,
        { accountId, userId, $or: [{ fingerprint }, { isPrimary: true }] },
        { session: unit.session },
      );
      const same = found.find((one) => one.fingerprint === fingerprint);
      return { same: same && present(same), hasPrimary: found.some(({ isPrimary }) => isPrimary) };
    },
    insert: (method, unit) => {
      const document = seal(deps, method);
      unit.insert(model, [document]);
      return present(document);
    },
  };
}

function seal(
  { box, keys }: PaymentMethodRepositoryDeps,
  { accountId, userId, method, at, isPrimary }: KeepPaymentMethod & { isPrimary: boolean },
): PaymentMethodDocument {
  const paymentMethodId = newId(PAYMENT_METHOD_ID);
  const shown = shownNumber(keys, accountId, method);
  return {
    _id: paymentMethodId,
    accountId,
    userId,
    type: method.type,
    fingerprint: keys.fingerprint(accountId, method),
    ...(shown === undefined ? {} : { number: box.seal(shown, numberContext(accountId, paymentMethodId)) }),
    country: method.country,
    currency: method.currency,
    isPrimary,
    createdAt: at,
  };
}

function shownNumber(keys: Keys, accountId: AccountId, method: PaymentMethodInput): string | undefined {
  switch (method.type) {
    case 'CashPickup':
      return undefined;
    case 'UBN':
      return method.number;
    default:
      return keys.token(accountId, method.number);
  }
}

function reveal(box: Box, document: PaymentMethodDocument): PaymentMethodRecord {
  const { _id: paymentMethodId, accountId, fingerprint: _, number, ...rest } = document;
  const shown = number && box.open(toBuffer(number), numberContext(accountId, paymentMethodId)).toString();
  return { ...rest, paymentMethodId, ...(shown === undefined ? {} : { number: shown }) };
}

function numberContext(accountId: AccountId, paymentMethodId: string): string {
  return `${accountId}|number|${paymentMethodId}`;
}
