import { Field, ID, InputType, ObjectType } from 'type-graphql';
import { connectionType } from '../../graph/connection.ts';
import { JsonObjectScalar } from '../../graph/json-object.ts';
import { TimeRangeInput } from '../../graph/listing.ts';
import { RequiresScopes } from '../../graph/requires-scopes.ts';
import { DateTimeScalar } from '../../graph/scalars.ts';
import { textEnum } from '../../graph/text-enum.ts';
import type { ActState, OperatorSource } from '../../partners/operator-log/model.ts';
import { PartnerEnvironment } from '../graphql/partner.type.ts';

const OperatorLogSource = textEnum<OperatorSource>('OperatorLogSource', 'Where an operator acted.', {
  COMMAND: 'On the command line.',
  CONSOLE: 'In a session of the console.',
});

@ObjectType({
  description:
    "An act of one of the platform's operators, written in the transaction of the act. Entries have no secrets and no data of users and payers; they are never changed and never removed.",
})
@RequiresScopes('platform')
export class OperatorLogEntry {
  @Field(() => ID, { description: 'Id of the entry.' })
  id!: string;

  @Field(() => DateTimeScalar, { description: "When it was done, by the database's time." })
  createdAt!: Date;

  @Field(() => OperatorLogSource, { description: 'Where it was done.' })
  source!: OperatorSource;

  @Field(() => String, {
    description: 'Label of the session, which may be empty; of a command, the user of the operating system.',
  })
  actor!: string;

  @Field(() => ID, { nullable: true, description: 'Console session; null for a command.' })
  sessionId!: string | null;

  @Field(() => String, { nullable: true, description: 'Machine of the command; null in the console.' })
  host!: string | null;

  @Field(() => String, {
    description: 'The act, by the name of the admin command that does it, such as `remittances retry`.',
  })
  act!: string;

  @Field(() => ID, {
    nullable: true,
    description: 'Partner that it is about; null if it is about no single one.',
  })
  tenantId!: string | null;

  @Field(() => PartnerEnvironment, {
    nullable: true,
    description: 'Environment that it is about; null if it is about no single one.',
  })
  environment!: PartnerEnvironment | null;

  @Field(() => String, {
    nullable: true,
    description: 'Id of the record that was changed, such as a correlationId or the id of a key.',
  })
  subject!: string | null;

  @Field(() => String, { nullable: true, description: 'Reason that the operator gave; null if none.' })
  reason!: string | null;

  @Field(() => JsonObjectScalar, {
    nullable: true,
    description: 'State before the act, without secrets; null if nothing was there.',
  })
  before!: ActState | null;

  @Field(() => JsonObjectScalar, {
    nullable: true,
    description: 'State after the act, without secrets; null if nothing is there.',
  })
  after!: ActState | null;
}

@ObjectType({ description: 'A page of the operator log.' })
@RequiresScopes('platform')
export class OperatorLogConnection extends connectionType(OperatorLogEntry, 'OperatorLogEntry') {}

@InputType({ description: 'Entries of the operator log; an entry matches if all given conditions do.' })
export class OperatorLogWhereInput {
  @Field(() => ID, { nullable: true, description: 'Acts about this partner.' })
  tenantId?: string | null;

  @Field(() => String, { nullable: true, description: 'Acts of this name, such as `remittances fail`.' })
  act?: string | null;

  @Field(() => TimeRangeInput, { nullable: true, description: 'Acts in this range of times.' })
  createdAt?: TimeRangeInput | null;
}
