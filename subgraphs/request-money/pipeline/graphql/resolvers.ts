import { Arg, Args, Ctx, Directive, ID, Mutation, Query, Resolver } from 'type-graphql';
import { authorize } from '../../../platform/graphql/authorize.ts';
import { mapConnection } from '../../../platform/graphql/connection.ts';
import { PageArgs } from '../../../platform/graphql/page-args.ts';
import { RequiresAllScopes, RequiresScopes } from '../../../platform/graphql/requires-scopes.ts';
import { toUserErrors } from '../../../platform/graphql/user-error.type.ts';
import { parseJson } from '../../../platform/json/parse-json.ts';
import type { Principal, RequestContext } from '../../../platform/principal.ts';
import type { RemittanceService } from '../pipeline.ts';
import { RequestMoneyFullInput, RequestMoneyFullPayload, toBody } from './inputs.ts';
import { RemittanceSortInput, RemittanceWhereInput, toListing } from './listing.ts';
import { Remittance, RemittanceConnection, toRemittance } from './remittance.type.ts';

@Resolver(() => Remittance)
export class RemittanceResolver {
  readonly #remittances: RemittanceService;

  constructor(remittances: RemittanceService) {
    this.#remittances = remittances;
  }

  @RequiresScopes('partner')
  @Query(() => Remittance, {
    nullable: true,
    description: 'An atomic call that was accepted; null when there is none.',
  })
  async remittance(
    @Arg('correlationId', () => ID, { description: "The partner's id of the request." })
    correlationId: string,
    @Ctx() context: RequestContext,
  ): Promise<Remittance | null> {
    const found = await this.#remittances.findByIds(authorize(context), [correlationId]);
    const remittance = found.get(correlationId);
    return remittance ? toRemittance(remittance, this.#remittances.now()) : null;
  }

  @RequiresScopes('partner')
  @Query(() => RemittanceConnection, { description: "The partner's accepted atomic calls." })
  async remittances(
    @Args(() => PageArgs) page: PageArgs,
    @Arg('where', () => RemittanceWhereInput, {
      nullable: true,
      description: 'Which remittances; all when absent.',
    })
    where: RemittanceWhereInput | null,
    @Arg('sortBy', () => RemittanceSortInput, {
      nullable: true,
      description: 'Their order; newest first when absent.',
    })
    sortBy: RemittanceSortInput | null,
    @Ctx() context: RequestContext,
  ): Promise<RemittanceConnection> {
    const principal = authorize(context);
    const now = this.#remittances.now();
    const found = await this.#remittances.list(principal, toListing(where, sortBy, now), page);
    return mapConnection(found, (remittance) => toRemittance(remittance, now), RemittanceConnection);
  }

  @RequiresAllScopes('partner', 'partner_full')
  @Mutation(() => RequestMoneyFullPayload, {
    description:
      'Registers a requester and asks a payer for money in one call. It answers when the call is accepted; the rest follows.',
  })
  requestMoneyFull(
    @Arg('input', () => RequestMoneyFullInput, { description: 'Who asks, whom, and for what.' })
    input: RequestMoneyFullInput,
    @Ctx() context: RequestContext,
  ): Promise<RequestMoneyFullPayload> {
    return this.#accept(authorizeFully(context), toBody(input));
  }

  @RequiresAllScopes('partner', 'partner_full')
  @Mutation(() => RequestMoneyFullPayload, {
    description: 'POST /v1/user/operations/request-money-full: the body as it was sent.',
  })
  @Directive('@inaccessible')
  requestMoneyFullFromJson(
    @Arg('body', () => String, { description: 'The JSON text of the request.' }) body: string,
    @Ctx() context: RequestContext,
  ): Promise<RequestMoneyFullPayload> {
    return this.#accept(authorizeFully(context), parseJson(body)?.value);
  }

  async #accept(principal: Principal, body: unknown): Promise<RequestMoneyFullPayload> {
    const accepted = await this.#remittances.accept(principal, body);
    return accepted.ok
      ? { remittance: toRemittance(accepted.value, this.#remittances.now()), userErrors: [] }
      : { remittance: null, userErrors: toUserErrors(accepted.failures) };
  }
}

/** The atomic call needs both scopes (document 1). */
function authorizeFully(context: RequestContext): Principal {
  authorize(context, 'partner');
  return authorize(context, 'partner_full');
}
