import { Arg, Args, Ctx, FieldResolver, Query, Resolver, Root } from 'type-graphql';
import { authorize, unwrap } from '../../graph/authorize.ts';
import { mapConnection } from '../../graph/connection.ts';
import { DocumentedMutation, type MutationCall, toPayload } from '../../graph/documented-mutation.ts';
import { PageArgs } from '../../graph/page-args.ts';
import { RequiresScopes } from '../../graph/requires-scopes.ts';
import { TotalsArgs, toDivision, toTotals } from '../../graph/totals.ts';
import type { RequestContext } from '../../kernel/principal.ts';
import { User } from '../../remittances/index.ts';
import { readCreate } from '../commands/read-create-request-money.ts';
import { readStatusUpdate } from '../commands/update-status.ts';
import type { RequestMoneyService } from '../service.ts';
import {
  CancelRequestMoneyInput,
  CancelRequestMoneyPayload,
  CreateRequestMoneyInput,
  CreateRequestMoneyPayload,
  toBody,
  UpdateRequestMoneyStatusPayload,
} from './inputs.ts';
import { RequestMoneySortInput, RequestMoneyWhereInput, toListing } from './listing.ts';
import {
  RequestMoney,
  RequestMoneyConnection,
  RequestMoneyTotal,
  toRequestMoney,
} from './request-money.type.ts';

@Resolver(() => RequestMoney)
export class RequestMoneyResolver {
  constructor(private readonly service: RequestMoneyService) {}

  @RequiresScopes('partner')
  @Query(() => RequestMoney, {
    nullable: true,
    description: "The partner's money request with this reference; null if there is none.",
  })
  async requestMoney(
    @Arg('referenceId', () => String, { description: "The partner's 8-character reference." })
    referenceId: string,
    @Ctx() context: RequestContext,
  ): Promise<RequestMoney | null> {
    const found = unwrap(await this.service.find(authorize(context), referenceId));
    return found ? toRequestMoney(found) : null;
  }

  @RequiresScopes('partner')
  @Query(() => RequestMoneyConnection, { description: "The partner's money requests." })
  async requestMonies(
    @Args(() => PageArgs) page: PageArgs,
    @Arg('where', () => RequestMoneyWhereInput, {
      nullable: true,
      description: 'Filter; all money requests when absent.',
    })
    where: RequestMoneyWhereInput | null,
    @Arg('sortBy', () => RequestMoneySortInput, {
      nullable: true,
      description: 'Order of the results; newest first when absent.',
    })
    sortBy: RequestMoneySortInput | null,
    @Ctx() context: RequestContext,
  ): Promise<RequestMoneyConnection> {
    const found = unwrap(await this.service.list(authorize(context), toListing(where, sortBy), page));
    return mapConnection(found, toRequestMoney, RequestMoneyConnection);
  }

  @RequiresScopes('partner')
  @Query(() => [RequestMoneyTotal], {
    description:
      "Number of the partner's money requests, and the sum of their amounts, by group. Fails with BAD_USER_INPUT if there are more than 1,000 groups.",
  })
  async requestMoneyTotals(
    @Args(() => TotalsArgs) args: TotalsArgs,
    @Arg('where', () => RequestMoneyWhereInput, {
      nullable: true,
      description: 'Filter; all money requests when absent.',
    })
    where: RequestMoneyWhereInput | null,
    @Ctx() context: RequestContext,
  ): Promise<RequestMoneyTotal[]> {
    const division = toDivision(args);
    const found = await this.service.totals(authorize(context), toListing(where, null), division);
    return toTotals(unwrap(found), args);
  }

  @DocumentedMutation({
    scopes: ['partner', 'partner_write'],
    payload: () => CreateRequestMoneyPayload,
    graphql: {
      description: 'Creates a money request, with a link for its payer.',
      input: { type: () => CreateRequestMoneyInput, description: 'The money request to create.', toBody },
    },
    rest: {
      field: 'createRequestMoneyFromJson',
      description: 'POST /v1/request-money: the body as it was sent.',
      body: 'bounded',
    },
    args: {
      idempotencyKey: {
        graphql:
          'Idempotency key of the call. A retry with the same key and input returns the first result. Keys are shared with the REST header Idempotency-Key.',
        rest: 'The Idempotency-Key header.',
      },
    },
  })
  async createRequestMoney({
    principal,
    args: { idempotencyKey },
    ...call
  }: MutationCall<never, 'idempotencyKey'>): Promise<CreateRequestMoneyPayload> {
    const created = await this.service.create(principal, readCreate({ ...call, idempotencyKey }));
    const payload = toPayload('requestMoney', created, ({ moneyRequest }) => toRequestMoney(moneyRequest));
    const { isReplay, warnings } = created.ok ? created.value : { isReplay: false, warnings: [] };
    return { ...payload, isReplay, warnings };
  }

  @DocumentedMutation({
    scopes: ['partner', 'partner_write'],
    payload: () => CancelRequestMoneyPayload,
    graphql: {
      description:
        'Cancels a pending money request: its payer can no longer pay it. A money request that is already cancelled, or has expired, keeps its details. Fails with INVALID_TRANSITION in any other status.',
      input: { type: () => CancelRequestMoneyInput, description: 'The money request to cancel.' },
    },
    rest: {
      field: 'cancelRequestMoneyFromJson',
      description:
        'POST /v1/request-money/{referenceId}/cancel: the body as it was sent; an empty one is none.',
      body: 'optional',
    },
    ids: {
      referenceId: {
        argument: 'referenceId',
        description: 'Reference that the partner gave the money request.',
      },
    },
  })
  async cancelRequestMoney({
    principal,
    ids,
    body,
  }: MutationCall<'referenceId'>): Promise<CancelRequestMoneyPayload> {
    const cancelled = await this.service.cancel(principal, ids.referenceId, body);
    return toPayload('requestMoney', cancelled, toRequestMoney);
  }

  @DocumentedMutation({
    scopes: ['internal'],
    payload: () => UpdateRequestMoneyStatusPayload,
    rest: {
      field: 'updateRequestMoneyStatusFromJson',
      description: 'PATCH /v1/internal/remittances/status: the body as it was sent.',
    },
  })
  async updateRequestMoneyStatus({ body }: MutationCall): Promise<UpdateRequestMoneyStatusPayload> {
    const updated = await this.service.updateStatus(readStatusUpdate(body));
    return toPayload('requestMoney', updated, toRequestMoney);
  }
}

@Resolver(() => User)
export class UserMoneyRequestsResolver {
  constructor(private readonly service: RequestMoneyService) {}

  @RequiresScopes('partner')
  @FieldResolver(() => RequestMoneyConnection, { description: "The user's money requests, newest first." })
  async requestMonies(
    @Root() user: User,
    @Args(() => PageArgs) page: PageArgs,
    @Ctx() context: RequestContext,
  ): Promise<RequestMoneyConnection> {
    const listing = toListing({ userId: user.id }, null);
    const found = unwrap(await this.service.list(authorize(context), listing, page));
    return mapConnection(found, toRequestMoney, RequestMoneyConnection);
  }
}
