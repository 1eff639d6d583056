import { Directive, Field, ID, ObjectType, registerEnumType } from 'type-graphql';
import { connectionType } from '../../platform/graphql/connection.ts';
import { JsonObjectScalar } from '../../platform/graphql/json-object.ts';
import { numberedPageType } from '../../platform/graphql/numbered-page.type.ts';
import { RequiresScopes } from '../../platform/graphql/requires-scopes.ts';
import { CountryCodeScalar, DateScalar, DateTimeScalar } from '../../platform/graphql/scalars.ts';
import type { UserRecord } from '../store/user-repository.ts';

export enum CipStatus {
  PENDING = 'pending',
  VERIFIED = 'verified',
  FAILED = 'failed',
}
registerEnumType(CipStatus, {
  name: 'CipStatus',
  description: "State of a user's identity check.",
  valuesConfig: {
    PENDING: { description: 'Not started, or in progress.' },
    VERIFIED: { description: 'The identity is verified.' },
    FAILED: { description: 'The check failed.' },
  },
});

export enum Gender {
  MALE = 'Male',
  FEMALE = 'Female',
  OTHER = 'Other',
  NONE = 'None',
}
registerEnumType(Gender, {
  name: 'Gender',
  description: 'Gender of a user, as registered.',
  valuesConfig: {
    MALE: { description: 'Male.' },
    FEMALE: { description: 'Female.' },
    OTHER: { description: 'Another one.' },
    NONE: { description: 'None given.' },
  },
});

@ObjectType({ description: "A partner's end user: the requester of money." })
@Directive('@key(fields: "id")')
@RequiresScopes('partner')
export class User {
  @Field(() => ID, { description: 'The userId of the REST surfaces.' })
  id!: string;

  @Field(() => String, { nullable: true, description: "The partner's own id of the user." })
  referenceId!: string | null;

  @Field(() => String, {
    nullable: true,
    description: "First legal name; null while only the partner's id of the user is known.",
  })
  firstName!: string | null;

  @Field(() => String, { nullable: true, description: 'Second or middle name.' })
  secondName!: string | null;

  @Field(() => String, { nullable: true, description: 'Primary legal last name; null like firstName.' })
  lastName!: string | null;

  @Field(() => String, { nullable: true, description: 'Second last name.' })
  secondLastName!: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'Phone number, E.164; null for users who were not registered.',
  })
  phoneNumber!: string | null;

  @Field(() => String, { nullable: true, description: 'Email address, as registered.' })
  email!: string | null;

  @Field(() => DateScalar, { nullable: true, description: 'Date of birth.' })
  dob!: string | null;

  @Field(() => Gender, { nullable: true, description: 'Gender, as registered.' })
  gender!: Gender | null;

  @Field(() => CountryCodeScalar, { nullable: true, description: "Country of the user's address." })
  country!: string | null;

  @Field(() => CipStatus, { description: 'State of the identity check.' })
  cipStatus!: CipStatus;

  @Field(() => String, { nullable: true, description: 'Who checked the identity last.' })
  cipProvider!: string | null;

  @Field(() => DateTimeScalar, { nullable: true, description: 'When the identity was verified.' })
  cipVerifiedAt!: Date | null;

  @Field(() => JsonObjectScalar, {
    nullable: true,
    description: 'What the checker told beside the state, in its own shape.',
  })
  cipResult!: Readonly<Record<string, unknown>> | null;

  @Field(() => Boolean, { description: 'Whether the partner blocked the user: no new links, no transfers.' })
  blocked!: boolean;

  @Field(() => DateTimeScalar, { nullable: true, description: 'Since when, of a blocked user.' })
  blockedAt!: Date | null;

  @Field(() => String, { nullable: true, description: 'Why, if the partner told.' })
  blockedReason!: string | null;

  @Field(() => DateTimeScalar, { description: 'When the user was made.' })
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
    gender: (profile.gender ?? null) as Gender | null,
    country: profile.country ?? null,
    cipStatus: user.cipStatus as CipStatus,
    cipProvider: user.cipProvider ?? null,
    cipVerifiedAt: user.cipVerifiedAt ?? null,
    cipResult: user.cipResult ?? null,
    blocked: user.blocked,
    blockedAt: user.blockedAt ?? null,
    blockedReason: user.blockedReason ?? null,
    createdAt: user.createdAt,
  };
}

@ObjectType({ description: 'A page of users.' })
export class UserConnection extends connectionType(User, 'User') {}

@ObjectType({ description: 'A page of users by number.' })
@Directive('@inaccessible')
export class UserPage extends numberedPageType(User, 'User') {}
