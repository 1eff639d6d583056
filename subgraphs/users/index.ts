import type { SubgraphDefinition } from '../graph/subgraph.ts';
import { createUsersDeps, type UsersDependencies } from './deps.ts';
import { ContactDataResolver, ContactsDataResolver, PaymentDataResolver } from './graphql/contact-data.ts';
import { UserMutations } from './graphql/mutations.ts';
import { createReferences } from './graphql/references.ts';
import { ContactResolver, PaymentMethodResolver, UserResolver } from './graphql/resolvers.ts';
import type { UsersPort } from './port.ts';
import { createUserService, createUsersPort } from './service.ts';
import { searchContacts, searchPaymentMethods, searchUsers } from './use-cases/search-users.ts';

export { contactChecks, contactShape, toContact } from './commands/contact.ts';
export { payoutMethodJsonSchemas, userJsonSchemas } from './commands/json-schema.ts';
export {
  checkMethod,
  expiryIssue,
  holderIssue,
  methodShape,
  numberIssue,
  type RawPaymentMethod,
  readMethodType,
  toPaymentMethod,
} from './commands/payment-method.ts';
export {
  REQUESTER_NAMES,
  registrationChecks,
  registrationShape,
  requesterNameIssue,
  toRegistration,
} from './commands/registration.ts';
export { toShapeFailure } from './commands/shape.ts';
export type { ContactInput, ContactRecord } from './contact.ts';
export { EraseUserMutation } from './graphql/erase-user-mutation.ts';
export { RegisterUserInput } from './graphql/inputs.ts';
export { MethodType } from './graphql/payment-method.type.ts';
export {
  isCard,
  PAYMENT_METHOD_TYPES,
  type PaymentMethodInput,
  type PaymentMethodType,
} from './payment-method.ts';
export { type IdentityCheck, UserNotAllowedError, type UsersPort } from './port.ts';
export {
  type VerificationCode,
  verifiersOf,
  verifyPaymentMethod,
} from './use-cases/verify-payment-method.ts';
export {
  type AccountState,
  CIP_STATUSES,
  type CipState,
  type CipStatus,
  type Registration,
  refusalOf,
} from './user.ts';

/** The users slice: users, their contacts, payment methods and identity checks. */
export function createUsers(dependencies: UsersDependencies): {
  subgraph: SubgraphDefinition;
  port: UsersPort;
} {
  const deps = createUsersDeps(dependencies);
  const users = createUserService(deps);
  return {
    subgraph: {
      name: 'users',
      resolvers: [
        new UserResolver(users, deps.reveals),
        new ContactDataResolver(deps.reveals),
        new ContactsDataResolver(deps.reveals),
        new PaymentDataResolver(deps.reveals),
        new ContactResolver(users),
        new PaymentMethodResolver(),
        new UserMutations(users),
      ],
      references: createReferences(users),
      search: [searchUsers(deps), searchContacts(deps), searchPaymentMethods(deps)],
    },
    port: createUsersPort(deps),
  };
}
