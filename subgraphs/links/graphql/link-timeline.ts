import { changeId, type LinkActivityEntry, type TimelineSource } from '../../graph/timeline.ts';
import type { EventHistory } from '../../runtime/events/index.ts';
import { deliveriesOf } from '../../webhooks/delivery-timeline.ts';
import type { Activity } from '../activity.ts';
import type { LinksDeps } from '../deps.ts';
import { toActivity } from './activity.type.ts';

/** Timeline entries of a link, without changes of its operation, which the operation's own entries show. */
export function linkTimeline(
  { activities }: Pick<LinksDeps, 'activities'>,
  history: EventHistory,
): TimelineSource {
  return {
    type: 'Link',
    read: async (accountId, linkId, most) => {
      const [found, events] = await Promise.all([
        activities.timeline(accountId, linkId, most),
        history.of(accountId, 'link', linkId, most),
      ]);
      return found.length === 0
        ? undefined
        : {
            entries: found.filter(({ type }) => !type.startsWith('operation.')).map(toEntry),
            related: [],
            deliveries: deliveriesOf(events),
            problems: [],
            isCut: (found[0]?.number ?? 1) > 1,
          };
    },
  };
}

function toEntry(activity: Activity): LinkActivityEntry {
  const { linkId, number, occurredAt: at } = activity;
  const id = changeId({ type: 'Link', id: linkId }, number);
  return { __typename: 'TimelineLinkActivity', id, at, linkId, activity: toActivity(activity) };
}
