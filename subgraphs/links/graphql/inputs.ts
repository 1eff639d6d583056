import { ArgsType, Directive, Field, ID, InputType, ObjectType } from 'type-graphql';
import { NumberedPageArgs } from '../../graph/numbered-page.type.ts';
import { payloadType } from '../../graph/user-error.type.ts';
import { CipTicket } from './cip-ticket.type.ts';
import { DataRequest } from './data-request.type.ts';
import { Link, LinkUserDataInput } from './link.type.ts';
import { UserIdentity } from './user-identity.type.ts';

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
