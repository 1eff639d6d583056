import { Directive, Field, ID, InputType, Int, ObjectType } from 'type-graphql';
import { connectionType } from '../../graph/connection.ts';
import { JsonObjectScalar } from '../../graph/json-object.ts';
import { numberedPageType } from '../../graph/numbered-page.type.ts';
import { RequiresScopes } from '../../graph/requires-scopes.ts';
import { DateScalar, DateTimeScalar } from '../../graph/scalars.ts';
import { textEnum } from '../../graph/text-enum.ts';
import { maskIdNumber } from '../../kernel/person/mask-numbers.ts';
import type { LinkStatus as Status } from '../lifecycle.ts';
import type { LinkFlow as Flow, Link as StoredLink } from '../link.ts';
import { missingFields } from '../user-data.ts';

export const LinkFlow = textEnum<Flow>(
  'LinkFlow',
  'Flow of a link, which determines the actions that its user can take.',
  {
    cip: 'Complete an identity check.',
    transfer: 'Send money.',
    request_money: 'Ask for money.',
  },
);

export const LinkStatus = textEnum<Status>('LinkStatus', 'State of a link.', {
  created: 'Created, not opened yet.',
  opened: 'The user opened it.',
  revoked: 'The partner revoked it.',
});

@ObjectType({ description: 'An end user of the partner: the requester of money.' })
@Directive('@key(fields: "id")')
export class User {
  @Field(() => ID, { description: 'Id of the user: userId in the REST APIs.' })
  id!: string;
}

@ObjectType()
@InputType()
abstract class PersonNameFields {
  @Field(() => String, { description: 'First legal name.' })
  firstName!: string;

  @Field(() => String, { nullable: true, description: 'Second or middle name.' })
  secondName?: string | null;

  @Field(() => String, { description: 'Primary legal last name.' })
  lastName!: string;

  @Field(() => String, { nullable: true, description: 'Second last name.' })
  secondLastName?: string | null;
}

@ObjectType({ description: 'Name of a person.' })
class PersonName extends PersonNameFields {}

@InputType({ description: 'Name of a person.' })
class PersonNameInput extends PersonNameFields {}

@ObjectType({ description: "Data of a link's user. Unknown fields are null." })
export class LinkUserData {
  @Field(() => PersonName, { nullable: true, description: 'Name of the user.' })
  name!: PersonName | null;

  @Field(() => String, { nullable: true, description: 'Kind of the identity document, such as passport.' })
  idType!: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'Number of the identity document, masked to its last four characters: ****1234.',
  })
  idNumber!: string | null;

  @RequiresScopes('partner_contact', 'internal')
  @Field(() => DateScalar, { nullable: true, description: 'Date of birth.' })
  dob!: string | null;

  @RequiresScopes('partner_contact', 'internal')
  @Field(() => JsonObjectScalar, {
    nullable: true,
    description: 'Payment method of the user, in the format of the partner.',
  })
  paymentMethod!: Readonly<Record<string, unknown>> | null;

  @Field(() => String, {
    nullable: true,
    description: 'URL of the picture of the identity document. Requests to it need the API key.',
  })
  idImageUrl!: string | null;

  /** Whose data it is; no field of the graph. */
  userId!: string;
}

@InputType({ description: 'Data of a user that the partner sends.' })
export class LinkUserDataInput {
  @Field(() => PersonNameInput, { nullable: true, description: 'Name of the user.' })
  name?: PersonNameInput | null;

  @Field(() => String, {
    nullable: true,
    description: 'Kind of the identity document, such as passport; 1 to 64 characters.',
  })
  idType?: string | null;

  @Field(() => String, { nullable: true, description: 'Number of the identity document.' })
  idNumber?: string | null;

  @Field(() => String, { nullable: true, description: 'Date of birth, YYYY-MM-DD.' })
  dob?: string | null;

  @Field(() => JsonObjectScalar, {
    nullable: true,
    description:
      "Payment method of the user, in a format of the partner's choice; at most 16 KiB and 16 levels.",
  })
  paymentMethod?: Readonly<Record<string, unknown>> | null;

  @Field(() => String, {
    nullable: true,
    description:
      'Picture of the identity document, as the data URI of a PNG, JPEG, GIF or WebP image of at most 1 MiB decoded. Send large pictures with the REST API.',
  })
  idImage?: string | null;
}

@ObjectType({ description: 'Whether a link has the user data that an identity check requires.' })
class LinkReadiness {
  @Field(() => Boolean, { description: 'Whether no field is missing.' })
  ready!: boolean;

  @Field(() => [String], { description: 'Missing fields: some of name, idType, idNumber and dob.' })
  missing!: string[];
}

@ObjectType({ description: 'A transfer of money that a request started.' })
@Directive('@key(fields: "id")')
export class Operation {
  @Field(() => ID, {
    description: 'Id of the operation: operationId, or correlationId in document 1, in the REST APIs.',
  })
  id!: string;

  /** Of a link's own operation: that link. Absent: it is looked up when a client selects it. */
  link?: Link;
}

