import { Arg, Args, Ctx, FieldResolver, ID, Query, Resolver, Root } from 'type-graphql';
import { authorize } from '../../graph/authorize.ts';
import { mapConnection } from '../../graph/connection.ts';
import { DocumentedMutation, type MutationCall, toPayload } from '../../graph/documented-mutation.ts';
import { PageArgs } from '../../graph/page-args.ts';
import { RequiresScopes } from '../../graph/requires-scopes.ts';
import { andThen } from '../../kernel/errors/result.ts';
import type { RequestContext } from '../../kernel/principal.ts';
import { readRequestMoneyFull } from '../commands/request-money-full.ts';
import type { RemittanceService } from '../service.ts';
import { User } from './entities.ts';
import { RequestMoneyFullInput, RequestMoneyFullPayload, toBody } from './inputs.ts';
import { RemittanceSortInput, RemittanceWhereInput, toListing } from './listing.ts';
import { Remittance, RemittanceConnection, toRemittance } from './remittance.type.ts';

@Resolver(() => Remittance)
export class RemittanceResolver {
  constructor(private readonly service: RemittanceService) {}

  @RequiresScopes('partner')
  @Query(() => Remittance, {
    nullable: true,
    description: "The partner's accepted atomic call with this correlationId; null if there is none.",
  })
  async remittance(
    @Arg('correlationId', () => ID, { description: "The partner's id of the request." })
    correlationId: string,
    @Ctx() context: RequestContext,
  ): Promise<Remittance | null> {
    const found = await this.service.findByIds(authorize(context), [correlationId]);
    const remittance = found.get(correlationId);
    return remittance ? toRemittance(remittance, this.service.now()) : null;
  }

  @RequiresScopes('partner')
  @Query(() => RemittanceConnection, { description: "The partner's accepted atomic calls." })
  async remittances(
    @Args(() => PageArgs) page: PageArgs,
    @Arg('where', () => RemittanceWhereInput, {
      nullable: true,
      description: 'Filter; all remittances when absent.',
    })
    where: RemittanceWhereInput | null,
    @Arg('sortBy', () => RemittanceSortInput, {
      nullable: true,
      description: 'Order of the results; newest first when absent.',
    })
    sortBy: RemittanceSortInput | null,
    @Ctx() context: RequestContext,
  ): Promise<RemittanceConnection> {
    const principal = authorize(context);
    const now = this.service.now();
    const found = await this.service.list(principal, toListing(where, sortBy, now), page);
    return mapConnection(found, (remittance) => toRemittance(remittance, now), RemittanceConnection);
  }

  @DocumentedMutation({
    scopes: ['partner', 'partner_full'],
    payload: () => RequestMoneyFullPayload,
    graphql: {
      description:
        'Registers a requester and asks a payer for money in one call. The mutation returns when the call is accepted; its phases run afterwards.',
      input: {
        type: () => RequestMoneyFullInput,
        description: 'Requester, payer and amount.',
        toBody,
      },
    },
    rest: {
      field: 'requestMoneyFullFromJson',
      description: 'POST /v1/user/operations/request-money-full: the body as it was sent.',
    },
  })
  async requestMoneyFull({ principal, body }: MutationCall): Promise<RequestMoneyFullPayload> {
    const accepted = await andThen(readRequestMoneyFull(body), (command) =>
      this.service.accept(principal, command),
    );
    return toPayload('remittance', accepted, (remittance) => toRemittance(remittance, this.service.now()));
  }
}

@Resolver(() => User)
export class UserRemittancesResolver {
  constructor(private readonly service: RemittanceService) {}

  @RequiresScopes('partner')
  @FieldResolver(() => RemittanceConnection, {
    description: "The user's accepted atomic calls, newest first, with or without an operation.",
  })
  async remittances(
    @Root() user: User,
    @Args(() => PageArgs) page: PageArgs,
    @Ctx() context: RequestContext,
  ): Promise<RemittanceConnection> {
    const now = this.service.now();
    const listing = toListing({ userId: user.id }, null, now);
    const found = await this.service.list(authorize(context), listing, page);
    return mapConnection(found, (remittance) => toRemittance(remittance, now), RemittanceConnection);
  }
}
