import { Arg, Args, Ctx, ID, Query, Resolver } from 'type-graphql';
import { authorize } from '../../../graph/authorize.ts';
import { mapConnection } from '../../../graph/connection.ts';
import { toConditions } from '../../../graph/listing.ts';
import { PageArgs } from '../../../graph/page-args.ts';
import { paginate } from '../../../graph/paginate.ts';
import { RequiresScopes } from '../../../graph/requires-scopes.ts';
import { ofAccount } from '../../../kernel/database/of-account.ts';
import type { RequestContext } from '../../../kernel/principal.ts';
import type { StatementModels } from '../model.ts';
import { Statement, StatementConnection, StatementWhereInput, toStatement } from './statement.type.ts';

/** The statements of a partner. The subgraph of operations serves them. */
@Resolver(() => Statement)
export class StatementResolver {
  constructor(private readonly model: StatementModels['statements']) {}

  @RequiresScopes('partner')
  @Query(() => StatementConnection, {
    description: "The partner's statements, the one issued last first.",
  })
  async statements(
    @Args(() => PageArgs) page: PageArgs,
    @Arg('where', () => StatementWhereInput, {
      nullable: true,
      description: 'Filter; all statements when absent.',
    })
    where: StatementWhereInput | null,
    @Ctx() context: RequestContext,
  ): Promise<StatementConnection> {
    const filter = ofAccount(authorize(context).accountId, toConditions(where ?? {}));
    const found = await paginate(this.model, filter, page, (one) => one);
    return mapConnection(found, toStatement, StatementConnection);
  }

  @RequiresScopes('partner')
  @Query(() => Statement, {
    nullable: true,
    description: 'The statement with this id; null if there is none.',
  })
  async statement(
    @Arg('id', () => ID, { description: 'Id of the statement.' }) id: string,
    @Ctx() context: RequestContext,
  ): Promise<Statement | null> {
    const { accountId } = authorize(context);
    const found = await this.model.findOne({ _id: `${accountId}|${id}`, accountId }).lean();
    return found ? toStatement(found) : null;
  }
}
