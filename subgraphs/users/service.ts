import type { Connection } from '../graph/connection.ts';
import type { NumberedPage } from '../graph/numbered-page.ts';
import type { Page } from '../graph/paginate.ts';
import type { Result } from '../kernel/errors/result.ts';
import type { Principal } from '../kernel/principal.ts';
import type { BlockUser } from './commands/block-user.ts';
import type { ContactRecord } from './contact.ts';
import type { UsersDeps } from './deps.ts';
import type { PaymentMethodRecord } from './payment-method.ts';
import type { UsersPort } from './port.ts';
import type { Listing } from './store/listing.ts';
import { addCard, addUbn } from './use-cases/add-payment-method.ts';
import { blockUser, unblockUser } from './use-cases/block-user.ts';
import { completeProfile } from './use-cases/complete-profile.ts';
import { createContact } from './use-cases/create-contact.ts';
import { findPerson } from './use-cases/find-person.ts';
import { frequentContacts, frequentContactsByToken } from './use-cases/frequent-contacts.ts';
import { keepContact } from './use-cases/keep-contact.ts';
import { keepPaymentMethod } from './use-cases/keep-payment-method.ts';
import { locateUser } from './use-cases/locate-user.ts';
import { pageUsers, type UserPageQuery } from './use-cases/page-users.ts';
import { recordIdentityCheck, saveIdentityCheck } from './use-cases/record-identity-check.ts';
import {
  ensureByReference,
  ensureRegistered,
  insertByReference,
  registerUser,
} from './use-cases/register-user.ts';
import { contactsByPhone, phoneKeysOf } from './use-cases/search-users.ts';
import type { PersonKey, UserRecord } from './user.ts';

/**
 * The users capability of the API. Every read and write is limited to the principal's tenant. A `body` is the JSON value of a
 * REST body; its use case reads it, because a read of the database comes first or is a part of the check.
 */
export interface UserService {
  /** The account's users with these ids, by id. */
  findByIds(principal: Principal, userIds: readonly string[]): Promise<Map<string, UserRecord>>;
  /** Finds a user by phone number, in E.164 or the national form of the tenant's country, or by email. */
  findBy(principal: Principal, by: PersonKey): Promise<UserRecord | undefined>;
  /** Finds users by phone number in E.164. */
  findByPhones(principal: Principal, phoneNumbers: readonly string[]): Promise<Map<string, UserRecord>>;
  list(principal: Principal, listing: Listing, page: Page): Promise<Connection<UserRecord>>;
  /** Fails as {@link pageUsers} does. */
  page(principal: Principal, query: UserPageQuery): Promise<Result<NumberedPage<UserRecord>>>;
  /** Fails as {@link registerUser} does. */
  register(principal: Principal, body: unknown): Promise<Result<UserRecord>>;

  /** Fails as {@link blockUser} does. */
  block(principal: Principal, userId: string, command: BlockUser): Promise<Result<UserRecord>>;
  /** Fails as {@link unblockUser} does. */
  unblock(principal: Principal, userId: string): Promise<Result<UserRecord>>;

  findContacts(principal: Principal, contactIds: readonly string[]): Promise<Map<string, ContactRecord>>;
  listContacts(principal: Principal, userId: string, page: Page): Promise<Connection<ContactRecord>>;
  /** Fails as {@link frequentContacts} does. */
  frequentContacts(principal: Principal, userId: string, limit: number): Promise<Result<ContactRecord[]>>;
  /** Fails as {@link frequentContactsByToken} does. */
  frequentContactsByToken(
    principal: Principal,
    userToken: string,
    limit: string,
  ): Promise<Result<ContactRecord[]>>;
  /** Fails as {@link createContact} does. */
  createContact(principal: Principal, userId: string, body: unknown): Promise<Result<ContactRecord>>;

