import { Arg, Args, Ctx, Directive, FieldResolver, ID, Mutation, Query, Resolver, Root } from 'type-graphql';
import type { Result } from '../../platform/errors/result.ts';
import { authorize, unwrap } from '../../platform/graphql/authorize.ts';
import { mapConnection } from '../../platform/graphql/connection.ts';
import { toPagePayload } from '../../platform/graphql/numbered-page.type.ts';
import { PageArgs } from '../../platform/graphql/page-args.ts';
import { RequiresScopes } from '../../platform/graphql/requires-scopes.ts';
import { toUserErrors } from '../../platform/graphql/user-error.type.ts';
import { parseJson } from '../../platform/json/parse-json.ts';
import type { RequestContext } from '../../platform/principal.ts';
import type { OperationService } from '../service.ts';
import type { OperationRecord } from '../store/model.ts';
import {
  OperationPageArgs,
  RequestMoneyV2Input,
  RequestMoneyV2Payload,
  toBody,
  UpdateOperationStatusPayload,
} from './inputs.ts';
import { OperationSortInput, OperationWhereInput, toListing } from './listing.ts';
import {
  Operation,
  OperationConnection,
  OperationMove,
  OperationPage,
  toMove,
  toOperation,
  User,
} from './operation.type.ts';

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
  @Query(() => OperationConnection, { description: "The partner's operations." })
  async operations(
    @Args(() => PageArgs) page: PageArgs,
    @Arg('where', () => OperationWhereInput, {
      nullable: true,
      description: 'Which operations; all when absent.',
    })
    where: OperationWhereInput | null,
    @Arg('sortBy', () => OperationSortInput, {
      nullable: true,
      description: 'Their order; newest first when absent.',
    })
    sortBy: OperationSortInput | null,
    @Ctx() context: RequestContext,
  ): Promise<OperationConnection> {
    const found = await this.#operations.list(authorize(context), toListing(where, sortBy), page);
    return mapConnection(found, toOperation, OperationConnection);
  }

  @RequiresScopes('partner')
  @Query(() => OperationPage, { description: 'GET /partner/operations: the query as it was sent.' })
  @Directive('@inaccessible')
  async operationPage(
    @Args(() => OperationPageArgs) query: OperationPageArgs,
    @Ctx() context: RequestContext,
  ): Promise<OperationPage> {
    return toPagePayload(await this.#operations.page(authorize(context), query), toOperation);
  }

  @RequiresScopes('partner')
  @FieldResolver(() => [OperationMove], { description: 'Its moves, oldest first; the creation is one.' })
  async history(@Root() operation: Operation, @Ctx() context: RequestContext): Promise<OperationMove[]> {
    return (await this.#operations.moves(authorize(context), operation.id)).map(toMove);
  }

  @RequiresScopes('partner')
  @Query(() => [Operation], {
    description: "GET /v1/user/operations/{userToken}: a user's newest 1,000 operations, newest first.",
  })
  @Directive('@inaccessible')
  async operationHistory(
    @Arg('userToken', () => ID, { description: 'The user.' }) userToken: string,
    @Arg('destinationPhone', () => String, {
      nullable: true,
      description: 'Only operations with the contact of this phone number; of all when absent.',
    })
    destinationPhone: string | null,
    @Ctx() context: RequestContext,
  ): Promise<Operation[]> {
    const request = { userId: userToken, destinationPhone: destinationPhone ?? undefined };
    return unwrap(await this.#operations.history(authorize(context), request)).map(toOperation);
  }

  @RequiresScopes('partner')
  @Mutation(() => RequestMoneyV2Payload, {
    description:
      "Asks one of a user's contacts, or somebody new, for money. After ERROR_INTERNAL_SERVER_ERROR the same request again goes on where this one stopped.",
  })
  requestMoneyV2(
    @Arg('input', () => RequestMoneyV2Input, { description: 'The request to make.' })
    input: RequestMoneyV2Input,
    @Ctx() context: RequestContext,
  ): Promise<RequestMoneyV2Payload> {
    return this.#request(context, input.userId, toBody(input));
  }

  @RequiresScopes('partner')
  @Mutation(() => RequestMoneyV2Payload, {
    description: 'POST /v1/user/operations/request-money-v2/{userToken}: the body as it was sent.',
  })
  @Directive('@inaccessible')
  requestMoneyV2FromJson(
    @Arg('userToken', () => ID, { description: 'The user who asks.' }) userToken: string,
    @Arg('body', () => String, { description: 'The JSON text of the request.' }) body: string,
    @Ctx() context: RequestContext,
  ): Promise<RequestMoneyV2Payload> {
    return this.#request(context, userToken, parseJson(body)?.value);
  }

  @RequiresScopes('internal')
  @Mutation(() => UpdateOperationStatusPayload, {
    description: 'PATCH /v1/internal/operations/{operationId}/status: the body as it was sent.',
  })
  @Directive('@inaccessible')
  async updateOperationStatusFromJson(
    @Arg('operationId', () => ID, { description: 'The operation.' }) operationId: string,
    @Arg('body', () => String, { description: 'The JSON text of the request.' }) body: string,
    @Ctx() context: RequestContext,
  ): Promise<UpdateOperationStatusPayload> {
    authorize(context, 'internal');
    return toPayload(await this.#operations.updateStatus(operationId, parseJson(body)?.value));
  }

  async #request(context: RequestContext, userId: string, body: unknown): Promise<RequestMoneyV2Payload> {
    return toPayload(await this.#operations.requestMoneyV2(authorize(context), { userId, body }));
  }
}

function toPayload(result: Result<OperationRecord>): RequestMoneyV2Payload {
  return result.ok
    ? { operation: toOperation(result.value), userErrors: [] }
    : { operation: null, userErrors: toUserErrors(result.failures) };
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
    const found = await this.#operations.list(authorize(context), { filter: { userId: user.id } }, page);
    return mapConnection(found, toOperation, OperationConnection);
  }
}
