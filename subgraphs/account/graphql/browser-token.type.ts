import { Field, ID, InputType, Int, ObjectType } from 'type-graphql';
import { RequiresScopes } from '../../platform/graphql/requires-scopes.ts';
import { DateTimeScalar } from '../../platform/graphql/scalars.ts';
import { UserError } from '../../platform/graphql/user-error.type.ts';

@ObjectType({
  description: 'A short-lived token with which a web page reads. Its text is shown only where it is made.',
})
@RequiresScopes('partner')
export class BrowserToken {
  @Field(() => ID, { description: 'Its id, to revoke it by.' })
  id!: string;

  @Field(() => [String], { description: 'Its scopes.' })
  scopes!: readonly string[];

  @Field(() => DateTimeScalar, { description: 'When it was made.' })
  createdAt!: Date;

  @Field(() => DateTimeScalar, { description: 'When it ends, and with it all that it has open.' })
  expiresAt!: Date;

  @Field(() => DateTimeScalar, { nullable: true, description: 'When it was revoked; null: it was not.' })
  revokedAt!: Date | null;
}

@InputType({ description: 'The token that a web page needs.' })
export class CreateBrowserTokenInput {
  @Field(() => [String], {
    nullable: true,
    description:
      'Scopes, each one that the API key has and that lets it read: partner. When absent, all of these.',
  })
  scopes?: string[] | null;

  @Field(() => Int, { description: 'Minutes until it ends, 1 to 60.' })
  expiresInMinutes!: number;
}

@InputType({ description: 'The token to revoke.' })
export class RevokeBrowserTokenInput {
  @Field(() => ID, { description: 'Its id.' })
  id!: string;
}

@ObjectType({ description: 'The token, or why there is none.' })
@RequiresScopes('partner')
export class CreateBrowserTokenPayload {
  @Field(() => BrowserToken, { nullable: true, description: 'What may be shown of it; null: none was made.' })
  browserToken!: BrowserToken | null;

  @Field(() => String, {
    nullable: true,
    description:
      'The token, shown this once: the page sends it as `Authorization: Bearer …`. Null: none was made.',
  })
  token!: string | null;

  @Field(() => [UserError], { description: 'Why none was made; empty on success.' })
  userErrors!: UserError[];
}

@ObjectType({ description: 'The revoked token, or why it was not revoked.' })
@RequiresScopes('partner')
export class RevokeBrowserTokenPayload {
  @Field(() => BrowserToken, { nullable: true, description: 'The token; null: it was not revoked.' })
  browserToken!: BrowserToken | null;

  @Field(() => [UserError], { description: 'Why it was not revoked; empty on success.' })
  userErrors!: UserError[];
}
