import { Field, Float, ID, Int, ObjectType } from 'type-graphql';
import { RequiresScopes } from '../../graph/requires-scopes.ts';
import { DateTimeScalar, DecimalScalar } from '../../graph/scalars.ts';
import { textEnum } from '../../graph/text-enum.ts';
import type { SettingSource } from '../../kernel/config/in-force.ts';
import type { LeaseView } from './index.ts';

@ObjectType({
  description: 'A queue of work, over all processes. Ages are 0 if nothing waits.',
})
@RequiresScopes('platform')
export class PlatformQueue {
  @Field(() => String, {
    description:
      'Name: `webhooks`; `webhooks.replay` for webhooks that bulk replays have yet to send again; or `pipeline.` and a phase of remittances.',
  })
  name!: string;

  @Field(() => Int, {
    description: 'Number of items that are not done. Counting of webhooks stops at 100,000.',
  })
  waiting!: number;

  @Field(() => Int, {
    nullable: true,
    description: 'Number of these items that are due now; null if the queue does not count them.',
  })
  due!: number | null;

  @Field(() => Int, {
    nullable: true,
    description: 'Number of these items that a process is working on; null if the queue does not count them.',
  })
  leased!: number | null;

  @Field(() => Int, {
    nullable: true,
    description:
      'Number of these items that are due later, including webhooks that are kept for a paused or failing endpoint; null if the queue does not count them.',
  })
  later!: number | null;

  @Field(() => Int, {
    nullable: true,
    description:
      'Number of these items that have been in their phase for over 30 seconds; null if the queue has no phases.',
  })
  stuck!: number | null;

  @Field(() => Float, { description: 'Age of the oldest item, in seconds.' })
  oldestSeconds!: number;

  @Field(() => Float, {
    nullable: true,
    description:
      'How long the longest overdue item has been due, in seconds; null if the queue does not measure it.',
  })
  overdueSeconds!: number | null;
}

@ObjectType({ description: 'Waiting work of a queue at one time.' })
@RequiresScopes('platform')
class PlatformQueueSample {
  @Field(() => String, { description: 'Name of the queue.' })
  name!: string;

  @Field(() => Int, { description: 'Number of items that were not done.' })
  waiting!: number;

  @Field(() => Float, {
    nullable: true,
    description:
      'How long the longest overdue item had been due, in seconds; null if the queue does not measure it.',
  })
  overdueSeconds!: number | null;
}

@ObjectType({ description: 'Queues and event log at one time.' })
@RequiresScopes('platform')
export class PlatformSample {
  @Field(() => DateTimeScalar, { description: 'The time.' })
  at!: Date;

  @Field(() => Int, { description: 'Number of events that were not numbered yet; counting stops at 10,000.' })
  unnumbered!: number;

  @Field(() => Float, {
    description: 'Age of the oldest event without a number, in milliseconds; 0 if there was none.',
  })
  lagMs!: number;

  @Field(() => [PlatformQueueSample], { description: 'The queues.' })
  queues!: readonly PlatformQueueSample[];
}

@ObjectType({ description: 'A recurring job. One process runs it each time.' })
@RequiresScopes('platform')
export class PlatformJob {
  @Field(() => String, { description: 'Name, such as retention.' })
  name!: string;

  @Field(() => Float, { nullable: true, description: 'Interval in seconds; null if it has none.' })
  everySeconds!: number | null;

  @Field(() => DateTimeScalar, { nullable: true, description: 'When it last started; null if never.' })
  lastRunAt!: Date | null;

  @Field(() => DateTimeScalar, {
    nullable: true,
    description: 'When it is due to start next; null if it is not scheduled.',
  })
  nextRunAt!: Date | null;

  @Field(() => Float, { description: 'How late it is to start, in seconds; 0 if it is on time.' })
  overdueSeconds!: number;
}

const PlatformLeaseState = textEnum<LeaseView['state']>(
  'PlatformLeaseState',
  'Whether a process holds a lease.',
  {
    HELD: 'A process holds it.',
    LAPSED: 'Its holder neither renewed nor released it in time, and no other process has taken it.',
    FREE: 'Its holder released it.',
  },
);

