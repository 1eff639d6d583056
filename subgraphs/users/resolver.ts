import { Arg, Args, Ctx, ID, Query, Resolver } from 'type-graphql';
import { authorize } from '../platform/graphql/authorize.ts';
import { mapConnection } from '../platform/graphql/connection.ts';
import { PageArgs } from '../platform/graphql/page-args.ts';
import { RequiresScopes } from '../platform/graphql/requires-scopes.ts';
import type { RequestContext } from '../platform/principal.ts';
import type { Listing } from './listing.ts';
import type { UserService } from './service.ts';
import { toUser, User, UserConnection } from './type.ts';

const NEWEST_FIRST: Listing = { filter: {}, order: { field: 'createdAt', direction: 'desc' } };

@Resolver(() => User)
export class UserResolver {
  readonly #users: UserService;

  constructor(users: UserService) {
    this.#users = users;
  }

  @RequiresScopes('partner')
  @Query(() => User, { nullable: true, description: "One of the partner's users; null when there is none." })
  async user(
    @Arg('id', () => ID, { description: 'The userId.' }) id: string,
    @Ctx() context: RequestContext,
  ): Promise<User | null> {
    const found = await this.#users.findByIds(authorize(context), [id]);
    const user = found.get(id);
    return user ? toUser(user) : null;
  }

  @RequiresScopes('partner')
  @Query(() => UserConnection, { description: "The partner's users, newest first." })
  async users(@Args(() => PageArgs) page: PageArgs, @Ctx() context: RequestContext): Promise<UserConnection> {
    return mapConnection(
      await this.#users.list(authorize(context), NEWEST_FIRST, page),
      toUser,
      UserConnection,
    );
  }
}
