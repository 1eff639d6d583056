import { Field, ID, InputType, Int, ObjectType } from 'type-graphql';
import { RequiresScopes } from '../../graph/requires-scopes.ts';
import { DateTimeScalar } from '../../graph/scalars.ts';
import { payloadType, UserError } from '../../graph/user-error.type.ts';

@ObjectType({
  description:
    "A short-lived token with which a web page can read the partner's data. The token itself is shown only once, when it is created.",
})
@RequiresScopes('partner')
export class BrowserToken {
  @Field(() => ID, { description: 'Id with which it can be revoked.' })
  id!: string;

  @Field(() => [String], { description: 'Scopes that it has.' })
  scopes!: readonly string[];

  @Field(() => DateTimeScalar, { description: 'When it was created.' })
  createdAt!: Date;

  @Field(() => DateTimeScalar, { description: 'When it expires. Its open connections are closed then.' })
  expiresAt!: Date;

  @Field(() => DateTimeScalar, { nullable: true, description: 'When it was revoked; null if it was not.' })
  revokedAt!: Date | null;
}

@InputType({ description: 'The browser token to create.' })
export class CreateBrowserTokenInput {
  @Field(() => [String], {
    nullable: true,
    description: 'Scopes for reading that the API key has: `partner`. All of these when absent.',
  })
  scopes?: string[] | null;

  @Field(() => Int, { description: 'Minutes until the token expires, 1 to 60.' })
  expiresInMinutes!: number;
}

@InputType({ description: 'The token to revoke.' })
export class RevokeBrowserTokenInput {
  @Field(() => ID, { description: 'Id of the token.' })
  id!: string;
}

@ObjectType({ description: 'The new token, or why the mutation failed.' })
@RequiresScopes('partner')
export class CreateBrowserTokenPayload {
  @Field(() => BrowserToken, {
    nullable: true,
    description: 'The new record, without its secret; null on failure.',
  })
  browserToken!: BrowserToken | null;

  @Field(() => String, {
    nullable: true,
    description:
      'The token itself, shown only this once; null on failure. The page sends it as `Authorization: Bearer …`.',
  })
  token!: string | null;

  @Field(() => [UserError], { description: 'Why the mutation failed; empty on success.' })
  userErrors!: UserError[];
}

@ObjectType({ description: 'The revoked token, or why the mutation failed.' })
@RequiresScopes('partner')
export class RevokeBrowserTokenPayload extends payloadType(
  'browserToken',
  BrowserToken,
  'The token; null on failure.',
) {}
