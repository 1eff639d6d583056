import type { Connection } from 'mongoose';
import type { AccountId } from '../kernel/account.ts';
import type { AccountClock } from '../kernel/clock/account-clock.ts';
import type { BlindIndex } from '../kernel/crypto/blind-index.ts';
import type { Box } from '../kernel/crypto/box.ts';
import type { RunTransaction } from '../kernel/database/transaction.ts';
import { createUniqueValues } from '../kernel/database/unique-values.ts';
import type { UnitOfWork } from '../kernel/database/unit-of-work.ts';
import type { ApiKeys } from '../partners/keys/service.ts';
import type { Reveals } from '../partners/request-log/reveals.ts';
import type { Tenant } from '../partners/tenants/service.ts';
import type { Providers } from '../providers/types.ts';
import type { NewEvent } from '../runtime/events/index.ts';
import { type ContactRepository, createContactRepository } from './store/contact-repository.ts';
import { createKeys, type Keys } from './store/keys.ts';
import { createUsersModels } from './store/model.ts';
import {
  createPaymentMethodRepository,
  type PaymentMethodRepository,
} from './store/payment-method-repository.ts';
import { createUserRepository, type UserRepository } from './store/user-repository.ts';

/** The shared parts that the slice uses. */
export interface UsersDependencies {
  connection: Connection;
  box: Box;
  blindIndex: BlindIndex;
  providers: Pick<Providers, 'cards' | 'ubn' | 'requireConfigured'>;
  tenants: { find(accountId: AccountId): Promise<Tenant | undefined> };
  events: { append(events: readonly NewEvent[], unit: UnitOfWork): void };
  transaction: RunTransaction;
  /** Finds the key of a caller, for the record of a block. */
  apiKeys: Pick<ApiKeys, 'find'>;
  /** Keeps on record who reads contact data in the console. */
  reveals: Reveals;
  /** The time of an account's records. */
  accountClock: AccountClock;
}

/** The dependencies of the slice's functions. Each one takes only the part that it needs. */
export interface UsersDeps extends Omit<UsersDependencies, 'connection' | 'box' | 'blindIndex'> {
  users: UserRepository;
  contacts: ContactRepository;
  paymentMethods: PaymentMethodRepository;
  keys: Keys;
}

export function createUsersDeps({
  connection,
  box,
  blindIndex,
  ...dependencies
}: UsersDependencies): UsersDeps {
  const models = createUsersModels(connection);
  const keys = createKeys(blindIndex);
  return {
    ...dependencies,
    keys,
    users: createUserRepository({ model: models.users, unique: createUniqueValues(connection), box, keys }),
    contacts: createContactRepository({ model: models.contacts, box, keys }),
    paymentMethods: createPaymentMethodRepository({ model: models.paymentMethods, box, keys }),
  };
}
