import { Arg, Args, Ctx, Query, Resolver } from 'type-graphql';
import { authorize } from '../../graph/authorize.ts';
import { mapConnection } from '../../graph/connection.ts';
import { toConditions } from '../../graph/listing.ts';
import { PageArgs } from '../../graph/page-args.ts';
import { paginate } from '../../graph/paginate.ts';
import { RequiresScopes } from '../../graph/requires-scopes.ts';
import { ofAccount } from '../../kernel/database/of-account.ts';
import type { RequestContext } from '../../kernel/principal.ts';
import type { HeadDocument, LedgerModels } from '../store/model.ts';
import {
  JournalEntry,
  JournalEntryConnection,
  JournalWhereInput,
  LedgerBalances,
  toJournalEntry,
  toLedgerBalances,
} from './journal.type.ts';

/** The journal of a partner. The subgraph of operations serves it. */
@Resolver(() => JournalEntry)
export class JournalResolver {
  constructor(private readonly models: LedgerModels) {}

  @RequiresScopes('partner')
  @Query(() => JournalEntryConnection, {
    description:
      "Entries of the partner's journal, newest first; those of the same millisecond in no order. `number` has their order in the chain.",
  })
  async journal(
    @Args(() => PageArgs) page: PageArgs,
    @Arg('where', () => JournalWhereInput, {
      nullable: true,
      description: 'Filter; all entries when absent.',
    })
    where: JournalWhereInput | null,
    @Ctx() context: RequestContext,
  ): Promise<JournalEntryConnection> {
    const { operationId: entityId, createdAt } = where ?? {};
    const filter = ofAccount(authorize(context).accountId, toConditions({ entityId, createdAt }));
    const found = await paginate(this.models.entries, filter, page, (one) => one);
    return mapConnection(found, toJournalEntry, JournalEntryConnection);
  }

  @RequiresScopes('partner')
  @Query(() => LedgerBalances, {
    description:
      "Balances of the partner's ledger accounts. An entry counts within seconds, once it is sealed.",
  })
  async ledgerBalances(@Ctx() context: RequestContext): Promise<LedgerBalances> {
    const { accountId } = authorize(context);
    return toLedgerBalances(await this.models.heads.findById(accountId).lean<HeadDocument>());
  }
}
