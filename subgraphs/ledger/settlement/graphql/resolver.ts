import { Arg, Args, Ctx, Mutation, Query, Resolver } from 'type-graphql';
import { authorize } from '../../../graph/authorize.ts';
import { mapConnection } from '../../../graph/connection.ts';
import { toPayload } from '../../../graph/documented-mutation.ts';
import { toConditions } from '../../../graph/listing.ts';
import { PageArgs } from '../../../graph/page-args.ts';
import { RequiresAllScopes, RequiresScopes } from '../../../graph/requires-scopes.ts';
import type { RequestContext } from '../../../kernel/principal.ts';
import type { Discrepancies } from '../discrepancies.ts';
import {
  Discrepancy,
  DiscrepancyConnection,
  DiscrepancyWhereInput,
  ResolveDiscrepancyInput,
  ResolveDiscrepancyPayload,
  toDiscrepancy,
} from './discrepancy.type.ts';

/** Discrepancies of a partner. The subgraph of operations serves them. */
@Resolver(() => Discrepancy)
export class DiscrepancyResolver {
  constructor(private readonly reader: Discrepancies) {}

  @RequiresScopes('partner')
  @Query(() => DiscrepancyConnection, {
    description: "Differences between providers' settlement files and the partner's journal, newest first.",
  })
  async discrepancies(
    @Args(() => PageArgs) page: PageArgs,
    @Arg('where', () => DiscrepancyWhereInput, {
      nullable: true,
      description: 'Filter; all discrepancies when absent.',
    })
    where: DiscrepancyWhereInput | null,
    @Ctx() context: RequestContext,
  ): Promise<DiscrepancyConnection> {
    const found = await this.reader.list(authorize(context).accountId, toConditions(where ?? {}), page);
    return mapConnection(found, toDiscrepancy, DiscrepancyConnection);
  }

  @RequiresAllScopes('partner', 'partner_write')
  @Mutation(() => ResolveDiscrepancyPayload, {
    description:
      'Changes state and owner of a discrepancy, and adds that to its log. It moves no money and changes no journal entry. Of two calls with the same version one succeeds.',
  })
  async resolveDiscrepancy(
    @Arg('input', () => ResolveDiscrepancyInput, { description: 'The decision.' })
    input: ResolveDiscrepancyInput,
    @Ctx() context: RequestContext,
  ): Promise<ResolveDiscrepancyPayload> {
    const resolved = await this.reader.resolve(authorize(context), input);
    return toPayload('discrepancy', resolved, toDiscrepancy);
  }
}
