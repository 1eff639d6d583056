import { Field, ID, InputType, ObjectType, registerEnumType } from 'type-graphql';
import { RequiresAllScopes } from '../../platform/graphql/requires-scopes.ts';
import { DateTimeScalar } from '../../platform/graphql/scalars.ts';
import { UserError } from '../../platform/graphql/user-error.type.ts';

export enum ConsoleAccess {
  READ = 'READ',
  ADMIN = 'ADMIN',
}
registerEnumType(ConsoleAccess, {
  name: 'ConsoleAccess',
  description: 'What a person may do in a console session.',
  valuesConfig: {
    READ: { description: 'Run queries and subscriptions with the scope partner, and no mutations.' },
    ADMIN: { description: 'Run everything that the scopes partner and partner_admin allow.' },
  },
});

@ObjectType({ description: "A person's session in the console." })
@RequiresAllScopes('partner', 'partner_admin')
export class ConsoleSession {
  @Field(() => ID, { description: 'Its id, to revoke it by.' })
  id!: string;

  @Field(() => String, { description: 'Whom its link was made for; may be empty.' })
  label!: string;

  @Field(() => ConsoleAccess, { description: 'What it allows.' })
  access!: ConsoleAccess;

  @Field(() => ID, {
    nullable: true,
    description: 'The API key that made its link, and with which it ends; null: an operator made it.',
  })
  apiKeyId!: string | null;

  @Field(() => DateTimeScalar, { description: 'When its link was made.' })
  createdAt!: Date;

  @Field(() => DateTimeScalar, {
    nullable: true,
    description: 'When it was last used, to the minute; null: its link was not used.',
  })
  lastSeenAt!: Date | null;

  @Field(() => DateTimeScalar, {
    description: 'Its end at the latest; unused it ends earlier. Of a link that was not used: its end.',
  })
  endsAt!: Date;

  @Field(() => DateTimeScalar, { nullable: true, description: 'When it was revoked; null: it was not.' })
  revokedAt!: Date | null;

  @Field(() => Boolean, { description: 'Whether it is the session of this call.' })
  isCurrent!: boolean;
}

@InputType({ description: 'The session that a link to the console opens.' })
export class CreateConsoleLinkInput {
  @Field(() => ConsoleAccess, { description: 'What it allows.', defaultValue: ConsoleAccess.READ })
  access!: ConsoleAccess;

  @Field(() => String, {
    description: 'Whom it is for, at most 100 characters: shown in the list of sessions.',
    defaultValue: '',
  })
  label!: string;
}

@InputType({ description: 'The console session to revoke.' })
export class RevokeConsoleSessionInput {
  @Field(() => ID, { description: 'Its id.' })
  id!: string;
}

@ObjectType({ description: 'A link to the console, or why there is none.' })
@RequiresAllScopes('partner', 'partner_admin')
export class CreateConsoleLinkPayload {
  @Field(() => String, {
    nullable: true,
    description: 'Where to send the person, within 60 seconds; it signs in once. Null: none was made.',
  })
  url!: string | null;

  @Field(() => ConsoleSession, {
    nullable: true,
    description: 'The session that it opens; it can be revoked before. Null: none was made.',
  })
  consoleSession!: ConsoleSession | null;

  @Field(() => [UserError], { description: 'Why none was made; empty on success.' })
  userErrors!: UserError[];
}

@ObjectType({ description: 'The revoked console session, or why it was not revoked.' })
@RequiresAllScopes('partner', 'partner_admin')
export class RevokeConsoleSessionPayload {
  @Field(() => ConsoleSession, { nullable: true, description: 'The session; null: it was not revoked.' })
  consoleSession!: ConsoleSession | null;

  @Field(() => [UserError], { description: 'Why it was not revoked; empty on success.' })
  userErrors!: UserError[];
}
