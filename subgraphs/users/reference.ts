import { authorize } from '../platform/graphql/authorize.ts';
import { type ReferenceResolver, referenceBy } from '../platform/graphql/subgraph.ts';
import type { UserService } from './service.ts';
import { toUser } from './type.ts';

/** `User @key(id)`: all users of a batch in one read. */
export function resolveUsers(users: Pick<UserService, 'findByIds'>): ReferenceResolver {
  return referenceBy('id', (ids, context) => users.findByIds(authorize(context), ids), toUser);
}
