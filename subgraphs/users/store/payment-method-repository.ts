import type { Model } from 'mongoose';
import type { Connection } from '../../graph/connection.ts';
import { type Page, paginate } from '../../graph/paginate.ts';
import { toBuffer } from '../../kernel/binary.ts';
import type { Box } from '../../kernel/crypto/box.ts';
import { newId } from '../../kernel/database/ids.ts';
import { findPlain } from '../../kernel/database/plain-reads.ts';
import type { UnitOfWork } from '../../kernel/database/unit-of-work.ts';
import type { Environment } from '../../kernel/principal.ts';
import { PAYMENT_METHOD_ID, type PaymentMethodInput, type PaymentMethodRecord } from '../payment-method.ts';
import type { KeepPaymentMethod } from '../port.ts';
import type { Owner } from '../user.ts';
import type { Keys } from './keys.ts';
import type { PaymentMethodDocument } from './model.ts';

/** A user, and the environment in which a method was verified: a live call never uses what the sandbox has accepted. */
export interface MethodOwner extends Owner {
  readonly environment: Environment;
}

/** Reads and writes payout methods. It stores the token of a card instead of its number. */
export interface PaymentMethodRepository {
  find(owner: MethodOwner, paymentMethodId: string): Promise<PaymentMethodRecord | undefined>;
  /** The user's method with the same {@link Keys.fingerprint}, verified in the same environment. */
  findSame(
    owner: MethodOwner,
    method: PaymentMethodInput,
    unit?: UnitOfWork,
  ): Promise<PaymentMethodRecord | undefined>;
  findMany(tenantId: string, paymentMethodIds: readonly string[]): Promise<Map<string, PaymentMethodRecord>>;
  list(owner: Owner, page: Page): Promise<Connection<PaymentMethodRecord>>;
  /** The same method, and whether the user has a primary one, by one read. */
  findSameOrPrimary(
    owner: MethodOwner,
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
    find: async ({ tenantId, userId, environment }, paymentMethodId) => {
      const found = await model.findOne({ _id: paymentMethodId, tenantId, userId, environment }).lean();
      return found ? present(found) : undefined;
    },
    findSame: async ({ tenantId, userId, environment }, method, unit) => {
      const found = await model
        .findOne({ tenantId, userId, environment, fingerprint: keys.fingerprint(tenantId, method) })
        .session(unit?.session ?? null)
        .lean();
      return found ? present(found) : undefined;
    },
    findMany: async (tenantId, paymentMethodIds) => {
      const found = await model.find({ _id: { $in: paymentMethodIds }, tenantId }).lean();
      return new Map(found.map((method) => [method._id, present(method)]));
    },
    list: ({ tenantId, userId }, page) => paginate(model, { tenantId, userId }, page, present),
    findSameOrPrimary: async ({ tenantId, userId, environment }, method, unit) => {
      const fingerprint = keys.fingerprint(tenantId, method);
      const found = await findPlain(
        model,
        { tenantId, userId, $or: [{ environment, fingerprint }, { isPrimary: true }] },
        { session: unit.session },
      );
      const same = found.find((one) => one.environment === environment && one.fingerprint === fingerprint);
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
  { tenantId, userId, environment, method, at, isPrimary }: KeepPaymentMethod & { isPrimary: boolean },
): PaymentMethodDocument {
  const paymentMethodId = newId(PAYMENT_METHOD_ID);
  const shown = shownNumber(keys, tenantId, method);
  return {
    _id: paymentMethodId,
    tenantId,
    userId,
    environment,
    type: method.type,
    fingerprint: keys.fingerprint(tenantId, method),
    ...(shown === undefined ? {} : { number: box.seal(shown, numberContext(tenantId, paymentMethodId)) }),
    country: method.country,
    currency: method.currency,
    isPrimary,
    createdAt: at,
  };
}

function shownNumber(keys: Keys, tenantId: string, method: PaymentMethodInput): string | undefined {
  switch (method.type) {
    case 'CashPickup':
      return undefined;
    case 'UBN':
      return method.number;
    default:
      return keys.token(tenantId, method.number);
  }
}

function reveal(box: Box, document: PaymentMethodDocument): PaymentMethodRecord {
  const { _id: paymentMethodId, tenantId, environment: _, fingerprint: __, number, ...rest } = document;
  const shown = number && box.open(toBuffer(number), numberContext(tenantId, paymentMethodId)).toString();
  return { ...rest, paymentMethodId, ...(shown === undefined ? {} : { number: shown }) };
}

function numberContext(tenantId: string, paymentMethodId: string): string {
  return `${tenantId}|number|${paymentMethodId}`;
}
