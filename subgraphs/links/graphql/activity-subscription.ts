import { ID } from 'type-graphql';
import { createEventSubscription, type FollowEvents } from '../../graph/event-subscription.ts';
import { LinkActivityEvent, toActivity } from './activity.type.ts';
import type { LinkResolverDeps } from './resolvers.ts';

/** The resolver of `linkActivityAdded`. */
export function createActivityResolver({
  links,
  present,
  follow,
}: LinkResolverDeps & { follow: FollowEvents }): object {
  return createEventSubscription<LinkActivityEvent, 'activity' | 'link'>(
    {
      name: 'linkActivityAdded',
      description:
        "New activities of the partner's links, in order for each link, without gaps or duplicates.",
      type: LinkActivityEvent,
      entity: 'link',
      arguments: {
        linkId: {
          type: () => ID,
          description: 'Only events of this link; of all links when absent.',
          narrows: 'entity',
        },
      },
      toPayload: () => ({}),
      loaded: {
        activity: async ({ cursor, data }, principal) => {
          const activity = await links.findActivity(principal, String(data.activityId));
          if (!activity) {
            throw new Error(`Event ${cursor} of a link names an activity that is not there`);
          }
          return toActivity(activity);
        },
        link: async ({ entityId }, principal) => {
          const link = (await links.findByIds(principal, [entityId])).get(entityId);
          return link ? present(link) : null;
        },
      },
    },
    follow,
  );
}
