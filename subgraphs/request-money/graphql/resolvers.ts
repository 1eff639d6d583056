import { Arg, Args, Ctx, Directive, Mutation, Query, Resolver } from 'type-graphql';
import { authorize, unwrap } from '../../platform/graphql/authorize.ts';
import { mapConnection } from '../../platform/graphql/connection.ts';
import { PageArgs } from '../../platform/graphql/page-args.ts';
import { RequiresScopes } from '../../platform/graphql/requires-scopes.ts';
import { toUserErrors } from '../../platform/graphql/user-error.type.ts';
import { parseJson } from '../../platform/json/parse-json.ts';
import type { RequestContext } from '../../platform/principal.ts';
import type { RequestMoneyService } from '../service.ts';
import type { CreateRequest } from '../use-cases/create-request-money.ts';
import {
  CreateRequestMoneyInput,
  CreateRequestMoneyPayload,
  toBody,
  UpdateRequestMoneyStatusPayload,
} from './inputs.ts';
import { RequestMoneySortInput, RequestMoneyWhereInput, toListing } from './listing.ts';
import { RequestMoney, RequestMoneyConnection, toRequestMoney } from './request-money.type.ts';

@Resolver(() => RequestMoney)
export class RequestMoneyResolver {
  readonly #service: RequestMoneyService;

  constructor(service: RequestMoneyService) {
    this.#service = service;
  }

  @RequiresScopes('partner')
  @Query(() => RequestMoney, {
    nullable: true,
    description: "One of the partner's asks; null when there is none.",
  })
  async requestMoney(
    @Arg('referenceId', () => String, { description: "The partner's 8-character reference." })
    referenceId: string,
    @Ctx() context: RequestContext,
  ): Promise<RequestMoney | null> {
    const found = unwrap(await this.#service.find(authorize(context), referenceId));
    return found ? toRequestMoney(found) : null;
  }

  @RequiresScopes('partner')
  @Query(() => RequestMoneyConnection, { description: "The partner's asks." })
  async requestMonies(
    @Args(() => PageArgs) page: PageArgs,
    @Arg('where', () => RequestMoneyWhereInput, {
      nullable: true,
      description: 'Which asks; all when absent.',
    })
    where: RequestMoneyWhereInput | null,
    @Arg('sortBy', () => RequestMoneySortInput, {
      nullable: true,
      description: 'Their order; newest first when absent.',
    })
    sortBy: RequestMoneySortInput | null,
    @Ctx() context: RequestContext,
  ): Promise<RequestMoneyConnection> {
    const found = unwrap(await this.#service.list(authorize(context), toListing(where, sortBy), page));
    return mapConnection(found, toRequestMoney, RequestMoneyConnection);
  }

  @RequiresScopes('partner')
  @Mutation(() => CreateRequestMoneyPayload, {
    description: 'Asks for money: makes a payer link for a requester.',
  })
  createRequestMoney(
    @Arg('input', () => CreateRequestMoneyInput, { description: 'The ask to make.' })
    input: CreateRequestMoneyInput,
    @Arg('idempotencyKey', () => String, {
      nullable: true,
      description:
        'A retry with the same key and input gets the first result again; shared with the REST header.',
    })
    idempotencyKey: string | null,
    @Ctx() context: RequestContext,
  ): Promise<CreateRequestMoneyPayload> {
    return this.#create(context, { body: toBody(input), idempotencyKey, surface: 'graphql' });
  }

  @RequiresScopes('partner')
  @Mutation(() => CreateRequestMoneyPayload, {
    description: 'POST /v1/request-money: the body as it was sent.',
  })
  @Directive('@inaccessible')
  createRequestMoneyFromJson(
    @Arg('body', () => String, {
      nullable: true,
      description: 'The JSON text of the request; null when it was too large to be read.',
    })
    body: string | null,
    @Arg('idempotencyKey', () => String, { nullable: true, description: 'The Idempotency-Key header.' })
    idempotencyKey: string | null,
    @Ctx() context: RequestContext,
  ): Promise<CreateRequestMoneyPayload> {
    const read = body === null ? { body, isTooLarge: true } : { body: parseJson(body)?.value };
    return this.#create(context, { ...read, idempotencyKey, surface: 'rest' });
  }

  @RequiresScopes('internal')
  @Mutation(() => UpdateRequestMoneyStatusPayload, {
    description: 'PATCH /v1/internal/remittances/status: the body as it was sent.',
  })
  @Directive('@inaccessible')
  async updateRequestMoneyStatusFromJson(
    @Arg('body', () => String, { description: 'The JSON text of the request.' }) body: string,
    @Ctx() context: RequestContext,
  ): Promise<UpdateRequestMoneyStatusPayload> {
    authorize(context, 'internal');
    const updated = await this.#service.updateStatus(parseJson(body)?.value);
    return updated.ok
      ? { requestMoney: toRequestMoney(updated.value), userErrors: [] }
      : { requestMoney: null, userErrors: toUserErrors(updated.failures) };
  }

  async #create(context: RequestContext, request: CreateRequest): Promise<CreateRequestMoneyPayload> {
    const created = await this.#service.create(authorize(context), request);
    return created.ok
      ? {
          requestMoney: toRequestMoney(created.value.moneyRequest),
          warnings: created.value.warnings,
          userErrors: [],
        }
      : { requestMoney: null, warnings: [], userErrors: toUserErrors(created.failures) };
  }
}
