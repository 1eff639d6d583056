import { Field, ID, InputType, Int, ObjectType } from 'type-graphql';
import { RequiresAllScopes } from '../../graph/requires-scopes.ts';
import { DateTimeScalar } from '../../graph/scalars.ts';
import { payloadType, UserError } from '../../graph/user-error.type.ts';
import { Approval, PENDING_APPROVAL } from './approval.type.ts';
import { PartnerEnvironment } from './partner.type.ts';

@ObjectType({
  description: 'An API key of the partner. The key itself is shown only once, when it is created.',
})
@RequiresAllScopes('partner', 'partner_admin')
export class ApiKey {
  @Field(() => ID, { description: 'Id of the key, with which it can be rotated and revoked.' })
  id!: string;

  @Field(() => String, { description: 'First characters of the key, to distinguish keys.' })
  prefix!: string;

  @Field(() => PartnerEnvironment, { description: 'Environment of the key.' })
  environment!: PartnerEnvironment;

  @Field(() => [String], { description: 'Scopes that it has.' })
  scopes!: readonly string[];

  @Field(() => String, { description: 'Label that the partner gave it; may be empty.' })
  label!: string;

  @Field(() => DateTimeScalar, { description: 'When it was created.' })
  createdAt!: Date;

  @Field(() => DateTimeScalar, {
    nullable: true,
    description: 'When it was last used, to the minute; null if never.',
  })
  lastUsedAt!: Date | null;

  @Field(() => [ID], {
    description:
      'Ids of the API keys whose end also ends this key: it was created in a console session of one of them, or by a key that was.',
  })
  endsWithIds!: readonly string[];

  @Field(() => DateTimeScalar, {
    nullable: true,
    description:
      'When it ends or ended because it, or a key in endsWithIds, was replaced; null if none was replaced.',
  })
  endsAt!: Date | null;

  @Field(() => DateTimeScalar, { nullable: true, description: 'When it was revoked; null if it was not.' })
  revokedAt!: Date | null;
}

@InputType({ description: 'The API key to create, in the environment of the calling key.' })
export class CreateApiKeyInput {
  @Field(() => [String], {
    description: 'Scopes: `partner`, and any others that the calling key has.',
  })
  scopes!: string[];

  @Field(() => String, { description: 'Label of the key, at most 100 characters.', defaultValue: '' })
  label!: string;
}

@InputType({ description: 'The key to replace.' })
export class RotateApiKeyInput {
  @Field(() => ID, { description: 'Id of the key.' })
  id!: string;

  @Field(() => Int, {
    description:
      'Minutes for which the old key still works, 0 to 10080; at least 5 for the key that makes the call.',
    defaultValue: 60,
  })
  overlapMinutes!: number;
}

@InputType({ description: 'The key to revoke.' })
export class RevokeApiKeyInput {
  @Field(() => ID, { description: 'Id of the key.' })
  id!: string;
}

@ObjectType({ description: 'The new API key, or why the mutation failed.' })
@RequiresAllScopes('partner', 'partner_admin')
export class CreateApiKeyPayload {
  @Field(() => ApiKey, {
    nullable: true,
    description: 'The new record, without its secret; null on failure, and while an approval is pending.',
  })
  apiKey!: ApiKey | null;

  @Field(() => String, {
    nullable: true,
    description: 'The key itself, shown only this once; null on failure, and while an approval is pending.',
  })
  key!: string | null;

  @Field(() => Approval, PENDING_APPROVAL)
  pendingApproval?: Approval | null;

  @Field(() => [UserError], { description: 'Why the mutation failed; empty on success.' })
  userErrors!: UserError[];
}

@ObjectType({ description: 'The key that replaces another one, or why the mutation failed.' })
@RequiresAllScopes('partner', 'partner_admin')
export class RotateApiKeyPayload {
  @Field(() => ApiKey, {
    nullable: true,
    description: 'The new key, without its secret; null on failure, and while an approval is pending.',
  })
  apiKey!: ApiKey | null;

  @Field(() => String, {
    nullable: true,
    description:
      'The new key itself, shown only this once; null on failure, and while an approval is pending.',
  })
  key!: string | null;

  @Field(() => ApiKey, {
    nullable: true,
    description:
      'The replaced key, with the time of its end; null on failure, and while an approval is pending.',
  })
  formerApiKey!: ApiKey | null;

  @Field(() => Approval, PENDING_APPROVAL)
  pendingApproval?: Approval | null;

  @Field(() => [UserError], { description: 'Why the mutation failed; empty on success.' })
  userErrors!: UserError[];
}

@ObjectType({ description: 'The revoked key, or why the mutation failed.' })
@RequiresAllScopes('partner', 'partner_admin')
export class RevokeApiKeyPayload extends payloadType('apiKey', ApiKey, 'The key; null on failure.') {}
