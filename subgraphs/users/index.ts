import type { Connection } from 'mongoose';
import type { Box } from '../platform/crypto/box.ts';
import type { SubgraphDefinition } from '../platform/graphql/subgraph.ts';
import { createUserModel } from './model.ts';
import { resolveUsers } from './reference.ts';
import { UserResolver } from './resolver.ts';
import { createUserService, type UsersPort } from './service.ts';

export type { UsersPort } from './service.ts';

/** The users slice: users, their contacts, payment methods and identity checks. */
export function createUsers(deps: { connection: Connection; box: Box }): {
  subgraph: SubgraphDefinition;
  port: UsersPort;
} {
  const users = createUserService({ model: createUserModel(deps.connection), box: deps.box });
  return {
    subgraph: {
      name: 'users',
      resolvers: [new UserResolver(users)],
      references: { User: resolveUsers(users) },
    },
    port: users,
  };
}
