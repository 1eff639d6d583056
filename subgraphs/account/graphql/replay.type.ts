import { Field, ID, InputType, Int, ObjectType, registerEnumType } from 'type-graphql';
import { TimeRangeInput } from '../../graph/listing.ts';
import { RequiresAllScopes, RequiresScopes } from '../../graph/requires-scopes.ts';
import { DateTimeScalar } from '../../graph/scalars.ts';
import { UserError } from '../../graph/user-error.type.ts';
import { Approval, PENDING_APPROVAL } from './approval.type.ts';

export enum WebhookReplayState {
  RUNNING = 'RUNNING',
  DONE = 'DONE',
  STOPPED = 'STOPPED',
}
registerEnumType(WebhookReplayState, {
  name: 'WebhookReplayState',
  description: 'State of a bulk replay.',
  valuesConfig: {
    RUNNING: { description: 'The replay is running in the background.' },
    DONE: { description: 'The replay is complete or reached its limit.' },
    STOPPED: {
      description:
        'The replay was stopped, or the endpoint whose current URL it sends to has no URL any more. Webhooks that it had already sent again are not affected.',
    },
  },
});

enum ReplayableWebhookStatus {
  DELIVERED = 'DELIVERED',
  DEAD_LETTERED = 'DEAD_LETTERED',
  PENDING = 'PENDING',
}
registerEnumType(ReplayableWebhookStatus, {
  name: 'ReplayableWebhookStatus',
  description: 'Status in which a webhook can be sent again.',
  valuesConfig: {
    DELIVERED: { description: 'The receiver answered with a 2xx status.' },
    DEAD_LETTERED: { description: 'All attempts failed, or its endpoint was deleted.' },
    PENDING: {
      description:
        'It waits for its next attempt at a former URL of its endpoint. Valid only with toCurrentUrl.',
    },
  },
});

@ObjectType({
  description: 'A bulk replay, which sends many webhooks again. It is kept for 30 days after its end.',
})
@RequiresScopes('partner')
export class WebhookReplay {
  @Field(() => ID, { description: 'Id of the replay.' })
  id!: string;

  @Field(() => WebhookReplayState, { description: 'State of the replay.' })
  state!: WebhookReplayState;

  @Field(() => Int, {
    description: 'Number of webhooks that matched when the replay was created, up to the limit.',
  })
  found!: number;

  @Field(() => Int, { description: 'Number of webhooks that it has sent again so far.' })
  replayed!: number;

  @Field(() => Int, {
    description:
      'Number of webhooks that it skipped, because another call sent them again meanwhile, an attempt was running, or they no longer exist.',
  })
  skipped!: number;

  @Field(() => Int, { description: 'Maximum number of webhooks to send again.' })
  limit!: number;

  @Field(() => DateTimeScalar, { description: 'When the replay was created.' })
  createdAt!: Date;

  @Field(() => DateTimeScalar, { nullable: true, description: 'When it ended; null while it runs.' })
  finishedAt!: Date | null;
}

@InputType({ description: 'Webhooks to send again. A webhook must match all given conditions.' })
export class ReplayWebhookDeliveriesInput {
  @Field(() => [ReplayableWebhookStatus], {
    nullable: true,
    description:
      'Only webhooks in one of these statuses; when absent, DEAD_LETTERED, and with toCurrentUrl also PENDING.',
  })
  status?: ReplayableWebhookStatus[] | null;

  @Field(() => String, { nullable: true, description: 'Only webhooks of this event.' })
  event?: string | null;

  @Field(() => ID, {
    nullable: true,
    description:
      'Only webhooks to the current URL of this endpoint; with toCurrentUrl, webhooks of this endpoint to its former URLs.',
  })
  endpointId?: string | null;

  @Field(() => Boolean, {
    nullable: true,
    description:
      'Whether to send webhooks that were made for a former URL of the endpoint to its current URL, such as after a mistyped URL was corrected; false when absent. Requires endpointId. Each is signed with the current secrets, and its former URL is kept in `formerUrls`.',
  })
  toCurrentUrl?: boolean | null;

  @Field(() => TimeRangeInput, {
    nullable: true,
    description: 'Only webhooks of events in this time range. Events after the call are never included.',
  })
  createdAt?: TimeRangeInput | null;

  @Field(() => Int, {
    nullable: true,
    description: 'Maximum number of webhooks, oldest first, 1 to 100,000; 10,000 when absent.',
  })
  limit?: number | null;

  @Field(() => Boolean, {
    nullable: true,
    description: 'Whether to only count the matching webhooks, without sending them; false when absent.',
  })
  dryRun?: boolean | null;
}

@InputType({ description: 'The replay to stop.' })
export class StopWebhookReplayInput {
  @Field(() => ID, { description: 'Id of the replay.' })
  id!: string;
}

@ObjectType({ description: 'The replay, or why the mutation failed.' })
@RequiresAllScopes('partner', 'partner_webhooks')
export class WebhookReplayPayload {
  @Field(() => WebhookReplay, {
    nullable: true,
    description: 'The replay; null on failure, for a dry run, and while an approval is pending.',
  })
  webhookReplay!: WebhookReplay | null;

  @Field(() => Int, {
    nullable: true,
    description:
      'Number of webhooks that match, up to the limit; null on failure, and while an approval is pending.',
  })
  found!: number | null;

  @Field(() => Approval, PENDING_APPROVAL)
  pendingApproval?: Approval | null;

  @Field(() => [UserError], { description: 'Why the mutation failed; empty on success.' })
  userErrors!: UserError[];
}
