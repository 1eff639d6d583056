import type { UnitOfWork } from '../../kernel/database/unit-of-work.ts';
import { deliveriesData, type NewEvent } from '../../runtime/events/index.ts';
import { type Activity, type ActivityInput, activityIdOf } from '../activity.ts';
import type { LinksDeps } from '../deps.ts';
import type { Link } from '../link.ts';
import type { LinkChanges } from '../store/link-repository.ts';

type Recording = Pick<LinksDeps, 'links' | 'activities' | 'events'>;

/** A change of a link: what it sets, and its entry in the timeline. */
interface Change {
  readonly link: Link;
  readonly changes?: LinkChanges;
  readonly activityInput: ActivityInput;
  /** Webhooks about the change. */
  readonly deliveries?: readonly { readonly id: string }[];
  readonly at: Date;
}

/**
 * Writes one change with its entry in the timeline and its event, numbered by the link's version: without gap, in the
 * order of the changes. No change has an earlier time than the one before it, whatever the clocks say.
 */
export async function recordChange(deps: Recording, change: Change, unit: UnitOfWork): Promise<Link> {
  const [changed] = await recordChanges(deps, [change], unit);
  if (!changed) {
    throw new TypeError('One change makes one link');
  }
  return changed;
}

/** The same for several links. */
export async function recordChanges(
  { links, activities, events }: Recording,
  changes: readonly Change[],
  unit: UnitOfWork,
): Promise<Link[]> {
  if (changes.length === 0) {
    return [];
  }
  const moves = changes.map(({ link, changes: set = {}, activityInput, deliveries = [], at }) => {
    const updatedAt = new Date(Math.max(at.getTime(), link.updatedAt.getTime()));
    const after = { ...link, ...set, version: link.version + 1, updatedAt };
    return { before: link, after, changes: set, activityInput, deliveries };
  });
  await links.move(moves, unit);
  await activities.insert(
    moves.map(({ after, activityInput }) => toActivity(after, activityInput)),
    unit,
  );
  events.append(
    moves.map(({ before, after, activityInput, deliveries }) =>
      toEvent(after, before.status, activityInput, deliveries),
    ),
    unit,
  );
  return moves.map(({ after }) => after);
}

/** Writes a new link, with the entry and the event of its creation. */
export async function recordCreation(
  { links, activities, events }: Recording,
  link: Link,
  activityInput: ActivityInput,
  unit: UnitOfWork,
): Promise<void> {
  await links.insert(link, unit);
  await activities.insert([toActivity(link, activityInput)], unit);
  events.append([toEvent(link, null, activityInput, [])], unit);
}

function toActivity(link: Link, { type, actor, data = {}, error, since }: ActivityInput): Activity {
  const occurredAt = link.updatedAt;
  return {
    activityId: activityIdOf(link.linkId, link.version),
    accountId: link.accountId,
    linkId: link.linkId,
    number: link.version,
    type,
    actor,
    status: error === undefined ? 'success' : 'error',
    data: { ...data },
    ...(error === undefined ? {} : { error }),
    ...(since === undefined ? {} : { durationMs: Math.max(0, occurredAt.getTime() - since.getTime()) }),
    occurredAt,
  };
}

function toEvent(
  link: Link,
  previousStatus: Link['status'] | null,
  { type }: ActivityInput,
  deliveries: NonNullable<Change['deliveries']>,
): NewEvent {
  return {
    accountId: link.accountId,
    entity: 'link',
    entityId: link.linkId,
    version: link.version,
    type,
    previousStatus,
    status: link.status,
    data: { activityId: activityIdOf(link.linkId, link.version), ...deliveriesData(deliveries) },
    occurredAt: link.updatedAt,
  };
}
