import { Field, ID, InputType, Int, ObjectType, registerEnumType } from 'type-graphql';
import { RequiresAllScopes } from '../../graph/requires-scopes.ts';
import { DateTimeScalar } from '../../graph/scalars.ts';
import { payloadType, UserError } from '../../graph/user-error.type.ts';

export enum ConsoleAccess {
  READ = 'READ',
  SUPPORT = 'SUPPORT',
  OPERATE = 'OPERATE',
  ADMIN = 'ADMIN',
}
registerEnumType(ConsoleAccess, {
  name: 'ConsoleAccess',
  description: 'Access of a console session.',
  valuesConfig: {
    READ: {
      description: 'The role viewer: queries and subscriptions without contact data, but no mutations.',
    },
    SUPPORT: {
      description:
        'The role support: also reads contact data, and sends webhooks again or before they are due.',
    },
    OPERATE: {
      description:
        'The role operator: also runs the mutations of the scope `partner`, such as blocking users, and manages webhook endpoints.',
    },
    ADMIN: {
      description:
        'The role admin: everything that the scopes `partner` and `partner_admin` allow, except the mutations that only API keys can run.',
    },
  },
});

@ObjectType({ description: 'A session of a person in the console.' })
@RequiresAllScopes('partner', 'partner_admin')
export class ConsoleSession {
  @Field(() => ID, { description: 'Id with which it can be revoked.' })
  id!: string;

  @Field(() => String, {
    description: 'Label of the person: from the link, or from the account of the company; may be empty.',
  })
  label!: string;

  @Field(() => ConsoleAccess, { description: 'Access that it gives.' })
  access!: ConsoleAccess;

  @Field(() => ID, {
    nullable: true,
    description:
      'Id of the API key that created its link; the session ends when this key ends. Null if an operator created the link, or if the person signed in with an account of the company.',
  })
  apiKeyId!: string | null;

  @Field(() => String, {
    nullable: true,
    description:
      'OpenID Connect provider by which the person signed in, which can end the session; null if a link opened it.',
  })
  issuer!: string | null;

  @Field(() => DateTimeScalar, { description: 'When its link was created, or the person signed in.' })
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

  @Field(() => Int, {
    nullable: true,
    description: 'Minutes until the link expires, 1 to 1440; 1 when absent. It works once.',
  })
  expiresInMinutes?: number | null;
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
    description: 'URL that signs the person in, once and before it expires; null on failure.',
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
