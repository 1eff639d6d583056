import { Arg, Args, Ctx, Directive, FieldResolver, ID, Query, Resolver, Root } from 'type-graphql';
import { authorize, unwrap } from '../../graph/authorize.ts';
import { createBatchLoader } from '../../graph/batch-loader.ts';
import { mapConnection } from '../../graph/connection.ts';
import { DocumentedMutation, type MutationCall, toPayload } from '../../graph/documented-mutation.ts';
import { toPagePayload } from '../../graph/numbered-page.type.ts';
import { PageArgs } from '../../graph/page-args.ts';
import { RequiresScopes } from '../../graph/requires-scopes.ts';
import { TotalsArgs, toDivision, toTotals } from '../../graph/totals.ts';
import { andThen } from '../../kernel/errors/result.ts';
import type { RequestContext } from '../../kernel/principal.ts';
import { readRequestMoneyV2 } from '../commands/request-money-v2.ts';
import { readStatusUpdate } from '../commands/update-status.ts';
import type { OperationService } from '../service.ts';
import type { OperationHistoryDocument } from '../store/model.ts';
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
  OperationTotal,
  toMove,
  toOperation,
  User,
} from './operation.type.ts';

@Resolver(() => Operation)
export class OperationResolver {
  readonly #loadMoves: (
    context: RequestContext,
    operationId: string,
  ) => Promise<OperationHistoryDocument[] | undefined>;

  constructor(private readonly service: OperationService) {
    this.#loadMoves = createBatchLoader((context, ids) => service.findMoves(authorize(context), ids));
  }

  @RequiresScopes('partner')
  @Query(() => Operation, {
    nullable: true,
    description: "The partner's operation with this id; null if there is none.",
  })
  async operation(
    @Arg('id', () => ID, { description: 'The operationId.' }) id: string,
    @Ctx() context: RequestContext,
  ): Promise<Operation | null> {
    const found = (await this.service.findByIds(authorize(context), [id])).get(id);
    return found ? toOperation(found) : null;
  }

  @RequiresScopes('partner')
  @Query(() => OperationConnection, { description: "The partner's operations." })
  async operations(
    @Args(() => PageArgs) page: PageArgs,
    @Arg('where', () => OperationWhereInput, {
      nullable: true,
      description: 'Filter; all operations when absent.',
    })
    where: OperationWhereInput | null,
    @Arg('sortBy', () => OperationSortInput, {
      nullable: true,
      description: 'Order of the results; newest first when absent.',
    })
    sortBy: OperationSortInput | null,
    @Ctx() context: RequestContext,
  ): Promise<OperationConnection> {
    const found = await this.service.list(authorize(context), toListing(where, sortBy), page);
    return mapConnection(found, toOperation, OperationConnection);
  }

  @RequiresScopes('partner')
  @Query(() => [OperationTotal], {
    description:
      "Number of the partner's operations, and the sum of the amounts that their recipients get, by group. Fails with BAD_USER_INPUT if there are more than 1,000 groups.",
  })
  async operationTotals(
    @Args(() => TotalsArgs) args: TotalsArgs,
    @Arg('where', () => OperationWhereInput, {
      nullable: true,
      description: 'Filter; all operations when absent.',
    })
    where: OperationWhereInput | null,
    @Ctx() context: RequestContext,
  ): Promise<OperationTotal[]> {
    const division = toDivision(args);
    return toTotals(await this.service.totals(authorize(context), toListing(where, null), division), args);
  }

  @RequiresScopes('partner')
  @Query(() => OperationPage, { description: 'GET /partner/operations: the query as it was sent.' })
  @Directive('@inaccessible')
  async operationPage(
    @Args(() => OperationPageArgs) query: OperationPageArgs,
    @Ctx() context: RequestContext,
  ): Promise<OperationPage> {
    return toPagePayload(await this.service.page(authorize(context), query), toOperation);
  }

  @RequiresScopes('partner')
  @FieldResolver(() => [OperationMove], {
    description: 'Status changes of the operation, oldest first, starting with its creation.',
  })
  async history(@Root() operation: Operation, @Ctx() context: RequestContext): Promise<OperationMove[]> {
    return ((await this.#loadMoves(context, operation.id)) ?? []).map(toMove);
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
    return unwrap(await this.service.history(authorize(context), request)).map(toOperation);
  }

  @DocumentedMutation({
    scopes: ['partner', 'partner_write'],
    payload: () => RequestMoneyV2Payload,
    graphql: {
      description:
        "Asks one of a user's contacts, or a new person, for money. After ERROR_INTERNAL_SERVER_ERROR, send the same request again: it continues where this one stopped.",
      input: { type: () => RequestMoneyV2Input, description: 'The request to create.', toBody },
    },
    rest: {
      field: 'requestMoneyV2FromJson',
      description: 'POST /v1/user/operations/request-money-v2/{userToken}: the body as it was sent.',
    },
    ids: { userId: { argument: 'userToken', description: 'The user who requests money.' } },
  })
  async requestMoneyV2({
    principal,
    ids: { userId },
    body,
  }: MutationCall<'userId'>): Promise<RequestMoneyV2Payload> {
    const command = readRequestMoneyV2(body);
    const requested = await this.service.requestMoneyV2(principal, { userId, command });
    return toPayload('operation', requested, toOperation);
  }

  @DocumentedMutation({
    scopes: ['internal'],
    payload: () => UpdateOperationStatusPayload,
    rest: {
      field: 'updateOperationStatusFromJson',
      description: 'PATCH /v1/internal/operations/{operationId}/status: the body as it was sent.',
    },
    ids: { operationId: { argument: 'operationId', description: 'The operation.' } },
  })
  async updateOperationStatus({
    ids: { operationId },
    body,
  }: MutationCall<'operationId'>): Promise<UpdateOperationStatusPayload> {
    const updated = await andThen(readStatusUpdate(body), (update) =>
      this.service.updateStatus(operationId, update),
    );
    return toPayload('operation', updated, toOperation);
  }
}

@Resolver(() => User)
export class UserOperationsResolver {
  constructor(private readonly service: OperationService) {}

  @RequiresScopes('partner')
  @FieldResolver(() => OperationConnection, { description: "The user's operations, newest first." })
  async operations(
    @Root() user: User,
    @Args(() => PageArgs) page: PageArgs,
    @Ctx() context: RequestContext,
  ): Promise<OperationConnection> {
    const found = await this.service.list(authorize(context), { filter: { userId: user.id } }, page);
    return mapConnection(found, toOperation, OperationConnection);
  }
}
