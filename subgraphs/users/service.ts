import type { Result } from '../platform/errors/refusal.ts';
import type { Connection } from '../platform/graphql/connection.ts';
import type { Page } from '../platform/graphql/paginate.ts';
import type { Principal } from '../platform/principal.ts';
import type { UsersDeps } from './deps.ts';
import { keepContact } from './keep-contact.ts';
import { keepPaymentMethod } from './keep-payment-method.ts';
import type { Listing } from './listing.ts';
import type { UsersPort } from './port.ts';
import { ensureByReference, ensureRegistered, registerUser } from './register.ts';
import type { UserRecord } from './user-repository.ts';

export type { UserRecord } from './user-repository.ts';

/** What the API asks of users. Every read and write is confined to the principal's tenant. */
export interface UserService {
  /** Those of the users that the principal's tenant has, by id. */
  findByIds(principal: Principal, userIds: readonly string[]): Promise<Map<string, UserRecord>>;
  list(principal: Principal, listing: Listing, page: Page): Promise<Connection<UserRecord>>;
  /** Refusals: those of {@link registerUser}. */
  register(principal: Principal, body: unknown): Promise<Result<UserRecord>>;
}

export function createUserService(deps: UsersDeps): UserService {
  return {
    findByIds: ({ tenantId }, userIds) => deps.users.findMany(tenantId, userIds),
    list: ({ tenantId }, listing, page) => deps.users.list(tenantId, listing, page),
    register: (principal, body) => registerUser(deps, principal, body),
  };
}

/** What other slices ask of users. */
export function createUsersPort(deps: UsersDeps): UsersPort {
  const { users, contacts, paymentMethods } = deps;
  return {
    ensureByReference: (input, session) => ensureByReference(deps, input, session),
    ensureRegistered: (input, session) => ensureRegistered(deps, input, session),
    locate: async (tenantId, userId) => {
      const owner = await users.tenantOf(userId);
      if (owner === undefined) {
        return 'unknown';
      }
      return owner === tenantId ? 'own' : 'foreign';
    },
    standing: (tenantId, userId, session) => users.identify(tenantId, { userId }, session),
    recordIdentityCheck: (input, session) => users.recordIdentityCheck(input, session),
    keepContact: (input, session) => keepContact(deps, input, session),
    findContact: (user, by) => contacts.find(user, by),
    countRequest: (input, session) => contacts.countRequest(input, session),
    keepPaymentMethod: (input, session) => keepPaymentMethod(deps, input, session),
    findPaymentMethod: (input) => paymentMethods.find(input, input.paymentMethodId),
  };
}