  findPaymentMethods(
    principal: Principal,
    paymentMethodIds: readonly string[],
  ): Promise<Map<string, PaymentMethodRecord>>;
  listPaymentMethods(
    principal: Principal,
    userId: string,
    page: Page,
  ): Promise<Connection<PaymentMethodRecord>>;
  /** Fails as {@link addCard} does. */
  addCard(principal: Principal, userId: string, body: unknown): Promise<Result<PaymentMethodRecord>>;
  /** Fails as {@link addUbn} does. */
  addUbn(principal: Principal, userId: string, body: unknown): Promise<Result<PaymentMethodRecord>>;
}

export function createUserService(deps: UsersDeps): UserService {
  const { users, contacts, paymentMethods } = deps;
  return {
    findByIds: ({ accountId }, userIds) => users.findMany(accountId, userIds),
    findBy: (principal, by) => findPerson(deps, principal, by),
    findByPhones: ({ accountId }, phoneNumbers) => users.findByPhones(accountId, phoneNumbers),
    list: ({ accountId }, listing, page) => users.list(accountId, listing, page),
    page: (principal, query) => pageUsers(deps, principal, query),
    register: (principal, body) => registerUser(deps, principal, body),

    block: (principal, userId, command) => blockUser(deps, principal, userId, command),
    unblock: (principal, userId) => unblockUser(deps, principal, userId),

    findContacts: ({ accountId }, contactIds) => contacts.findMany(accountId, contactIds),
    listContacts: ({ accountId }, userId, page) => contacts.list({ accountId, userId }, page),
    frequentContacts: (principal, userId, limit) => frequentContacts(deps, principal, userId, limit),
    frequentContactsByToken: (principal, userToken, limit) =>
      frequentContactsByToken(deps, principal, userToken, limit),
    createContact: (principal, userId, body) => createContact(deps, principal, userId, body),

    findPaymentMethods: ({ accountId }, ids) => paymentMethods.findMany(accountId, ids),
    listPaymentMethods: ({ accountId }, userId, page) => paymentMethods.list({ accountId, userId }, page),
    addCard: (principal, userId, body) => addCard(deps, principal, userId, body),
    addUbn: (principal, userId, body) => addUbn(deps, principal, userId, body),
  };
}

/** The functions for other slices. */
export function createUsersPort(deps: UsersDeps): UsersPort {
  const { users, contacts, paymentMethods } = deps;
  return {
    ensureByReference: (input, unit) => ensureByReference(deps, input, unit),
    insertByReference: (input, unit) => insertByReference(deps, input, unit),
    ensureRegistered: (input, unit) => ensureRegistered(deps, input, unit),
    findByReference: (accountId, referenceId) => users.identify(accountId, { referenceId }),
    locate: (accountId, userId) => locateUser(deps, accountId, userId),
    accountState: (accountId, userId, unit) =>
      unit === undefined ? users.identify(accountId, { userId }) : users.hold(accountId, { userId }, unit),
    blockOf: async (accountId, userId) => {
      const user = (await users.findMany(accountId, [userId])).get(userId);
      return user?.blocked && !user.erasureRequestedAt ? user : undefined;
    },
    requireUnblocked: (accountId, userId, unit) => users.requireUnblocked(accountId, userId, unit),
    hasReference: (accountId, userId, unit) => users.hasReference(accountId, userId, unit),
    recordIdentityCheck: (input, unit) => recordIdentityCheck(deps, input, unit),
    saveIdentityCheck: (input, unit) => saveIdentityCheck(deps, input, unit),
    accountOf: (userId) => users.accountOf(userId),
    completeProfile: (input, unit) => completeProfile(deps, input, unit),
    keepContact: (input, unit) => keepContact(deps, input, unit),
    findContact: (user, by) => contacts.find(user, by),
    phoneKey: (accountId, phoneNumber) => deps.keys.phone(accountId, phoneNumber),
    phoneKeysOf: (accountId, text) => phoneKeysOf(deps, accountId, text),
    contactsByPhone: (accountId, text, most) => contactsByPhone(deps, accountId, text, most),
    countRequest: (input, unit) => contacts.countRequest(input, unit),
    keepPaymentMethod: (input, unit) => keepPaymentMethod(deps, input, unit),
    findPaymentMethod: (input) => paymentMethods.find(input, input.paymentMethodId),
  };
}
