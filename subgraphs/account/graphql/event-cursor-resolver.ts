import { Ctx, Query, Resolver } from 'type-graphql';
import { authorize } from '../../graph/authorize.ts';
import { RequiresScopes } from '../../graph/requires-scopes.ts';
import type { RequestContext } from '../../kernel/principal.ts';
import type { Events } from '../../runtime/events/index.ts';

@Resolver()
export class EventCursorResolver {
  constructor(private readonly events: Pick<Events, 'latestCursor'>) {}

  @RequiresScopes('partner')
  @Query(() => String, {
    description:
      "Cursor of the current end of the partner's event log. Read it before your lists or in the same query, then subscribe with it as `after`: every change that the lists lack arrives as an event. Some changes that the lists already have may arrive, too. The cursor is valid for as long as events are kept: 30 days, unless the operator of the service changes it.",
  })
  latestEventCursor(@Ctx() context: RequestContext): Promise<string> {
    return this.events.latestCursor(authorize(context).accountId);
  }
}
