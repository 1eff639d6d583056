import { Field, ID, InputType, ObjectType, registerEnumType } from 'type-graphql';
import { RequiresAllScopes } from '../../graph/requires-scopes.ts';
import { DateTimeScalar } from '../../graph/scalars.ts';
import { payloadType, UserError } from '../../graph/user-error.type.ts';

export enum ConsoleAccess {
  READ = 'READ',
  ADMIN = 'ADMIN',
}
registerEnumType(ConsoleAccess, {
  name: 'ConsoleAccess',
  description: 'Access of a console session.',
  valuesConfig: {
    READ: { description: 'Queries and subscriptions with the scope `partner`, but no mutations.' },
    ADMIN: { description: 'Everything that the scopes `partner` and `partner_admin` allow.' },
  },
});

@ObjectType({ description: 'A session of a person in the console.' })
@RequiresAllScopes('partner', 'partner_admin')
export class ConsoleSession {
  @Field(() => ID, { description: 'Id with which it can be revoked.' })
  id!: string;

  @Field(() => String, { description: 'Label of the person that its link was created for; may be empty.' })
  label!: string;

  @Field(() => ConsoleAccess, { description: 'Access that it gives.' })
  access!: ConsoleAccess;

  @Field(() => ID, {
    nullable: true,
    description:
      'Id of the API key that created its link; the session ends when this key ends. Null if an operator created the link.',
  })
  apiKeyId!: string | null;

  @Field(() => DateTimeScalar, { description: 'When its link was created.' })
  createdAt!: Date;

  @Field(() => DateTimeScalar, {
    nullable: true,
    description: 'When it was last used, to the minute; null if its link was not used yet.',
  })
  lastSeenAt!: Date | null;

  @Field(() => DateTimeScalar, {
    description:
      'When it ends at the latest; a session that is not used ends earlier. For a link that was not used yet, when the link expires.',
  })
  endsAt!: Date;

  @Field(() => DateTimeScalar, { nullable: true, description: 'When it was revoked; null if it was not.' })
  revokedAt!: Date | null;

  @Field(() => Boolean, { description: 'Whether this call was made in this session.' })
  isCurrent!: boolean;
}

@InputType({ description: 'The console session that the link opens.' })
export class CreateConsoleLinkInput {
  @Field(() => ConsoleAccess, { description: 'Access that it gives.', defaultValue: ConsoleAccess.READ })
  access!: ConsoleAccess;

  @Field(() => String, {
    description:
      'Label of the person that the session is for, at most 100 characters. The list of sessions shows it.',
    defaultValue: '',
  })
  label!: string;
}

@InputType({ description: 'The console session to revoke.' })
export class RevokeConsoleSessionInput {
  @Field(() => ID, { description: 'Id of the session.' })
  id!: string;
}

@ObjectType({ description: 'A link to the console, or why the mutation failed.' })
@RequiresAllScopes('partner', 'partner_admin')
export class CreateConsoleLinkPayload {
  @Field(() => String, {
    nullable: true,
    description: 'URL that signs the person in once, within 60 seconds; null on failure.',
  })
  url!: string | null;

  @Field(() => ConsoleSession, {
    nullable: true,
    description:
      'The session that the link opens, which can be revoked before the link is used; null on failure.',
  })
  consoleSession!: ConsoleSession | null;

  @Field(() => [UserError], { description: 'Why the mutation failed; empty on success.' })
  userErrors!: UserError[];
}

@ObjectType({ description: 'The revoked console session, or why the mutation failed.' })
@RequiresAllScopes('partner', 'partner_admin')
export class RevokeConsoleSessionPayload extends payloadType(
  'consoleSession',
  ConsoleSession,
  'The session; null on failure.',
) {}
