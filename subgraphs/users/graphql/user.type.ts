import { Directive, Field, ID, ObjectType } from 'type-graphql';
import { connectionType } from '../../graph/connection.ts';
import { JsonObjectScalar } from '../../graph/json-object.ts';
import { numberedPageType } from '../../graph/numbered-page.type.ts';
import { RequiresScopes } from '../../graph/requires-scopes.ts';
import { CountryCodeScalar, DateScalar, DateTimeScalar } from '../../graph/scalars.ts';
import { textEnum } from '../../graph/text-enum.ts';
import type {
  BlockState,
  ErasureState,
  Gender as GenderText,
  CipStatus as Status,
  UserRecord,
} from '../user.ts';
import { Blocker, toBlocker } from './blocker.type.ts';

export const CipStatus = textEnum<Status>('CipStatus', "State of a user's identity check.", {
  pending: 'Not started, or in progress.',
  verified: 'The identity is verified.',
  failed: 'The check failed.',
});

export const Gender = textEnum<GenderText>('Gender', 'Gender of a user, as registered.', {
  Male: 'Male.',
  Female: 'Female.',
  Other: 'Another one.',
  None: 'No answer given.',
});

@ObjectType({ description: 'An end user of the partner: the requester of money.' })
@Directive('@key(fields: "id")')
@RequiresScopes('partner')
export class User {
  @Field(() => ID, { description: 'Id of the user: userId in the REST APIs.' })
  id!: string;

  @Field(() => String, { nullable: true, description: 'Id that the partner gave the user.' })
  referenceId!: string | null;

  @Field(() => String, {
    nullable: true,
    description: "First legal name; null if only the partner's id of the user is known.",
  })
  firstName!: string | null;

  @Field(() => String, { nullable: true, description: 'Second or middle name.' })
  secondName!: string | null;

  @Field(() => String, {
    nullable: true,
    description: "Primary legal last name; null if only the partner's id of the user is known.",
  })
  lastName!: string | null;

  @Field(() => String, { nullable: true, description: 'Second last name.' })
  secondLastName!: string | null;

  @RequiresScopes('partner_contact')
  @Field(() => String, {
    nullable: true,
    description: 'Phone number in E.164 format; null if the user is not registered.',
  })
  phoneNumber!: string | null;

  @RequiresScopes('partner_contact')
  @Field(() => String, {
    nullable: true,
    description: 'Email address that the user registered; null if there is none.',
  })
  email!: string | null;

  @RequiresScopes('partner_contact')
  @Field(() => DateScalar, { nullable: true, description: 'Date of birth.' })
  dob!: string | null;

  @Field(() => Gender, {
    nullable: true,
    description: 'Gender that the user registered; null if there is none.',
  })
  gender!: GenderText | null;

  @Field(() => CountryCodeScalar, { nullable: true, description: "Country of the user's address." })
  country!: string | null;

  @Field(() => CipStatus, { description: 'State of the identity check.' })
  cipStatus!: Status;

  @Field(() => String, { nullable: true, description: 'Provider of the last identity check.' })
  cipProvider!: string | null;

  @Field(() => DateTimeScalar, {
    nullable: true,
    description: 'When the identity was verified; null until then.',
  })
  cipVerifiedAt!: Date | null;

  @RequiresScopes('partner_contact')
  @Field(() => JsonObjectScalar, {
    nullable: true,
    description: 'Further results of the last identity check, in the format of its provider.',
  })
  cipResult!: Readonly<Record<string, unknown>> | null;

  @Field(() => Boolean, {
    description: 'Whether the partner blocked the user, who can then have no new links and no transfers.',
  })
  blocked!: boolean;

  @Field(() => DateTimeScalar, {
    nullable: true,
    description: 'When the user was blocked; null if the user is not blocked.',
  })
  blockedAt!: Date | null;

  @Field(() => String, {
    nullable: true,
    description: 'Reason that the partner gave for blocking the user; null if there is none.',
  })
  blockedReason!: string | null;

  @Field(() => Blocker, {
    nullable: true,
    description:
      'Caller that blocked the user, or that erased a user who was not blocked; null if the user is not blocked, or if the caller was not recorded.',
  })
  blockedBy!: Blocker | null;

  @Field(() => DateTimeScalar, {
    nullable: true,
    description:
      "When the erasure of the user's personal data was requested (`eraseUser`). From then on, this user answers with null for all personal data. Null if it was not requested.",
  })
  erasureRequestedAt!: Date | null;

  @Field(() => DateTimeScalar, {
    nullable: true,
    description:
      "When the erasure was done: no record has the user's personal data any more. Null until then.",
  })
  erasedAt!: Date | null;

  @Field(() => String, {
    nullable: true,
    description: 'Reason that was given for the erasure; null if none was requested.',
  })
  erasureReason!: string | null;

  @Field(() => DateTimeScalar, { description: 'When the user was created.' })
  createdAt!: Date;
}

/** The GraphQL shape of a stored user. */
export function toUser({ userId, profile, ...user }: UserRecord): User {
  return {
    id: userId,
    referenceId: user.referenceId ?? null,
    firstName: profile.firstName ?? null,
    secondName: profile.secondName ?? null,
    lastName: profile.lastName ?? null,
    secondLastName: profile.secondLastName ?? null,
    phoneNumber: profile.phoneNumber ?? null,
    email: profile.email ?? null,
    dob: profile.dob ?? null,
    gender: profile.gender ?? null,
    country: profile.country ?? null,
    cipStatus: user.cipStatus,
    cipProvider: user.cipProvider ?? null,
    cipVerifiedAt: user.cipVerifiedAt ?? null,
    cipResult: user.cipResult ?? null,
    ...blockOf(user),
    ...erasureOf(user),
    createdAt: user.createdAt,
  };
}

function blockOf({ blocked, blockedAt, blockedReason, blockedBy }: BlockState) {
  return {
    blocked,
    blockedAt: blockedAt ?? null,
    blockedReason: blockedReason ?? null,
    blockedBy: blockedBy ? toBlocker(blockedBy) : null,
  };
}

function erasureOf({ erasureRequestedAt, erasedAt, erasureReason }: ErasureState) {
  return {
    erasureRequestedAt: erasureRequestedAt ?? null,
    erasedAt: erasedAt ?? null,
    erasureReason: erasureReason ?? null,
  };
}

@ObjectType({ description: 'A page of users.' })
export class UserConnection extends connectionType(User, 'User') {}

@ObjectType({ description: 'A page of users by number.' })
@Directive('@inaccessible')
export class UserPage extends numberedPageType(User, 'User') {}