@ObjectType({
  description: 'The right to do something that one process at a time may do, such as numbering events.',
})
@RequiresScopes('platform')
export class PlatformLease {
  @Field(() => String, { description: 'Name of the lease.' })
  name!: string;

  @Field(() => Int, {
    description: 'Number of times that the lease was taken; it grows when another process takes over.',
  })
  term!: number;

  @Field(() => PlatformLeaseState, { description: 'Whether a process holds the lease.' })
  state!: LeaseView['state'];

  @Field(() => DateTimeScalar, {
    nullable: true,
    description: 'When it expires unless it is renewed; null if it was released.',
  })
  until!: Date | null;
}

@ObjectType({
  description:
    'State of the event log. An event reaches subscribers once the process that numbers its partition has numbered it.',
})
@RequiresScopes('platform')
export class PlatformEvents {
  @Field(() => DecimalScalar, {
    description: 'Number of events that have been numbered since the log began.',
  })
  numbered!: string;

  @Field(() => DateTimeScalar, {
    nullable: true,
    description: 'When the last event was numbered; null before the first.',
  })
  lastNumberedAt!: Date | null;

  @Field(() => Int, { description: 'Number of events that are not numbered yet; counting stops at 10,000.' })
  unnumbered!: number;

  @Field(() => DateTimeScalar, {
    nullable: true,
    description: 'When the oldest event without a number happened; null if there is none.',
  })
  oldestUnnumberedAt!: Date | null;

  @Field(() => Float, {
    description: 'Age of the oldest event without a number, in milliseconds; 0 if there is none.',
  })
  lagMs!: number;

  @Field(() => Int, { description: 'Number of partitions of the log. Each has the events of some accounts.' })
  partitions!: number;

  @Field(() => Int, {
    description:
      'Number of partitions that no process numbers at present; 0 except within seconds of a start or a failure.',
  })
  partitionsWithoutProcess!: number;
}

const PlatformSettingSource = textEnum<SettingSource>(
  'PlatformSettingSource',
  'Source of the value of a setting.',
  {
    GIVEN: 'The environment of the process.',
    DEFAULT: 'The default of the product, or no value.',
    GENERATED: 'A secret that the product generated because none was given; never in production.',
  },
);

@ObjectType({ description: 'A setting and the value that a process uses.' })
@RequiresScopes('platform')
class PlatformSetting {
  @Field(() => String, { description: 'Name of the environment variable.' })
  name!: string;

  @Field(() => String, {
    nullable: true,
    description:
      'Value; lists are separated by commas, and URLs are shown without user information and query. Null if the setting is unset or a secret.',
  })
  value!: string | null;

  @Field(() => PlatformSettingSource, { description: 'Source of the value.' })
  source!: SettingSource;

  @Field(() => Boolean, { description: 'Whether the setting is a secret, whose value is never shown.' })
  isSecret!: boolean;
}

@ObjectType({ description: 'A running process of the product, as it reports itself.' })
@RequiresScopes('platform')
export class PlatformProcess {
  @Field(() => ID, { description: 'Id of the process, new at each start.' })
  id!: string;

  @Field(() => String, { description: 'Value of ROLE: the part of the product that the process runs.' })
  role!: string;

  @Field(() => String, { description: 'Version of the product.' })
  version!: string;

  @Field(() => String, { description: 'Host name of its machine.' })
  host!: string;

  @Field(() => Int, { description: 'Process id on its machine.' })
  pid!: number;

  @Field(() => DateTimeScalar, { description: 'When it started.' })
  startedAt!: Date;

  @Field(() => DateTimeScalar, {
    description: 'When it last reported. It reports about every 30 seconds.',
  })
  seenAt!: Date;

  @Field(() => Boolean, {
    description:
      'Whether it has not reported for over 90 seconds, because it was killed or suspended or cannot reach the database. A killed process stays in the list for five minutes.',
  })
  isSilent!: boolean;

  @Field(() => [PlatformSetting], {
    description: 'All settings of the process, in the order of their documentation.',
  })
  settings!: PlatformSetting[];
}

@ObjectType({
  description: 'The platform, as its operators see it: all partners, and the processes with their work.',
})
@RequiresScopes('platform')
export class Platform {
  @Field(() => DateTimeScalar, { description: 'Current time of the service, to which ages refer.' })
  now!: Date;
}
