import type { Connection } from 'mongoose';
import type { BlindIndex } from '../platform/crypto/blind-index.ts';
import type { Box } from '../platform/crypto/box.ts';
import type { SubgraphDefinition } from '../platform/graphql/subgraph.ts';
import { createContactRepository } from './contact-repository.ts';
import type { UsersDeps } from './deps.ts';
import { createKeys } from './keys.ts';
import { createUsersModels } from './model.ts';
import { createPaymentMethodRepository } from './payment-method-repository.ts';
import type { UsersPort } from './port.ts';
import { resolveUsers } from './reference.ts';
import { UserResolver } from './resolver.ts';
import { createUserService, createUsersPort } from './service.ts';
import { createUserRepository } from './user-repository.ts';

export {
  contactChecks,
  contactShape,
  type RawContact,
  readContact,
  toContact,
} from './contact.ts';
export {
  methodFault,
  methodShape,
  type RawPaymentMethod,
  readMethodType,
  toPaymentMethod,
} from './payment-method.ts';
export {
  type ContactInput,
  type ContactRecord,
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

/** The users slice: users, their contacts, payment methods and identity checks. */
export function createUsers(
  deps: Omit<UsersDeps, 'users' | 'contacts' | 'paymentMethods' | 'keys'> & {
    connection: Connection;
    box: Box;
    blindIndex: BlindIndex;
  },
): { subgraph: SubgraphDefinition; port: UsersPort } {
  const { box } = deps;
  const models = createUsersModels(deps.connection);
  const keys = createKeys(deps.blindIndex);
  const slice: UsersDeps = {
    ...deps,
    keys,
    users: createUserRepository({ model: models.users, box, keys }),
    contacts: createContactRepository({ model: models.contacts, box, keys }),
    paymentMethods: createPaymentMethodRepository({ model: models.paymentMethods, box, keys }),
  };
  const users = createUserService(slice);
  return {
    subgraph: {
      name: 'users',
      resolvers: [new UserResolver(users)],
      references: { User: resolveUsers(users) },
    },
    port: createUsersPort(slice),
  };
}