@ObjectType({ description: 'A link to the widget for one user.' })
@Directive('@key(fields: "id")')
@RequiresScopes('partner', 'internal')
export class Link {
  @Field(() => ID, { description: 'Id of the link: linkId in the REST API.' })
  id!: string;

  @Field(() => String, { description: 'Id that the partner gave the user.' })
  referenceId!: string;

  @Field(() => LinkFlow, {
    description: 'Flow of the link, which determines the actions that its user can take.',
  })
  flow!: Flow;

  @Field(() => LinkStatus, { description: 'State of the link.' })
  status!: Status;

  @Field(() => String, { description: 'URL of the widget.' })
  url!: string;

  @Field(() => DateTimeScalar, { description: 'When the link expires.' })
  expiresAt!: Date;

  @Field(() => DateTimeScalar, { description: 'When the link was created.' })
  createdAt!: Date;

  @Field(() => DateTimeScalar, {
    nullable: true,
    description: 'When the user first opened it; null until then.',
  })
  openedAt!: Date | null;

  @Field(() => DateTimeScalar, {
    nullable: true,
    description: 'When the partner revoked it; null if it was not revoked.',
  })
  revokedAt!: Date | null;

  @Field(() => JsonObjectScalar, {
    nullable: true,
    description: 'Data that the partner attached to the link; null if there is none.',
  })
  metadata?: Readonly<Record<string, unknown>> | null;

  @Field(() => LinkUserData, { description: 'Data of the user that the link has.' })
  userData!: LinkUserData;

  @Field(() => LinkReadiness, { description: 'Whether the user data is enough for an identity check.' })
  readiness!: LinkReadiness;

  @Field(() => User, { nullable: true, description: 'User of the link.' })
  user!: User | null;

  @Field(() => Operation, {
    nullable: true,
    description: 'Operation that the user started from this link; null until then.',
  })
  operation!: Operation | null;
}

@InputType({ description: 'A link to create.' })
export class CreateLinkInput {
  @Field(() => LinkFlow, {
    description: "Flow of the link; one of the partner's flows.",
  })
  flow!: Flow;

  @Field(() => String, {
    description: 'Id that the partner gives the user, 1 to 255 characters. A new id creates the user.',
  })
  referenceId!: string;

  @Field(() => Int, {
    nullable: true,
    description: 'Life of the link, 1 to 43200 minutes; 1440 when absent.',
  })
  expiresInMinutes?: number | null;

  @Field(() => LinkUserDataInput, { nullable: true, description: 'Data of the user, as far as it is known.' })
  userData?: LinkUserDataInput | null;

  @Field(() => JsonObjectScalar, {
    nullable: true,
    description: 'Data of the partner to attach to the link; at most 16 KiB and 16 levels.',
  })
  metadata?: Readonly<Record<string, unknown>> | null;
}

@ObjectType({ description: 'A page of links.' })
export class LinkConnection extends connectionType(Link, 'Link') {}

@ObjectType({ description: 'A page of links by number.' })
@Directive('@inaccessible')
export class LinkPage extends numberedPageType(Link, 'Link') {}

@ObjectType({ description: 'The picture of an identity document.' })
@Directive('@inaccessible')
export class LinkImage {
  @Field(() => String, { description: 'Such as image/png.' })
  contentType!: string;

  @Field(() => String, { description: 'Its bytes in base64.' })
  base64!: string;
}

/** The GraphQL shape of a link. */
export type PresentLink = (link: StoredLink) => Link;

/** @param publicUrl address under which clients reach the REST surface */
export function createLinkPresenter(publicUrl: string): PresentLink {
  return (link) => {
    const missing = missingFields(link.userData);
    const shown: Link = {
      id: link.linkId,
      referenceId: link.referenceId,
      flow: link.flow,
      status: link.status,
      url: link.url,
      expiresAt: link.expiresAt,
      createdAt: link.createdAt,
      openedAt: link.openedAt ?? null,
      revokedAt: link.revokedAt ?? null,
      ...link.attached,
      userData: presentUserData(link, publicUrl),
      readiness: { ready: missing.length === 0, missing },
      user: { id: link.userId },
      operation: null,
    };
    return link.operationId === undefined ? shown : withOperation(shown, link.operationId);
  };
}

/** A link's operation has that link, so no lookup is needed. */
function withOperation(link: Link, operationId: string): Link {
  const operation: Operation = { id: operationId, link };
  return Object.assign(link, { operation });
}

function presentUserData(
  { linkId, userId, userData, hasImage }: StoredLink,
  publicUrl: string,
): LinkUserData {
  const { name, idType, idNumber, dob, paymentMethod } = userData;
  return {
    userId,
    name: name ?? null,
    idType: idType ?? null,
    idNumber: idNumber === undefined ? null : maskIdNumber(idNumber),
    dob: dob ?? null,
    paymentMethod: paymentMethod ?? null,
    idImageUrl: hasImage ? `${publicUrl}/partner/links/${linkId}/id-image` : null,
  };
}
