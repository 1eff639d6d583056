import { ArgsType, Field, ID, InputType, Int, ObjectType } from 'type-graphql';
import { connectionType } from '../../graph/connection.ts';
import { RequiresScopes } from '../../graph/requires-scopes.ts';
import { DateTimeScalar } from '../../graph/scalars.ts';
import { textEnum } from '../../graph/text-enum.ts';
import { UserError } from '../../graph/user-error.type.ts';
import { PartnerEnvironment } from '../graphql/partner.type.ts';
import type { OperatorList } from './remittances.ts';

const PlatformRemittanceList = textEnum<OperatorList>(
  'PlatformRemittanceList',
  'A list of remittances that need an operator.',
  {
    STUCK: 'In progress, and in their phase for over 30 seconds.',
    WITHDRAWAL_UNKNOWN:
      'The payer may have been asked, and the withdrawal of the request ended without an answer.',
  },
);

@ObjectType({ description: 'A remittance as operators see it, without data of its user and payer.' })
@RequiresScopes('platform')
export class PlatformRemittance {
  @Field(() => ID, { description: 'Id of the remittance, for operators only.' })
  id!: string;

  @Field(() => ID, { description: 'Id of the partner.' })
  tenantId!: string;

  @Field(() => PartnerEnvironment, { description: 'Environment of the partner.' })
  environment!: PartnerEnvironment;

  @Field(() => ID, { description: "The partner's id of the request." })
  correlationId!: string;

  @Field(() => String, { description: 'Status of the remittance, one of RemittanceStatus.' })
  status!: string;

  @Field(() => String, { description: 'Phase that it is in, or ended in; one of RemittancePhase.' })
  phase!: string;

  @Field(() => DateTimeScalar, { description: 'When it entered this phase.' })
  phaseSince!: Date;

  @Field(() => Int, { description: 'Number of failed attempts of this phase since it began or was retried.' })
  attempts!: number;

  @Field(() => DateTimeScalar, {
    nullable: true,
    description:
      'When the next attempt is due, or the lease of the current one ends; null if none is planned.',
  })
  nextAttemptAt!: Date | null;

  @Field(() => String, { nullable: true, description: 'Code of the last error; null if there is none.' })
  lastErrorCode!: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'Text of the last error; null if there is none, or if it may be the text of a provider.',
  })
  lastErrorMessage!: string | null;

  @Field(() => DateTimeScalar, { nullable: true, description: 'When the last error occurred; null if none.' })
  lastErrorAt!: Date | null;

  @Field(() => Boolean, { description: 'Whether the payer may have been asked for the money.' })
  payerMayHaveBeenAsked!: boolean;

  @Field(() => String, {
    nullable: true,
    description:
      'Status of the withdrawal of the request from its payer, one of WithdrawalStatus; null if there is none.',
  })
  withdrawalStatus!: string | null;

  @Field(() => DateTimeScalar, { description: 'When the call was accepted.' })
  createdAt!: Date;

  @Field(() => DateTimeScalar, { description: 'When it last changed.' })
  updatedAt!: Date;

  @Field(() => String, {
    nullable: true,
    description: 'Why retryRemittance would fail now, for people; null if it is possible.',
  })
  whyNotRetry!: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'Why failRemittance would fail now, for people; null if it is possible.',
  })
  whyNotFail!: string | null;
}

@ObjectType({ description: 'A page of remittances that need an operator.' })
@RequiresScopes('platform')
export class PlatformRemittanceConnection extends connectionType(PlatformRemittance, 'PlatformRemittance') {}

@ArgsType()
export class PlatformRemittanceArgs {
  @Field(() => PlatformRemittanceList, { description: 'List to read.', defaultValue: 'STUCK' })
  list!: OperatorList;

  @Field(() => ID, { nullable: true, description: 'Only remittances of this partner.' })
  tenantId?: string | null;

  @Field(() => Int, { nullable: true, description: 'Maximum number of results, 1 to 100; 20 when absent.' })
  first?: number | null;

  @Field(() => String, { nullable: true, description: 'Only remittances after this cursor.' })
  after?: string | null;
}

@InputType({ description: 'A remittance to retry.' })
export class RetryRemittanceInput {
  @Field(() => ID, { description: 'Id of the remittance, as in PlatformRemittance.' })
  id!: string;

  @Field(() => String, {
    nullable: true,
    description: 'Why, at most 500 characters; the operator log keeps it.',
  })
  reason?: string | null;
}

@InputType({ description: 'A remittance to end.' })
export class FailRemittanceInput {
  @Field(() => ID, { description: 'Id of the remittance, as in PlatformRemittance.' })
  id!: string;

  @Field(() => String, {
    description: 'Why, 1 to 500 characters; the operator log keeps it, and partners do not see it.',
  })
  reason!: string;
}

@ObjectType({ description: "Result of an operator's act on a remittance." })
@RequiresScopes('platform')
export class PlatformRemittancePayload {
  @Field(() => PlatformRemittance, {
    nullable: true,
    description: 'The remittance after the act; null if it failed.',
  })
  remittance!: PlatformRemittance | null;

  @Field(() => [UserError], { description: 'Why it failed; empty if it succeeded.' })
  userErrors!: UserError[];
}
