import { Field, ID, Int, ObjectType, registerEnumType } from 'type-graphql';
import { connectionType } from '../../platform/graphql/connection.ts';
import { JsonObjectScalar } from '../../platform/graphql/json-object.ts';
import { DateTimeScalar } from '../../platform/graphql/scalars.ts';
import type { Activity } from '../store/activity-repository.ts';
import { Link } from './link.type.ts';

export enum LinkActivityType {
  LINK_CREATED = 'link.created',
  LINK_OPENED = 'link.opened',
  LINK_REVOKED = 'link.revoked',
  CIP_TICKET_CREATED = 'cip.ticket_created',
  CIP_VERIFIED = 'cip.verified',
  CIP_FAILED = 'cip.failed',
  DATA_REQUEST_CREATED = 'data_request.created',
  DATA_REQUEST_FULFILLED = 'data_request.fulfilled',
  OPERATION_CREATED = 'operation.created',
  OPERATION_STATUS_CHANGED = 'operation.status_changed',
}
registerEnumType(LinkActivityType, {
  name: 'LinkActivityType',
  description: 'What happened to a link.',
  valuesConfig: {
    LINK_CREATED: { description: 'The partner made it.' },
    LINK_OPENED: { description: 'The user opened it for the first time.' },
    LINK_REVOKED: { description: 'The partner revoked it.' },
    CIP_TICKET_CREATED: { description: 'The partner asked for an identity check.' },
    CIP_VERIFIED: { description: 'The identity of the user was verified.' },
    CIP_FAILED: { description: 'The identity check failed.' },
    DATA_REQUEST_CREATED: { description: 'More data of the user was asked for.' },
    DATA_REQUEST_FULFILLED: { description: 'The partner answered a request for data.' },
    OPERATION_CREATED: { description: 'An operation was begun from it.' },
    OPERATION_STATUS_CHANGED: { description: 'Its operation changed.' },
  },
});

export enum LinkActivityActor {
  PARTNER = 'partner',
  USER = 'user',
  SYSTEM = 'system',
}
registerEnumType(LinkActivityActor, {
  name: 'LinkActivityActor',
  description: 'Who did something to a link.',
  valuesConfig: {
    PARTNER: { description: 'The partner, by an API call.' },
    USER: { description: 'The user of the link.' },
    SYSTEM: { description: 'The platform or a provider.' },
  },
});

export enum LinkActivityStatus {
  SUCCESS = 'success',
  ERROR = 'error',
}
registerEnumType(LinkActivityStatus, {
  name: 'LinkActivityStatus',
  description: 'How something that happened to a link went.',
  valuesConfig: {
    SUCCESS: { description: 'It went well.' },
    ERROR: { description: 'It failed; error says why.' },
  },
});

@ObjectType({ description: "An entry of a link's timeline." })
export class LinkActivity {
  @Field(() => ID, { description: 'The activityId of the REST surface; sorts as the timeline does.' })
  id!: string;

  @Field(() => LinkActivityType, { description: 'What happened.' })
  type!: LinkActivityType;

  @Field(() => LinkActivityActor, { description: 'Who did it.' })
  actor!: LinkActivityActor;

  @Field(() => LinkActivityStatus, { description: 'How it went.' })
  status!: LinkActivityStatus;

  @Field(() => DateTimeScalar, { description: 'When it happened.' })
  occurredAt!: Date;

  @Field(() => JsonObjectScalar, { description: 'Ids and names that belong to it; no personal data.' })
  data!: Readonly<Record<string, unknown>>;

  @Field(() => String, { nullable: true, description: 'Why it failed; null when it went well.' })
  error!: string | null;

  @Field(() => Int, {
    nullable: true,
    description:
      'Milliseconds since what it ended began: for an opening, a result, an answer and a change of an operation.',
  })
  durationMs!: number | null;
}

/** The GraphQL shape of an entry. */
export function toActivity(stored: Activity): LinkActivity {
  return {
    id: stored.activityId,
    type: stored.type as LinkActivityType,
    actor: stored.actor as LinkActivityActor,
    status: stored.status as LinkActivityStatus,
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
    description: 'Position of this event: subscribe with after: this to go on behind it.',
  })
  cursor!: string;

  @Field(() => DateTimeScalar, { description: 'When it happened.' })
  occurredAt!: Date;

  @Field(() => LinkActivity, { description: 'The entry.' })
  activity!: LinkActivity;

  @Field(() => Link, { nullable: true, description: 'The link, as it is when the event is sent.' })
  link!: Link | null;
}
