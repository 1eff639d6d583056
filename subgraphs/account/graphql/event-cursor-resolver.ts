import { Ctx, Query, Resolver } from 'type-graphql';
import type { Events } from '../../platform/events/index.ts';
import { authorize } from '../../platform/graphql/authorize.ts';
import { RequiresScopes } from '../../platform/graphql/requires-scopes.ts';
import type { RequestContext } from '../../platform/principal.ts';

@Resolver()
export class EventCursorResolver {
  readonly #events: Pick<Events, 'latestCursor'>;

  constructor(events: Pick<Events, 'latestCursor'>) {
    this.#events = events;
  }

  @RequiresScopes('partner')
  @Query(() => String, {
    description:
      "The present end of the partner's event log. Read it in one query with your lists, or before them, and subscribe with `after` this cursor: every change that the lists do not have comes as an event. Changes from just before may come as events too. Valid for about 30 days.",
  })
  latestEventCursor(@Ctx() context: RequestContext): Promise<string> {
    return this.#events.latestCursor(authorize(context).tenantId);
  }
}
