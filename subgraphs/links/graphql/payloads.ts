import { ArgsType, Directive, Field, ID, ObjectType, registerEnumType } from 'type-graphql';
import { JsonObjectScalar } from '../../platform/graphql/json-object.ts';
import { NumberedPageArgs, numberedPageType } from '../../platform/graphql/numbered-page.type.ts';
import { DateTimeScalar } from '../../platform/graphql/scalars.ts';
import { UserError } from '../../platform/graphql/user-error.type.ts';
import { Link } from './link.type.ts';

export enum DataRequestStatus {
  OPEN = 'open',
  FULFILLED = 'fulfilled',
}
registerEnumType(DataRequestStatus, {
  name: 'DataRequestStatus',
  description: 'How far a data request is.',
  valuesConfig: {
    OPEN: { description: 'Raised; awaits the answer.' },
    FULFILLED: { description: 'Answered.' },
  },
});

@ObjectType({ description: 'An identity check that a partner asked for.' })
export class CipTicket {
  @Field(() => ID, { description: 'The ticketId of the REST surface.' })
  id!: string;

  @Field(() => String, { description: 'Where the user completes it.' })
  widgetUrl!: string;

  @Field(() => String, { description: "The partner's own id of the user." })
  referenceId!: string;

  @Field(() => DateTimeScalar, { description: 'When it was asked for.' })
  createdAt!: Date;

  @Field(() => Link, { description: 'The link whose user is checked.' })
  link!: Link;
}

@ObjectType({ description: 'A question for more data of a user.' })
export class DataRequest {
  @Field(() => ID, { description: 'The dataRequestId of the REST surface.' })
  id!: string;

  @Field(() => String, { description: "The partner's own id of the user." })
  referenceId!: string;

  @Field(() => ID, { description: 'The link whose user data is asked for.' })
  linkId!: string;

  @Field(() => [String], {
    description: 'What is asked for: of name, idType, idNumber, dob, paymentMethod and idImage.',
  })
  fields!: string[];

  @Field(() => DataRequestStatus, { description: 'How far it is.' })
  status!: DataRequestStatus;

  @Field(() => DateTimeScalar, { description: 'When it was raised.' })
  createdAt!: Date;

  @Field(() => DateTimeScalar, { nullable: true, description: 'When it was answered.' })
  fulfilledAt!: Date | null;
}

@ObjectType({ description: 'The link made, or why not.' })
export class CreateLinkPayload {
  @Field(() => Link, { nullable: true, description: 'The link; null when refused.' })
  link!: Link | null;

  @Field(() => [UserError], { description: 'Why it was refused; empty on success.' })
  userErrors!: UserError[];
}

@ObjectType({ description: 'The link revoked, or why not.' })
export class RevokeLinkPayload {
  @Field(() => Link, { nullable: true, description: 'The link; null when refused.' })
  link!: Link | null;

  @Field(() => [UserError], { description: 'Why it was refused; empty on success.' })
  userErrors!: UserError[];
}

@ObjectType({ description: 'The identity check asked for, or why not.' })
export class CreateCipTicketPayload {
  @Field(() => CipTicket, { nullable: true, description: 'The ticket; null when refused.' })
  ticket!: CipTicket | null;

  @Field(() => [UserError], { description: 'Why it was refused; empty on success.' })
  userErrors!: UserError[];
}

@ObjectType({ description: 'The data request answered, or why not.' })
export class FulfilDataRequestPayload {
  @Field(() => DataRequest, { nullable: true, description: 'The data request; null when refused.' })
  dataRequest!: DataRequest | null;

  @Field(() => [UserError], { description: 'Why it was refused; empty on success.' })
  userErrors!: UserError[];
}

@ObjectType({ description: 'The link opened, or why not.' })
@Directive('@inaccessible')
export class OpenLinkPayload {
  @Field(() => Link, { nullable: true, description: 'The link; null when refused.' })
  link!: Link | null;

  @Field(() => [UserError], { description: 'Why it was refused; empty on success.' })
  userErrors!: UserError[];
}

@ObjectType({ description: 'The data request raised, or why not.' })
@Directive('@inaccessible')
export class RaiseDataRequestPayload {
  @Field(() => DataRequest, { nullable: true, description: 'The data request; null when refused.' })
  dataRequest!: DataRequest | null;

  @Field(() => [UserError], { description: 'Why it was refused; empty on success.' })
  userErrors!: UserError[];
}

@ObjectType({ description: 'How the identity check of a user stands.' })
@Directive('@inaccessible')
export class UserIdentity {
  @Field(() => ID, { description: 'The userId.' })
  userId!: string;

  @Field(() => String, { description: 'pending, verified or failed.' })
  cipStatus!: string;

  @Field(() => String, { nullable: true, description: 'Who checked.' })
  cipProvider!: string | null;

  @Field(() => DateTimeScalar, { nullable: true, description: 'When it was verified.' })
  cipVerifiedAt!: Date | null;

  @Field(() => JsonObjectScalar, { nullable: true, description: 'What the checker told beside the status.' })
  cipResult!: Readonly<Record<string, unknown>> | null;
}

@ObjectType({ description: 'How the identity check of a user stands since, or why it was refused.' })
@Directive('@inaccessible')
export class UpdateCipPayload {
  @Field(() => UserIdentity, { nullable: true, description: 'The state; null when refused.' })
  identity!: UserIdentity | null;

  @Field(() => [UserError], { description: 'Why it was refused; empty on success.' })
  userErrors!: UserError[];
}

@ArgsType()
export class LinkPageArgs extends NumberedPageArgs {
  @Field(() => String, { nullable: true, description: 'active or expired.' })
  visibility?: string | null;

  @Field(() => String, { nullable: true, description: 'created, opened or revoked.' })
  status?: string | null;

  @Field(() => String, { nullable: true, description: "The partner's own id of the user." })
  referenceId?: string | null;
}

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
