import { Field, ID, InputType, Int, ObjectType } from 'type-graphql';
import { RequiresAllScopes } from '../../platform/graphql/requires-scopes.ts';
import { DateTimeScalar } from '../../platform/graphql/scalars.ts';
import { UserError } from '../../platform/graphql/user-error.type.ts';
import { PartnerEnvironment } from './partner.type.ts';

@ObjectType({ description: 'An API key of the partner. Its text is shown only where it is made.' })
@RequiresAllScopes('partner', 'partner_admin')
export class ApiKey {
  @Field(() => ID, { description: 'Its id, to rotate and to revoke it by.' })
  id!: string;

  @Field(() => String, { description: 'The first characters of the key, to tell keys apart.' })
  prefix!: string;

  @Field(() => PartnerEnvironment, { description: 'Its environment.' })
  environment!: PartnerEnvironment;

  @Field(() => [String], { description: 'Its scopes.' })
  scopes!: readonly string[];

  @Field(() => String, { description: 'What the partner calls it; may be empty.' })
  label!: string;

  @Field(() => DateTimeScalar, { description: 'When it was made.' })
  createdAt!: Date;

  @Field(() => DateTimeScalar, {
    nullable: true,
    description: 'When it was last used, to the minute; null: never.',
  })
  lastUsedAt!: Date | null;

  @Field(() => [ID], {
    description:
      'The ids of the API keys whose end also ends it, because a console session of theirs, or a key that such a session made, has made it.',
  })
  endsWithIds!: readonly string[];

  @Field(() => DateTimeScalar, {
    nullable: true,
    description:
      'When it ends or has ended, because it or a key that it ends with was replaced; null: none was.',
  })
  endsAt!: Date | null;

  @Field(() => DateTimeScalar, { nullable: true, description: 'When it was revoked; null: it was not.' })
  revokedAt!: Date | null;
}

@InputType({ description: 'The key to make. It is of the same environment as the calling key.' })
export class CreateApiKeyInput {
  @Field(() => [String], {
    description: 'Its scopes: partner, and any others that the calling key has.',
  })
  scopes!: string[];

  @Field(() => String, { description: 'What to call it, at most 100 characters.', defaultValue: '' })
  label!: string;
}

@InputType({ description: 'The key to replace.' })
export class RotateApiKeyInput {
  @Field(() => ID, { description: 'Its id.' })
  id!: string;

  @Field(() => Int, {
    description:
      'Minutes for which it works beside its successor, 0 to 10080; at least 5 for the key that makes the call.',
    defaultValue: 60,
  })
  overlapMinutes!: number;
}

@InputType({ description: 'The key to revoke.' })
export class RevokeApiKeyInput {
  @Field(() => ID, { description: 'Its id.' })
  id!: string;
}

@ObjectType({ description: 'The new key, or why there is none.' })
@RequiresAllScopes('partner', 'partner_admin')
export class CreateApiKeyPayload {
  @Field(() => ApiKey, { nullable: true, description: 'What may be shown of it; null: none was made.' })
  apiKey!: ApiKey | null;

  @Field(() => String, {
    nullable: true,
    description: 'The key, shown this once. Null: none was made.',
  })
  key!: string | null;

  @Field(() => [UserError], { description: 'Why none was made; empty on success.' })
  userErrors!: UserError[];
}

@ObjectType({ description: 'The successor of a key, or why there is none.' })
@RequiresAllScopes('partner', 'partner_admin')
export class RotateApiKeyPayload {
  @Field(() => ApiKey, {
    nullable: true,
    description: 'What may be shown of the successor; null: none was made.',
  })
  apiKey!: ApiKey | null;

  @Field(() => String, {
    nullable: true,
    description: 'The successor, shown this once. Null: none was made.',
  })
  key!: string | null;

  @Field(() => ApiKey, {
    nullable: true,
    description: 'The replaced key, with its end; null: nothing changed.',
  })
  formerApiKey!: ApiKey | null;

  @Field(() => [UserError], { description: 'Why nothing changed; empty on success.' })
  userErrors!: UserError[];
}

@ObjectType({ description: 'The revoked key, or why it was not revoked.' })
@RequiresAllScopes('partner', 'partner_admin')
export class RevokeApiKeyPayload {
  @Field(() => ApiKey, { nullable: true, description: 'The key; null: it was not revoked.' })
  apiKey!: ApiKey | null;

  @Field(() => [UserError], { description: 'Why it was not revoked; empty on success.' })
  userErrors!: UserError[];
}
