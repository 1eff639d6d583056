import { Arg, Args, Ctx, ID, Query, Resolver } from 'type-graphql';
import { authorize } from '../../../graph/authorize.ts';
import { mapConnection } from '../../../graph/connection.ts';
import { toTimeCondition } from '../../../graph/listing.ts';
import { PageArgs } from '../../../graph/page-args.ts';
import { RequiresScopes } from '../../../graph/requires-scopes.ts';
import type { RequestContext } from '../../../kernel/principal.ts';
import type { StatementReader } from '../reader.ts';
import { Statement, StatementConnection, StatementWhereInput, toStatement } from './statement.type.ts';

/** The statements of a partner. The subgraph of operations serves them. */
@Resolver(() => Statement)
export class StatementResolver {
  constructor(private readonly reader: StatementReader) {}

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
    const createdAt = toTimeCondition(where?.createdAt);
    const filter = {
      ...(where?.period == null ? {} : { period: where.period }),
      ...(where?.currency == null ? {} : { currency: where.currency }),
      ...(createdAt === undefined ? {} : { createdAt }),
    };
    const found = await this.reader.list(authorize(context).accountId, filter, page);
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
    const found = await this.reader.find(authorize(context).accountId, id);
    return found ? toStatement(found) : null;
  }
}
