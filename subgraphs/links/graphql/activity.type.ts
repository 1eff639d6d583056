import { Field, ID, Int, ObjectType } from 'type-graphql';
import { connectionType } from '../../platform/graphql/connection.ts';
import { JsonObjectScalar } from '../../platform/graphql/json-object.ts';
import { DateTimeScalar } from '../../platform/graphql/scalars.ts';
import { textEnum } from '../../platform/graphql/text-enum.ts';
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
  'operation.status_changed': 'Its operation changed.',
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
  @Field(() => ID, { description: 'The activityId of the REST surface; sorts as the timeline does.' })
  id!: string;

  @Field(() => LinkActivityType, { description: 'What happened.' })
  type!: ActivityType;

  @Field(() => LinkActivityActor, { description: 'Who did it.' })
  actor!: ActivityActor;

  @Field(() => LinkActivityStatus, { description: 'Its result.' })
  status!: ActivityStatus;

  @Field(() => DateTimeScalar, { description: 'When it happened.' })
  occurredAt!: Date;

  @Field(() => JsonObjectScalar, { description: 'Related ids and names; no personal data.' })
  data!: Readonly<Record<string, unknown>>;

  @Field(() => String, { nullable: true, description: 'Why it failed; null when it went well.' })
  error!: string | null;

  @Field(() => Int, {
    nullable: true,
    description:
      'Milliseconds since the beginning of what it ended: for an opening, a result, an answer and a change of an operation.',
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
    description: 'Position of this event: subscribe with `after` this cursor to continue after it.',
  })
  cursor!: string;

  @Field(() => DateTimeScalar, { description: 'When it happened.' })
  occurredAt!: Date;

  @Field(() => LinkActivity, { description: 'The entry.' })
  activity!: LinkActivity;

  @Field(() => Link, { nullable: true, description: 'The link, as it is when the event is sent.' })
  link!: Link | null;
}
