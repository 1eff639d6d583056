import { Arg, Args, Ctx, FieldResolver, ID, Query, Resolver, Root } from 'type-graphql';
import { authorize } from '../platform/graphql/authorize.ts';
import { mapConnection } from '../platform/graphql/connection.ts';
import { PageArgs } from '../platform/graphql/page-args.ts';
import { RequiresScopes } from '../platform/graphql/requires-scopes.ts';
import type { RequestContext } from '../platform/principal.ts';
import type { OperationService } from './service.ts';
import { Operation, OperationConnection, toOperation, User } from './type.ts';

@Resolver(() => Operation)
export class OperationResolver {
  readonly #operations: OperationService;

  constructor(operations: OperationService) {
    this.#operations = operations;
  }

  @RequiresScopes('partner')
  @Query(() => Operation, {
    nullable: true,
    description: "One of the partner's operations; null when there is none.",
  })
  async operation(
    @Arg('id', () => ID, { description: 'The operationId.' }) id: string,
    @Ctx() context: RequestContext,
  ): Promise<Operation | null> {
    const found = (await this.#operations.findByIds(authorize(context), [id])).get(id);
    return found ? toOperation(found) : null;
  }

  @RequiresScopes('partner')
  @Query(() => OperationConnection, { description: "The partner's operations, newest first." })
  async operations(
    @Args(() => PageArgs) page: PageArgs,
    @Ctx() context: RequestContext,
  ): Promise<OperationConnection> {
    const found = await this.#operations.list(authorize(context), {}, page);
    return mapConnection(found, toOperation, OperationConnection);
  }
}

@Resolver(() => User)
export class UserOperationsResolver {
  readonly #operations: OperationService;

  constructor(operations: OperationService) {
    this.#operations = operations;
  }

  @RequiresScopes('partner')
  @FieldResolver(() => OperationConnection, { description: "The user's operations, newest first." })
  async operations(
    @Root() user: User,
    @Args(() => PageArgs) page: PageArgs,
    @Ctx() context: RequestContext,
  ): Promise<OperationConnection> {
    const found = await this.#operations.list(authorize(context), { userId: user.id }, page);
    return mapConnection(found, toOperation, OperationConnection);
  }
}
