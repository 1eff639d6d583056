import { Arg, Args, Ctx, Query, Resolver } from 'type-graphql';
import { authorize } from '../../graph/authorize.ts';
import { mapConnection } from '../../graph/connection.ts';
import { PageArgs } from '../../graph/page-args.ts';
import { RequiresAllScopes } from '../../graph/requires-scopes.ts';
import type { RequestContext } from '../../kernel/principal.ts';
import type { RequestReader } from '../../partners/request-log/reader.ts';
import {
  LOG_SCOPES,
  RequestLogConnection,
  RequestLogWhereInput,
  toEntry,
  toListing,
} from './request-log.type.ts';

@Resolver()
export class RequestLogResolver {
  constructor(private readonly requests: Pick<RequestReader, 'list'>) {}

  @RequiresAllScopes(...LOG_SCOPES)
  @Query(() => RequestLogConnection, {
    description:
      "Log of the partner's requests of the last 7 days, newest first: requests that failed, requests that ran a mutation, and each time that a console session read contact data. An entry about contact data is stored before the data is returned. Other entries appear within a second of the answer; under extreme load, some may be missing.",
  })
  async requestLog(
    @Args(() => PageArgs) page: PageArgs,
    @Arg('where', () => RequestLogWhereInput, {
      nullable: true,
      description: 'Filter; all requests when absent.',
    })
    where: RequestLogWhereInput | null,
    @Ctx() context: RequestContext,
  ): Promise<RequestLogConnection> {
    const { accountId } = authorize(context);
    const found = await this.requests.list(accountId, toListing(where), page);
    return mapConnection(found, toEntry, RequestLogConnection);
  }
}
