import { Field, ID, InputType, Int, ObjectType, registerEnumType } from 'type-graphql';
import { TimeRangeInput } from '../../platform/graphql/listing.ts';
import { RequiresAllScopes, RequiresScopes } from '../../platform/graphql/requires-scopes.ts';
import { DateTimeScalar } from '../../platform/graphql/scalars.ts';
import { UserError } from '../../platform/graphql/user-error.type.ts';

export enum WebhookReplayState {
  RUNNING = 'RUNNING',
  DONE = 'DONE',
  STOPPED = 'STOPPED',
}
registerEnumType(WebhookReplayState, {
  name: 'WebhookReplayState',
  description: 'State of a replay of many webhooks.',
  valuesConfig: {
    RUNNING: { description: 'It runs in the background.' },
    DONE: { description: 'It reached its end or its limit.' },
    STOPPED: { description: 'It was stopped; webhooks that were sent again before stay so.' },
  },
});

export enum ReplayableWebhookStatus {
  DELIVERED = 'DELIVERED',
  DEAD_LETTERED = 'DEAD_LETTERED',
}
registerEnumType(ReplayableWebhookStatus, {
  name: 'ReplayableWebhookStatus',
  description: 'Statuses in which webhooks can be sent again.',
  valuesConfig: {
    DELIVERED: { description: 'The receiver answered with a 2xx status.' },
    DEAD_LETTERED: { description: 'It has no attempts left.' },
  },
});

@ObjectType({ description: 'A replay of many webhooks. Kept for 30 days after its end.' })
@RequiresScopes('partner')
export class WebhookReplay {
  @Field(() => ID, { description: 'Its id.' })
  id!: string;

  @Field(() => WebhookReplayState, { description: 'Its state.' })
  state!: WebhookReplayState;

  @Field(() => Int, {
    description: 'Number of webhooks that matched when the replay was created, at most the limit.',
  })
  found!: number;

  @Field(() => Int, { description: 'Webhooks sent again so far.' })
  replayed!: number;

  @Field(() => Int, {
    description: 'Webhooks that another call has sent again meanwhile, or that no longer exist.',
  })
  skipped!: number;

  @Field(() => Int, { description: 'Most webhooks to send again.' })
  limit!: number;

  @Field(() => DateTimeScalar, { description: 'When the replay was created.' })
  createdAt!: Date;

  @Field(() => DateTimeScalar, { nullable: true, description: 'When it ended.' })
  finishedAt!: Date | null;
}

@InputType({ description: 'Webhooks to send again; all given conditions must hold.' })
export class ReplayWebhookDeliveriesInput {
  @Field(() => [ReplayableWebhookStatus], {
    nullable: true,
    description: 'In one of these statuses; DEAD_LETTERED when absent.',
  })
  status?: ReplayableWebhookStatus[] | null;

  @Field(() => String, { nullable: true, description: 'Of this event.' })
  event?: string | null;

  @Field(() => ID, { nullable: true, description: 'To the present URL of this endpoint.' })
  endpointId?: string | null;

  @Field(() => TimeRangeInput, {
    nullable: true,
    description: 'Of events that happened in this span; never of later ones than the call.',
  })
  createdAt?: TimeRangeInput | null;

  @Field(() => Int, {
    nullable: true,
    description: 'At most this many, oldest first, 1 to 100000; 10000 when absent.',
  })
  limit?: number | null;

  @Field(() => Boolean, { nullable: true, description: 'Whether to count only, and to send nothing.' })
  dryRun?: boolean | null;
}

@InputType({ description: 'The replay to stop.' })
export class StopWebhookReplayInput {
  @Field(() => ID, { description: 'Its id.' })
  id!: string;
}

@ObjectType({ description: 'The replay, or why the mutation failed.' })
@RequiresAllScopes('partner', 'partner_admin')
export class WebhookReplayPayload {
  @Field(() => WebhookReplay, {
    nullable: true,
    description: 'The replay; null on failure, and when webhooks were only counted.',
  })
  webhookReplay!: WebhookReplay | null;

  @Field(() => Int, {
    nullable: true,
    description: 'Number of webhooks that match, at most the limit; null on failure.',
  })
  found!: number | null;

  @Field(() => [UserError], { description: 'Why the mutation failed; empty on success.' })
  userErrors!: UserError[];
}
