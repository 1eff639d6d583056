import { Arg, Ctx, ID, Resolver, Root, Subscription } from 'type-graphql';
import type { Result } from '../../platform/errors/result.ts';
import type { FollowOptions, LoggedEvent } from '../../platform/events/index.ts';
import { authorize, unwrap } from '../../platform/graphql/authorize.ts';
import { RequiresScopes } from '../../platform/graphql/requires-scopes.ts';
import type { RequestContext } from '../../platform/principal.ts';
import { LinkActivityEvent, toActivity } from './activity.type.ts';
import type { LinkResolverDeps } from './resolvers.ts';

/** Follows the event log of one tenant; refuses a cursor that is not good. */
export type FollowEvents = (options: FollowOptions) => Promise<Result<AsyncIterableIterator<LoggedEvent>>>;

interface ActivityArgs {
  linkId?: string | null;
  after?: string | null;
}

/** The resolver of live timelines. Made by a function because `subscribe` of a decorator sees no instance. */
export function createActivityResolver({
  links,
  present,
  follow,
}: LinkResolverDeps & { follow: FollowEvents }): object {
  @Resolver()
  class LinkActivityResolver {
    @RequiresScopes('partner')
    @Subscription(() => LinkActivityEvent, {
      description:
        "New entries of the timelines of the partner's links, in order for each link, without gap or duplicate.",
      subscribe: ({ args, context }) => subscribe(follow, args, context),
    })
    async linkActivityAdded(
      @Root() event: LoggedEvent,
      @Arg('linkId', () => ID, { nullable: true, description: 'Only this link; all of them when absent.' })
      _linkId: string | null,
      @Arg('after', () => String, {
        nullable: true,
        description: 'Everything behind this cursor first, then what happens. From now on when absent.',
      })
      _after: string | null,
      @Ctx() context: RequestContext,
    ): Promise<LinkActivityEvent> {
      const principal = authorize(context);
      const activity = await links.findActivity(principal, String(event.data.activityId));
      if (!activity) {
        throw new Error(`Event ${event.cursor} of a link tells of an activity that is not there`);
      }
      const link = (await links.findByIds(principal, [event.entityId])).get(event.entityId);
      return {
        cursor: event.cursor,
        occurredAt: event.occurredAt,
        activity: toActivity(activity),
        link: link ? present(link) : null,
      };
    }
  }
  return new LinkActivityResolver();
}

/** A subscription tells refusals when it starts: there is no event to tell them in. */
async function subscribe(
  follow: FollowEvents,
  { linkId, after }: ActivityArgs,
  context: RequestContext,
): Promise<AsyncIterableIterator<LoggedEvent>> {
  const followed = await follow({
    tenantId: authorize(context).tenantId,
    entity: 'link',
    entityId: linkId ?? undefined,
    after: after ?? undefined,
    signal: context.signal ?? new AbortController().signal,
  });
  return unwrap(followed);
}
