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
  description: 'How a replay of many webhooks stands.',
  valuesConfig: {
    RUNNING: { description: 'It goes on in the background.' },
    DONE: { description: 'It came to its end or to its limit.' },
    STOPPED: { description: 'It was stopped; what is sent again already stays so.' },
  },
});

export enum ReplayableWebhookStatus {
  DELIVERED = 'DELIVERED',
  DEAD_LETTERED = 'DEAD_LETTERED',
}
registerEnumType(ReplayableWebhookStatus, {
  name: 'ReplayableWebhookStatus',
  description: 'Statuses of webhooks that can be sent again.',
  valuesConfig: {
    DELIVERED: { description: 'The receiver answered with a 2xx status.' },
    DEAD_LETTERED: { description: 'Its attempts are used up.' },
  },
});

@ObjectType({ description: 'Many webhooks that are being sent again. Kept for 30 days after its end.' })
@RequiresScopes('partner')
export class WebhookReplay {
  @Field(() => ID, { description: 'Its id.' })
  id!: string;

  @Field(() => WebhookReplayState, { description: 'How it stands.' })
  state!: WebhookReplayState;

  @Field(() => Int, { description: 'Webhooks that matched when the replay was created, the limit at most.' })
  found!: number;

  @Field(() => Int, { description: 'Webhooks that are sent again so far.' })
  replayed!: number;

  @Field(() => Int, {
    description: 'Webhooks that somebody else had sent again, or that were gone, meanwhile.',
  })
  skipped!: number;

  @Field(() => Int, { description: 'Webhooks that are sent again at most.' })
  limit!: number;

  @Field(() => DateTimeScalar, { description: 'When the replay was created.' })
  createdAt!: Date;

  @Field(() => DateTimeScalar, { nullable: true, description: 'When it ended.' })
  finishedAt!: Date | null;
}

@InputType({ description: 'Which webhooks to send again; all that is given must hold.' })
export class ReplayWebhookDeliveriesInput {
  @Field(() => [ReplayableWebhookStatus], {
    nullable: true,
    description: 'In one of these statuses; those that are dead-lettered when absent.',
  })
  status?: ReplayableWebhookStatus[] | null;

  @Field(() => String, { nullable: true, description: 'Of this event.' })
  event?: string | null;

  @Field(() => ID, { nullable: true, description: 'To the URL that this endpoint has now.' })
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

@ObjectType({ description: 'The replay, or why there is none.' })
@RequiresAllScopes('partner', 'partner_admin')
export class WebhookReplayPayload {
  @Field(() => WebhookReplay, {
    nullable: true,
    description: 'The replay; null on failure, and when webhooks were only counted.',
  })
  webhookReplay!: WebhookReplay | null;

  @Field(() => Int, {
    nullable: true,
    description: 'Webhooks that match, the limit at most; null on failure.',
  })
  found!: number | null;

  @Field(() => [UserError], { description: 'Why the mutation failed; empty on success.' })
  userErrors!: UserError[];
}
