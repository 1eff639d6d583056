import { Directive, Field, ID, InputType, Int, ObjectType, registerEnumType } from 'type-graphql';
import { connectionType } from '../platform/graphql/connection.ts';
import { RequiresScopes } from '../platform/graphql/requires-scopes.ts';
import { DateTimeScalar } from '../platform/graphql/scalars.ts';
import { UserError } from '../platform/graphql/user-error.type.ts';
import type { LinkDocument } from './model.ts';

export enum LinkFlow {
  CIP = 'cip',
  TRANSFER = 'transfer',
  REQUEST_MONEY = 'request_money',
}
registerEnumType(LinkFlow, {
  name: 'LinkFlow',
  description: 'What a link lets its user do.',
  valuesConfig: {
    CIP: { description: 'Complete an identity check.' },
    TRANSFER: { description: 'Send money.' },
    REQUEST_MONEY: { description: 'Ask for money.' },
  },
});

export enum LinkStatus {
  CREATED = 'created',
  OPENED = 'opened',
  REVOKED = 'revoked',
}
registerEnumType(LinkStatus, {
  name: 'LinkStatus',
  description: 'State of a link.',
  valuesConfig: {
    CREATED: { description: 'Made, not opened yet.' },
    OPENED: { description: 'The user opened it.' },
    REVOKED: { description: 'The partner revoked it.' },
  },
});

@ObjectType({ description: "A partner's end user: the requester of money." })
@Directive('@key(fields: "id")')
export class User {
  @Field(() => ID, { description: 'The userId of the REST surfaces.' })
  id!: string;
}

@ObjectType({ description: 'A one-time widget link bound to a user.' })
@Directive('@key(fields: "id")')
@RequiresScopes('partner')
export class Link {
  @Field(() => ID, { description: 'The linkId of the REST surfaces.' })
  id!: string;

  @Field(() => String, { description: "The partner's own id of the user." })
  referenceId!: string;

  @Field(() => LinkFlow, { description: 'What the link lets its user do.' })
  flow!: LinkFlow;

  @Field(() => LinkStatus, { description: 'State of the link.' })
  status!: LinkStatus;

  @Field(() => String, { description: 'Address of the widget.' })
  url!: string;

  @Field(() => DateTimeScalar, { description: 'When the link stops working.' })
  expiresAt!: Date;

  @Field(() => DateTimeScalar, { description: 'When the link was made.' })
  createdAt!: Date;

  @Field(() => User, { nullable: true, description: 'The user that the link is bound to.' })
  user!: User | null;
}

/** The GraphQL shape of a stored link. */
export function toLink(stored: LinkDocument): Link {
  return {
    id: stored._id,
    referenceId: stored.referenceId,
    flow: stored.flow as LinkFlow,
    status: stored.status as LinkStatus,
    url: stored.url,
    expiresAt: stored.expiresAt,
    createdAt: stored.createdAt,
    user: { id: stored.userId },
  };
}

@ObjectType({ description: 'A page of links.' })
export class LinkConnection extends connectionType(Link, 'Link') {}

@InputType({ description: 'A link to make.' })
export class CreateLinkInput {
  @Field(() => LinkFlow, { description: 'What the link lets its user do; one that the partner has.' })
  flow!: LinkFlow;

  @Field(() => String, {
    description: "The partner's own id of the user, 1 to 255 characters. A new one makes the user.",
  })
  referenceId!: string;

  @Field(() => String, { description: 'First legal name, for a user that is made.' })
  firstName!: string;

  @Field(() => String, { description: 'Primary legal last name, for a user that is made.' })
  lastName!: string;

  @Field(() => Int, {
    nullable: true,
    description: 'Life of the link, 1 to 43200 minutes; 1440 when absent.',
  })
  expiresInMinutes?: number | null;
}

@ObjectType({ description: 'The link made, or why not.' })
export class CreateLinkPayload {
  @Field(() => Link, { nullable: true, description: 'The link; null when refused.' })
  link!: Link | null;

  @Field(() => [UserError], { description: 'Why it was refused; empty on success.' })
  userErrors!: UserError[];
}
