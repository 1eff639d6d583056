import type { Result } from '../platform/errors/result.ts';
import type { Connection } from '../platform/graphql/connection.ts';
import type { NumberedPage } from '../platform/graphql/numbered-page.ts';
import type { Page } from '../platform/graphql/paginate.ts';
import { readPhone } from '../platform/person/phone.ts';
import type { Principal } from '../platform/principal.ts';
import type { UsersDeps } from './deps.ts';
import type { Listing } from './graphql/listing.ts';
import type { ContactRecord, PaymentMethodRecord, UsersPort } from './port.ts';
import type { PersonKey } from './store/keys.ts';
import type { UserRecord } from './store/user-repository.ts';
import { addCard, addUbn } from './use-cases/add-payment-method.ts';
import { blockUser, unblockUser } from './use-cases/block-user.ts';
import { completeProfile } from './use-cases/complete-profile.ts';
import { createContact } from './use-cases/create-contact.ts';
import { frequentContacts, frequentContactsByToken, locate } from './use-cases/frequent-contacts.ts';
import { keepContact } from './use-cases/keep-contact.ts';
import { keepPaymentMethod } from './use-cases/keep-payment-method.ts';
import { pageUsers, type UserPageQuery } from './use-cases/page-users.ts';
import { recordIdentityCheck } from './use-cases/record-identity-check.ts';
import { ensureByReference, ensureRegistered, registerUser } from './use-cases/register-user.ts';

/** What the API asks of users. Every read and write is confined to the principal's tenant. */
export interface UserService {
  /** Those of the users that the principal's tenant has, by id. */
  findByIds(principal: Principal, userIds: readonly string[]): Promise<Map<string, UserRecord>>;
  /** By phone number, in E.164 or the national form of the tenant's country, or by email. */
  findBy(principal: Principal, by: PersonKey): Promise<UserRecord | undefined>;
  /** By phone number in E.164, as many as there are. */
  findByPhones(principal: Principal, phoneNumbers: readonly string[]): Promise<Map<string, UserRecord>>;
  list(principal: Principal, listing: Listing, page: Page): Promise<Connection<UserRecord>>;
  /** Refusals: those of {@link pageUsers}. */
  page(principal: Principal, query: UserPageQuery): Promise<Result<NumberedPage<UserRecord>>>;
  /** Refusals: those of {@link registerUser}. */
  register(principal: Principal, body: unknown): Promise<Result<UserRecord>>;

  /** Refusals: those of {@link blockUser}. */
  block(principal: Principal, userId: string, body: unknown): Promise<Result<UserRecord>>;
  /** Refusals: those of {@link unblockUser}. */
  unblock(principal: Principal, userId: string): Promise<Result<UserRecord>>;

  findContacts(principal: Principal, contactIds: readonly string[]): Promise<Map<string, ContactRecord>>;
  listContacts(principal: Principal, userId: string, page: Page): Promise<Connection<ContactRecord>>;
  /** Refusals: those of {@link frequentContacts}. */
  frequentContacts(principal: Principal, userId: string, limit: number): Promise<Result<ContactRecord[]>>;
  /** Refusals: those of {@link frequentContactsByToken}. */
  frequentContactsByToken(
    principal: Principal,
    userToken: string,
    limit: string,
  ): Promise<Result<ContactRecord[]>>;
  /** Refusals: those of {@link createContact}. */
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
  /** Refusals: those of {@link addCard}. */
  addCard(principal: Principal, userId: string, body: unknown): Promise<Result<PaymentMethodRecord>>;
  /** Refusals: those of {@link addUbn}. */
  addUbn(principal: Principal, userId: string, body: unknown): Promise<Result<PaymentMethodRecord>>;
}

export function createUserService(deps: UsersDeps): UserService {
  const { users, contacts, paymentMethods } = deps;
  return {
    findByIds: ({ tenantId }, userIds) => users.findMany(tenantId, userIds),
    findBy: (principal, by) => findBy(deps, principal, by),
    findByPhones: ({ tenantId }, phoneNumbers) => users.findByPhones(tenantId, phoneNumbers),
    list: ({ tenantId }, listing, page) => users.list(tenantId, listing, page),
    page: (principal, query) => pageUsers(deps, principal, query),
    register: (principal, body) => registerUser(deps, principal, body),

    block: (principal, userId, body) => blockUser(deps, principal, userId, body),
    unblock: (principal, userId) => unblockUser(deps, principal, userId),

    findContacts: ({ tenantId }, contactIds) => contacts.findMany(tenantId, contactIds),
    listContacts: ({ tenantId }, userId, page) => contacts.list({ tenantId, userId }, page),
    frequentContacts: (principal, userId, limit) => frequentContacts(deps, principal, userId, limit),
    frequentContactsByToken: (principal, userToken, limit) =>
      frequentContactsByToken(deps, principal, userToken, limit),
    createContact: (principal, userId, body) => createContact(deps, principal, userId, body),

    findPaymentMethods: ({ tenantId }, ids) => paymentMethods.findMany(tenantId, ids),
    listPaymentMethods: ({ tenantId }, userId, page) => paymentMethods.list({ tenantId, userId }, page),
    addCard: (principal, userId, body) => addCard(deps, principal, userId, body),
    addUbn: (principal, userId, body) => addUbn(deps, principal, userId, body),
  };
}

/** What other slices ask of users. */
export function createUsersPort(deps: UsersDeps): UsersPort {
  const { users, contacts, paymentMethods } = deps;
  return {
    ensureByReference: (input, session) => ensureByReference(deps, input, session),
    ensureRegistered: (input, session) => ensureRegistered(deps, input, session),
    findByReference: (tenantId, referenceId) => users.identify(tenantId, { referenceId }),
    locate: (tenantId, userId) => locate(deps, tenantId, userId),
    accountState: (tenantId, userId, session) =>
      session === undefined
        ? users.identify(tenantId, { userId })
        : users.hold(tenantId, { userId }, session),
    recordIdentityCheck: (input, session) => recordIdentityCheck(deps, input, session),
    tenantOf: (userId) => users.tenantOf(userId),
    completeProfile: (input, session) => completeProfile(deps, input, session),
    keepContact: (input, session) => keepContact(deps, input, session),
    findContact: (user, by) => contacts.find(user, by),
    countRequest: (input, session) => contacts.countRequest(input, session),
    keepPaymentMethod: (input, session) => keepPaymentMethod(deps, input, session),
    findPaymentMethod: (input) => paymentMethods.find(input, input.paymentMethodId),
  };
}

async function findBy(
  { users, tenants }: Pick<UsersDeps, 'users' | 'tenants'>,
  { tenantId }: Principal,
  by: PersonKey,
): Promise<UserRecord | undefined> {
  if ('email' in by) {
    return users.findBy(tenantId, by);
  }
  const tenant = await tenants.find(tenantId);
  const phone = readPhone(by.phoneNumber, tenant?.country);
  return phone && users.findBy(tenantId, { phoneNumber: phone.e164 });
}
