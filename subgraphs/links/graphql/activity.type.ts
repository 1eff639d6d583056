import { Field, Float, ID, ObjectType } from 'type-graphql';
import { connectionType } from '../../graph/connection.ts';
import { JsonObjectScalar } from '../../graph/json-object.ts';
import { DateTimeScalar } from '../../graph/scalars.ts';
import { textEnum } from '../../graph/text-enum.ts';
import type { Activity, ActivityActor, ActivityStatus, ActivityType } from '../activity.ts';
import { Link } from './link.type.ts';

const LinkActivityType = textEnum<ActivityType>('LinkActivityType', 'An activity of a link.', {
  'link.created': 'The partner created it.',
  'link.opened': 'The user opened it for the first time.',
  'link.revoked': 'The partner revoked it.',
  'cip.ticket_created': 'The partner requested an identity check.',
  'cip.verified': 'The identity of the user was verified.',
  'cip.failed': 'The identity check failed.',
  'data_request.created': 'More data of the user was requested.',
  'data_request.fulfilled': 'The partner answered a request for data.',
  'operation.created': 'The user began an operation from it.',
  'operation.status_changed': 'The operation of the link changed.',
});

const LinkActivityActor = textEnum<ActivityActor>('LinkActivityActor', 'The actor of an activity.', {
  partner: 'The partner, by an API call.',
  user: 'The user of the link.',
  system: 'The platform or a provider.',
});

const LinkActivityStatus = textEnum<ActivityStatus>(
  'LinkActivityStatus',
  'Result of an activity of a link.',
  { success: 'It succeeded.', error: 'It failed; error says why.' },
);

@ObjectType({ description: "An entry of a link's timeline." })
export class LinkActivity {
  @Field(() => ID, {
    description:
      'Id of the activity: activityId in the REST API. Sorting by id gives the order of the timeline.',
  })
  id!: string;

  @Field(() => LinkActivityType, { description: 'Type of the activity.' })
  type!: ActivityType;

  @Field(() => LinkActivityActor, { description: 'Actor of the activity.' })
  actor!: ActivityActor;

  @Field(() => LinkActivityStatus, { description: 'Result of the activity.' })
  status!: ActivityStatus;

  @Field(() => DateTimeScalar, { description: 'When it happened.' })
  occurredAt!: Date;

  @Field(() => JsonObjectScalar, { description: 'Related ids and field names, without personal data.' })
  data!: Readonly<Record<string, unknown>>;

  @Field(() => String, { nullable: true, description: 'Why it failed; null if it succeeded.' })
  error!: string | null;

  // Not Int: a link lives up to 30 days, and an Int ends at 24.8 days.
  @Field(() => Float, {
    nullable: true,
    description:
      'Duration in milliseconds, for activities that have one: from the creation of the link to its opening, from the request of an identity check or of data to its result, and from the previous change of an operation to this one. Otherwise null.',
  })
  durationMs!: number | null;
}

/** The GraphQL shape of an entry. */
export function toActivity(stored: Activity): LinkActivity {
  return {
    id: stored.activityId,
    type: stored.type,
    actor: stored.actor,
    status: stored.status,
    occurredAt: stored.occurredAt,
    data: stored.data,
    error: stored.error ?? null,
    durationMs: stored.durationMs ?? null,
  };
}

@ObjectType({ description: "A page of a link's timeline." })
export class LinkActivityConnection extends connectionType(LinkActivity, 'LinkActivity') {}

@ObjectType({ description: "A new entry of a link's timeline." })
export class LinkActivityEvent {
  @Field(() => String, {
    description:
      'Position of this event in the log. Subscribe with it as `after` to continue after this event.',
  })
  cursor!: string;

  @Field(() => DateTimeScalar, { description: 'When it happened.' })
  occurredAt!: Date;

  @Field(() => LinkActivity, { description: 'The entry.' })
  activity!: LinkActivity;

  @Field(() => Link, { nullable: true, description: 'The link in its state when the event is sent.' })
  link!: Link | null;
}
