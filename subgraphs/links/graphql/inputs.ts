import { Field, ID, InputType, Int } from 'type-graphql';
import { JsonObjectScalar } from '../../platform/graphql/json-object.ts';
import { toLossless } from '../commands/bodies.ts';
import { LinkFlow } from './link.type.ts';

@InputType({ description: 'Name of a person.' })
export class PersonNameInput {
  @Field(() => String, { description: 'First legal name.' })
  firstName!: string;

  @Field(() => String, { nullable: true, description: 'Second or middle name.' })
  secondName?: string | null;

  @Field(() => String, { description: 'Primary legal last name.' })
  lastName!: string;

  @Field(() => String, { nullable: true, description: 'Second last name.' })
  secondLastName?: string | null;
}

@InputType({ description: 'What a partner tells of a user.' })
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
    description: "How the user pays, in the partner's shape; at most 16 KiB and 16 levels.",
  })
  paymentMethod?: Readonly<Record<string, unknown>> | null;

  @Field(() => String, {
    nullable: true,
    description:
      'Picture of the identity document: a data URI of a PNG, JPEG or WebP image, at most 1 MiB decoded. Large ones go by REST.',
  })
  idImage?: string | null;
}

@InputType({ description: 'A link to make.' })
export class CreateLinkInput {
  @Field(() => LinkFlow, { description: 'What the link lets its user do; one that the partner has.' })
  flow!: LinkFlow;

  @Field(() => String, {
    description: "The partner's own id of the user, 1 to 255 characters. A new one makes the user.",
  })
  referenceId!: string;

  @Field(() => Int, {
    nullable: true,
    description: 'Life of the link, 1 to 43200 minutes; 1440 when absent.',
  })
  expiresInMinutes?: number | null;

  @Field(() => LinkUserDataInput, { nullable: true, description: 'What is known of the user.' })
  userData?: LinkUserDataInput | null;

  @Field(() => JsonObjectScalar, {
    nullable: true,
    description: 'What the partner keeps with the link; at most 16 KiB and 16 levels.',
  })
  metadata?: Readonly<Record<string, unknown>> | null;
}

@InputType({ description: 'A link to revoke.' })
export class RevokeLinkInput {
  @Field(() => ID, { description: 'The linkId.' })
  linkId!: string;
}

@InputType({ description: 'An identity check to ask for.' })
export class CreateCipTicketInput {
  @Field(() => ID, { description: 'The link whose user is to be checked.' })
  linkId!: string;
}

@InputType({ description: 'An answer to a data request.' })
export class FulfilDataRequestInput {
  @Field(() => ID, { description: 'The dataRequestId of the webhook.' })
  dataRequestId!: string;

  @Field(() => String, { description: 'The reference id that the webhook told.' })
  referenceId!: string;

  @Field(() => LinkUserDataInput, { description: 'Only what was asked for.' })
  userData!: LinkUserDataInput;
}

/** The body of document 3 that means the same as a GraphQL input; numbers as document 3's reader has them. */
export function toCreateBody({ expiresInMinutes, userData, ...input }: CreateLinkInput): unknown {
  return present({
    ...input,
    expiresInMinutes: expiresInMinutes == null ? undefined : toLossless(expiresInMinutes),
    userData: userData == null ? undefined : toUserDataBody(userData),
  });
}

/** In the same way. */
export function toFulfilBody({ referenceId, userData }: FulfilDataRequestInput): unknown {
  return { referenceId, userData: toUserDataBody(userData) };
}

function toUserDataBody({ name, ...rest }: LinkUserDataInput): object {
  return present({ name: name == null ? undefined : present({ ...name }), ...rest });
}

/** GraphQL's null for "not given" is absence in a body. Only here: within a partner's own object a null is a value. */
function present(value: Readonly<Record<string, unknown>>): object {
  return Object.fromEntries(Object.entries(value).filter(([, member]) => member != null));
}
