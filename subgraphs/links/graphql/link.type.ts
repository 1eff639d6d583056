import { Directive, Field, ID, ObjectType } from 'type-graphql';
import { connectionType } from '../../platform/graphql/connection.ts';
import { JsonObjectScalar } from '../../platform/graphql/json-object.ts';
import { numberedPageType } from '../../platform/graphql/numbered-page.type.ts';
import { RequiresScopes } from '../../platform/graphql/requires-scopes.ts';
import { DateScalar, DateTimeScalar } from '../../platform/graphql/scalars.ts';
import { textEnum } from '../../platform/graphql/text-enum.ts';
import { maskField } from '../../platform/person/mask-numbers.ts';
import type { LinkStatus as Status } from '../lifecycle.ts';
import type { LinkFlow as Flow, Link as StoredLink } from '../link.ts';
import { missingFields, type PersonName as StoredName } from '../user-data.ts';

export const LinkFlow = textEnum<Flow>('LinkFlow', 'Flow of a link: what its user can do.', {
  cip: 'Complete an identity check.',
  transfer: 'Send money.',
  request_money: 'Ask for money.',
});

export const LinkStatus = textEnum<Status>('LinkStatus', 'State of a link.', {
  created: 'Created, not opened yet.',
  opened: 'The user opened it.',
  revoked: 'The partner revoked it.',
});

@ObjectType({ description: "A partner's end user: the requester of money." })
@Directive('@key(fields: "id")')
export class User {
  @Field(() => ID, { description: 'The userId of the REST surfaces.' })
  id!: string;
}

@ObjectType({ description: 'Name of a person.' })
export class PersonName {
  @Field(() => String, { description: 'First legal name.' })
  firstName!: string;

  @Field(() => String, { nullable: true, description: 'Second or middle name.' })
  secondName!: string | null;

  @Field(() => String, { description: 'Primary legal last name.' })
  lastName!: string;

  @Field(() => String, { nullable: true, description: 'Second last name.' })
  secondLastName!: string | null;
}

@ObjectType({ description: "Data of a link's user; a field is null when it is not known." })
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

  @Field(() => DateScalar, { nullable: true, description: 'Date of birth.' })
  dob!: string | null;

  @Field(() => JsonObjectScalar, {
    nullable: true,
    description: "How the user pays, in the partner's shape.",
  })
  paymentMethod!: Readonly<Record<string, unknown>> | null;

  @Field(() => String, {
    nullable: true,
    description: 'URL of the picture of the identity document; needs the API key.',
  })
  idImageUrl!: string | null;

  /** Whose data it is; no field of the graph. */
  userId!: string;
}

@ObjectType({ description: 'Whether a link has the user data that an identity check needs.' })
export class LinkReadiness {
  @Field(() => Boolean, { description: 'Whether there is enough data.' })
  ready!: boolean;

  @Field(() => [String], { description: 'Missing fields: of name, idType, idNumber and dob.' })
  missing!: string[];
}

@ObjectType({ description: 'A transfer of money that a request started.' })
@Directive('@key(fields: "id")')
export class Operation {
  @Field(() => ID, {
    description: 'The operationId of the REST surfaces; of document 1, the correlation id.',
  })
  id!: string;

  /** Of a link's own operation: that link. Absent: it is looked up when a client selects it. */
  link?: Link;
}

@ObjectType({ description: 'A one-time widget link bound to a user.' })
@Directive('@key(fields: "id")')
@RequiresScopes('partner', 'internal')
export class Link {
  @Field(() => ID, { description: 'The linkId of the REST surfaces.' })
  id!: string;

  @Field(() => String, { description: "The partner's own id of the user." })
  referenceId!: string;

  @Field(() => LinkFlow, { description: 'Flow of the link: what its user can do.' })
  flow!: Flow;

  @Field(() => LinkStatus, { description: 'State of the link.' })
  status!: Status;

  @Field(() => String, { description: 'Address of the widget.' })
  url!: string;

  @Field(() => DateTimeScalar, { description: 'When the link stops working.' })
  expiresAt!: Date;

  @Field(() => DateTimeScalar, { description: 'When the link was created.' })
  createdAt!: Date;

  @Field(() => DateTimeScalar, { nullable: true, description: 'When the user first opened it.' })
  openedAt!: Date | null;

  @Field(() => DateTimeScalar, { nullable: true, description: 'When the partner revoked it.' })
  revokedAt!: Date | null;

  @Field(() => JsonObjectScalar, {
    nullable: true,
    description: "The partner's own data; null when none was given.",
  })
  metadata!: Readonly<Record<string, unknown>> | null;

  @Field(() => LinkUserData, { description: "The user's data in the link." })
  userData!: LinkUserData;

  @Field(() => LinkReadiness, { description: 'Whether that data is enough for an identity check.' })
  readiness!: LinkReadiness;

  @Field(() => User, { nullable: true, description: 'The user that the link is bound to.' })
  user!: User | null;

  @Field(() => Operation, {
    nullable: true,
    description: 'The operation that the user began from this link; null until then.',
  })
  operation!: Operation | null;
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
      metadata: link.metadata ?? null,
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
    name: name ? presentName(name) : null,
    idType: idType ?? null,
    idNumber: idNumber === undefined ? null : maskField(idNumber, '****'),
    dob: dob ?? null,
    paymentMethod: paymentMethod ?? null,
    idImageUrl: hasImage ? `${publicUrl}/partner/links/${linkId}/id-image` : null,
  };
}

function presentName({ firstName, secondName, lastName, secondLastName }: StoredName): PersonName {
  return {
    firstName,
    secondName: secondName ?? null,
    lastName,
    secondLastName: secondLastName ?? null,
  };
}
