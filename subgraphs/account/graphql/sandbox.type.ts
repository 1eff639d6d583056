import { Field, ID, InputType, Int, ObjectType, registerEnumType } from 'type-graphql';
import { RequiresAllScopes, RequiresScopes } from '../../graph/requires-scopes.ts';
import { DateTimeScalar } from '../../graph/scalars.ts';
import { payloadType } from '../../graph/user-error.type.ts';

export enum SandboxResetState {
  RUNNING = 'RUNNING',
  DONE = 'DONE',
}
registerEnumType(SandboxResetState, {
  name: 'SandboxResetState',
  description: 'State of a reset of the sandbox.',
  valuesConfig: {
    RUNNING: {
      description: 'Records are being removed. Records that are created meanwhile may be removed, too.',
    },
    DONE: { description: 'All records that existed at the start are removed, and the clock is set back.' },
  },
});

@ObjectType({ description: "A reset, which removes the records of the partner's sandbox." })
@RequiresScopes('partner')
class SandboxReset {
  @Field(() => ID, { description: 'Id of the reset.' })
  id!: string;

  @Field(() => SandboxResetState, { description: 'State of the reset.' })
  state!: SandboxResetState;

  @Field(() => Int, { description: 'Number of records when the reset was started.' })
  found!: number;

  @Field(() => Int, {
    description: 'Number of records removed so far, with those that were created after the start.',
  })
  removed!: number;

  @Field(() => DateTimeScalar, { description: 'When the reset was started, in real time.' })
  startedAt!: Date;

  @Field(() => DateTimeScalar, {
    nullable: true,
    description: 'When the reset ended, in real time; null while it runs.',
  })
  finishedAt!: Date | null;
}

@ObjectType({ description: "The partner's sandbox." })
@RequiresScopes('partner')
export class Sandbox {
  @Field(() => Int, {
    description: 'How far the clock of the sandbox is ahead of the real time, in seconds: 0 to 5,184,000.',
  })
  clockAheadSeconds!: number;

  @Field(() => DateTimeScalar, {
    description: 'Time of the sandbox, which timestamps and expiry of its records follow.',
  })
  now!: Date;

  @Field(() => SandboxReset, {
    nullable: true,
    description: 'The last reset; null if the sandbox was never reset.',
  })
  reset!: SandboxReset | null;
}

@InputType({ description: 'How far to set the clock of the sandbox ahead.' })
export class AdvanceSandboxClockInput {
  @Field(() => Int, {
    description:
      'Seconds to add, at least 1. In total, the clock can be at most 5,184,000 seconds (60 days) ahead.',
  })
  seconds!: number;
}

@ObjectType({ description: 'The sandbox after the change, or why the mutation failed.' })
@RequiresAllScopes('partner', 'partner_admin')
export class SandboxPayload extends payloadType(
  'sandbox',
  Sandbox,
  'The sandbox as it is now; null on failure.',
) {}
