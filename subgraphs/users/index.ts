import type { SubgraphDefinition } from '../platform/graphql/subgraph.ts';
import { createUsersDeps, type UsersSeams } from './deps.ts';
import { UserMutations } from './mutations.ts';
import type { UsersPort } from './port.ts';
import { createReferences } from './reference.ts';
import { ContactResolver, UserResolver } from './resolver.ts';
import { createUserService, createUsersPort } from './service.ts';

export {
  contactChecks,
  contactShape,
  type RawContact,
  readContact,
  toContact,
} from './contact.ts';
export { RegisterUserInput, toBody as toRegistrationBody } from './input.ts';
export { payoutMethodJsonSchemas, type UserJsonSchemas, userJsonSchemas } from './json-schema.ts';
export {
  isCard,
  methodFault,
  methodShape,
  type RawPaymentMethod,
  readMethodType,
  toPaymentMethod,
} from './payment-method.ts';
export { MethodType } from './payment-method.type.ts';
export {
  type CipState,
  type ContactInput,
  type ContactRecord,
  type IdentityCheck,
  PAYMENT_METHOD_TYPES,
  type PaymentMethodInput,
  type PaymentMethodRecord,
  type PaymentMethodType,
  type UserStanding,
  type UsersPort,
} from './port.ts';
export {
  type RawRegistration,
  type Registration,
  readRegistration,
  registrationChecks,
  registrationShape,
  toRegistration,
  toShapeRefusal,
} from './registration.ts';
export { type VerificationCode, verifyPaymentMethod } from './verify-payment-method.ts';

/** The users slice: users, their contacts, payment methods and identity checks. */
export function createUsers(seams: UsersSeams): { subgraph: SubgraphDefinition; port: UsersPort } {
  const deps = createUsersDeps(seams);
  const users = createUserService(deps);
  return {
    subgraph: {
      name: 'users',
      resolvers: [new UserResolver(users), new ContactResolver(users), new UserMutations(users)],
      references: createReferences(users),
    },
    port: createUsersPort(deps),
  };
}
