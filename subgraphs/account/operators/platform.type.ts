import { Field, Float, ID, Int, ObjectType } from 'type-graphql';
import type { SettingSource } from '../../platform/config/in-force.ts';
import { RequiresScopes } from '../../platform/graphql/requires-scopes.ts';
import { DateTimeScalar, DecimalScalar } from '../../platform/graphql/scalars.ts';
import { textEnum } from '../../platform/graphql/text-enum.ts';
import type { LeaseView } from '../../platform/operators/index.ts';

@ObjectType({
  description: 'Work of all processes that waits in a queue. Seconds are 0 where nothing waits.',
})
@RequiresScopes('platform')
export class PlatformQueue {
  @Field(() => String, {
    description:
      'Its name: webhooks; webhooks.replay, those that running replays of many are still to send again; pipeline. and the phase of remittances.',
  })
  name!: string;

  @Field(() => Int, { description: 'Everything that is to be done; webhooks are counted up to 100,000.' })
  waiting!: number;

  @Field(() => Int, { nullable: true, description: 'Of it, to be done now; null: the queue does not tell.' })
  due!: number | null;

  @Field(() => Int, {
    nullable: true,
    description: 'Of it, being done by a process; null: the queue does not tell.',
  })
  leased!: number | null;

  @Field(() => Int, {
    nullable: true,
    description: 'Of it, to be done later; null: the queue does not tell.',
  })
  later!: number | null;

  @Field(() => Int, {
    nullable: true,
    description: 'Of it, in its phase for over 30 seconds; null: it has no phases.',
  })
  stuck!: number | null;

  @Field(() => Float, { description: 'For how many seconds the oldest of it has waited.' })
  oldestSeconds!: number;

  @Field(() => Float, {
    nullable: true,
    description: 'For how many seconds the longest due of it has been due; null: the queue does not tell.',
  })
  overdueSeconds!: number | null;
}

@ObjectType({ description: 'Work that is done again and again, each time by one process.' })
@RequiresScopes('platform')
export class PlatformJob {
  @Field(() => String, { description: 'Its name, such as retention.' })
  name!: string;

  @Field(() => Float, { nullable: true, description: 'Its interval in seconds; null: it has none.' })
  everySeconds!: number | null;

  @Field(() => DateTimeScalar, { nullable: true, description: 'When it last began; null: never.' })
  lastRunAt!: Date | null;

  @Field(() => DateTimeScalar, { nullable: true, description: 'When it is to begin next; null: never.' })
  nextRunAt!: Date | null;

  @Field(() => Float, { description: 'For how many seconds it should have begun; 0 in time.' })
  overdueSeconds!: number;
}

export const PlatformLeaseState = textEnum<LeaseView['state']>(
  'PlatformLeaseState',
  'Whether a process has a lease.',
  {
    HELD: 'A process has it.',
    LAPSED: 'Its holder has neither renewed it in time nor given it back, and nobody else has taken it.',
    FREE: 'It was given back.',
  },
);

@ObjectType({ description: 'The right of one process at a time to do something, such as to number events.' })
@RequiresScopes('platform')
export class PlatformLease {
  @Field(() => String, { description: 'Its name.' })
  name!: string;

  @Field(() => Int, { description: 'How often it was taken. It grows when another process takes over.' })
  term!: number;

  @Field(() => PlatformLeaseState, { description: 'Whether a process has it.' })
  state!: LeaseView['state'];

  @Field(() => DateTimeScalar, {
    nullable: true,
    description: 'Its end unless it is renewed; null: it was given back.',
  })
  until!: Date | null;
}

@ObjectType({
  description:
    'Where the event log stands. Subscribers and cursors see an event once a process, the sequencer, has given it a number.',
})
@RequiresScopes('platform')
export class PlatformEvents {
  @Field(() => DecimalScalar, { description: 'The last number given; 0 before the first.' })
  lastPosition!: string;

  @Field(() => DateTimeScalar, {
    nullable: true,
    description: 'When it was given; null before the first, and while a former version gives them.',
  })
  lastNumberedAt!: Date | null;

  @Field(() => Int, { description: 'Events without a number yet, counted up to 10,000.' })
  unnumbered!: number;

  @Field(() => DateTimeScalar, {
    nullable: true,
    description: 'When the oldest of them happened; null without any.',
  })
  oldestUnnumberedAt!: Date | null;

  @Field(() => Float, { description: 'Age of the oldest of them in milliseconds; 0 without any.' })
  lagMs!: number;
}

export const PlatformSettingSource = textEnum<SettingSource>(
  'PlatformSettingSource',
  'Where the value of a setting is from.',
  {
    GIVEN: 'The environment of the process.',
    DEFAULT: 'The product: its own value, or none.',
    GENERATED: 'The product made this secret, as nobody gave it; never in production.',
  },
);

@ObjectType({ description: 'A setting as it is in force in a process.' })
@RequiresScopes('platform')
export class PlatformSetting {
  @Field(() => String, { description: 'The name of its environment variable.' })
  name!: string;

  @Field(() => String, {
    nullable: true,
    description:
      'Its value; lists have commas. Addresses are without user information and query. Null: it is unset, or a secret.',
  })
  value!: string | null;

  @Field(() => PlatformSettingSource, { description: 'Where it is from.' })
  source!: SettingSource;

  @Field(() => Boolean, { description: 'Whether it is a secret: then only its source is told.' })
  isSecret!: boolean;
}

@ObjectType({ description: 'A process of the product that runs, as it says itself.' })
@RequiresScopes('platform')
export class PlatformProcess {
  @Field(() => ID, { description: 'Its id, new at each start.' })
  id!: string;

  @Field(() => String, { description: 'What runs in it: its ROLE.' })
  role!: string;

  @Field(() => String, { description: 'The version of the product.' })
  version!: string;

  @Field(() => String, { description: 'The name of its machine.' })
  host!: string;

  @Field(() => Int, { description: 'Its id on its machine.' })
  pid!: number;

  @Field(() => DateTimeScalar, { description: 'When it started.' })
  startedAt!: Date;

  @Field(() => DateTimeScalar, {
    description: 'When it last said that it runs; it does so about every 30 seconds.',
  })
  seenAt!: Date;

  @Field(() => Boolean, {
    description:
      'Whether it has been silent for over 90 seconds: killed, suspended, or without the database. A killed process is listed for five minutes.',
  })
  isSilent!: boolean;

  @Field(() => [PlatformSetting], { description: 'All its settings, in the order of their documentation.' })
  settings!: PlatformSetting[];
}

@ObjectType({
  description: 'The platform as its operators see it: all partners, and the processes with their work.',
})
@RequiresScopes('platform')
export class Platform {
  @Field(() => DateTimeScalar, { description: 'The time of this service, to which ages refer.' })
  now!: Date;
}
