import { ArgsType, Directive, Field, ID, InputType, Int, ObjectType } from 'type-graphql';
import { JsonObjectScalar } from '../../graph/json-object.ts';
import { NumberedPageArgs } from '../../graph/numbered-page.type.ts';
import { payloadType } from '../../graph/user-error.type.ts';
import type { LinkFlow as Flow } from '../link.ts';
import { CipTicket } from './cip-ticket.type.ts';
import { DataRequest } from './data-request.type.ts';
import { Link, LinkFlow } from './link.type.ts';
import { UserIdentity } from './user-identity.type.ts';

@InputType({ description: 'Name of a person.' })
class PersonNameInput {
  @Field(() => String, { description: 'First legal name.' })
  firstName!: string;

  @Field(() => String, { nullable: true, description: 'Second or middle name.' })
  secondName?: string | null;

  @Field(() => String, { description: 'Primary legal last name.' })
  lastName!: string;

  @Field(() => String, { nullable: true, description: 'Second last name.' })
  secondLastName?: string | null;
}

@InputType({ description: 'Data of a user that the partner sends.' })
class LinkUserDataInput {
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
      'Picture of the identity document, as the data URI of a PNG, JPEG or WebP image of at most 1 MiB decoded. Send large pictures with the REST API.',
  })
  idImage?: string | null;
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

@InputType({ description: 'A link to revoke.' })
export class RevokeLinkInput {
  @Field(() => ID, { description: 'The linkId.' })
  linkId!: string;
}

@InputType({ description: 'An identity check to request.' })
export class CreateCipTicketInput {
  @Field(() => ID, { description: 'Id of the link of the user for the identity check.' })
  linkId!: string;
}

@InputType({ description: 'An answer to a data request.' })
export class FulfilDataRequestInput {
  @Field(() => ID, { description: 'dataRequestId from the webhook.' })
  dataRequestId!: string;

  @Field(() => String, { description: 'referenceId from the webhook.' })
  referenceId!: string;

  @Field(() => LinkUserDataInput, { description: 'Data of the requested fields, and no other fields.' })
  userData!: LinkUserDataInput;
}

@ArgsType()
export class LinkPageArgs extends NumberedPageArgs {
  @Field(() => String, { nullable: true, description: 'active or expired.' })
  visibility?: string | null;

  @Field(() => String, { nullable: true, description: 'created, opened or revoked.' })
  status?: string | null;

  @Field(() => String, { nullable: true, description: 'Id that the partner gave the user.' })
  referenceId?: string | null;
}

@ObjectType({ description: 'The created link, or why the mutation failed.' })
export class CreateLinkPayload extends payloadType('link', Link, 'The link; null on failure.') {}

@ObjectType({ description: 'The revoked link, or why the mutation failed.' })
export class RevokeLinkPayload extends payloadType('link', Link, 'The link; null on failure.') {}

@ObjectType({ description: 'The requested identity check, or why the mutation failed.' })
export class CreateCipTicketPayload extends payloadType(
  'ticket',
  CipTicket,
  'The ticket; null on failure.',
) {}

@ObjectType({ description: 'The answered data request, or why the mutation failed.' })
export class FulfilDataRequestPayload extends payloadType(
  'dataRequest',
  DataRequest,
  'The data request; null on failure.',
) {}

@ObjectType({ description: 'The link opened, or why not.' })
@Directive('@inaccessible')
export class OpenLinkPayload extends payloadType('link', Link, 'The link; null on failure.') {}

@ObjectType({ description: 'The data request raised, or why not.' })
@Directive('@inaccessible')
export class RaiseDataRequestPayload extends payloadType(
  'dataRequest',
  DataRequest,
  'The data request; null on failure.',
) {}

@ObjectType({ description: "The state of a user's identity check after it, or why it failed." })
@Directive('@inaccessible')
export class UpdateCipPayload extends payloadType('identity', UserIdentity, 'The state; null on failure.') {}
