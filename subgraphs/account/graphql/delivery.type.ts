import { Directive, Field, ID, InputType, Int, ObjectType, registerEnumType } from 'type-graphql';
import { connectionType } from '../../graph/connection.ts';
import { RequiresAllScopes, RequiresScopes } from '../../graph/requires-scopes.ts';
import { DateTimeScalar } from '../../graph/scalars.ts';
import { payloadType } from '../../graph/user-error.type.ts';
import { maskHeaders } from '../../webhooks/masked-headers.ts';
import type { Attempt, Delivery } from '../../webhooks/present.ts';

export enum WebhookDeliveryStatus {
  PENDING = 'PENDING',
  DELIVERED = 'DELIVERED',
  DEAD_LETTERED = 'DEAD_LETTERED',
  PAUSED = 'PAUSED',
}
registerEnumType(WebhookDeliveryStatus, {
  name: 'WebhookDeliveryStatus',
  description: 'Status of a webhook.',
  valuesConfig: {
    PENDING: {
      description:
        'The webhook waits for its next attempt, or an attempt is running, and its endpoint is not paused.',
    },
    DELIVERED: { description: 'The receiver answered with a 2xx status.' },
    DEAD_LETTERED: {
      description:
        'All attempts failed, or its endpoint was deleted. It can be sent again with replayWebhookDelivery.',
    },
    PAUSED: {
      description:
        'The webhook waits until its endpoint is resumed. webhookDeliveryChanged has no event for this status: pausing and resuming change the endpoint.',
    },
  },
});

@ObjectType({
  description:
    'Durations of the parts of an attempt, in milliseconds. A part is null if it was not needed or did not finish.',
})
class WebhookAttemptTiming {
  @Field(() => Boolean, {
    description:
      'Whether an open connection was reused, which needs neither name resolution nor a new connection.',
  })
  reused!: boolean;

  @Field(() => Int, {
    nullable: true,
    description: 'Name resolution; null if the URL has an IP address.',
  })
  dnsMs!: number | null;

  @Field(() => Int, { nullable: true, description: 'Opening the TCP connection.' })
  connectMs!: number | null;

  @Field(() => Int, { nullable: true, description: 'The TLS handshake.' })
  tlsMs!: number | null;

  @Field(() => Int, {
    nullable: true,
    description: 'From the open connection to the first byte of the answer.',
  })
  firstByteMs!: number | null;
}

@ObjectType({
  description:
    'An attempt to deliver a webhook. Attempts are kept for 30 days, unless the operator changes WEBHOOK_RETENTION_DAYS.',
})
export class WebhookAttempt {
  @Field(() => Int, {
    description: 'Number of the attempt; the first is 1. Attempts after a replay continue the count.',
  })
  number!: number;

  @Field(() => DateTimeScalar, { description: 'When it started.' })
  at!: Date;

  @Field(() => Int, { description: 'Duration in milliseconds.' })
  ms!: number;

  @Field(() => Int, {
    nullable: true,
    description: "HTTP status of the receiver's answer; null without an answer.",
  })
  statusCode!: number | null;

  @Field(() => String, {
    nullable: true,
    description: 'Why it failed, such as http_status, timeout, tls or network; null if it succeeded.',
  })
  errorClass!: string | null;

  /** Not a field: the webhook that it was an attempt of. */
  deliveryId!: string;

  @RequiresScopes('partner_contact')
  @Field(() => String, { description: 'First 16 KB of the body of the answer, as text.' })
  answer!: string;

  @Field(() => [String], {
    description:
      'Headers of the request as they are sent, such as X-Webhook-Event: operation_created. Signatures and credentials are masked.',
  })
  headers!: string[];

  @Field(() => WebhookAttemptTiming, {
    nullable: true,
    description:
      'Durations of its parts; null if no connection was tried because the host has no allowed address.',
  })
  timing!: WebhookAttemptTiming | null;
}

@ObjectType({ description: 'A URL of a webhook that a replay with toCurrentUrl replaced.' })
@RequiresScopes('partner')
class WebhookFormerUrl {
  @Field(() => String, { description: 'The URL. Attempts that started before `until` went to it.' })
  url!: string;

  @Field(() => DateTimeScalar, { description: 'When it was replaced.' })
  until!: Date;
}

@ObjectType({ description: "A webhook to one of the partner's endpoints." })
@Directive('@key(fields: "id")')
@RequiresScopes('partner')
export class WebhookDelivery {
  @Field(() => ID, { description: 'X-Webhook-Delivery-Id of the webhook, the same in each attempt.' })
  id!: string;

  @Field(() => String, { description: 'Name of the event.' })
  event!: string;

  @Field(() => WebhookDeliveryStatus, { description: 'Current status.' })
  status!: WebhookDeliveryStatus;

  @Field(() => Int, { description: 'Number of attempts since it was stored or last replayed.' })
  attempt!: number;

  @Field(() => DateTimeScalar, {
    nullable: true,
    description:
      'When the next attempt of a PENDING webhook is due. During an attempt, when the webhook would be tried again if the sending process crashed. Null while it waits for an earlier webhook (webhookOrdering), and if it is not PENDING.',
  })
  nextAttemptAt!: Date | null;

  @Field(() => DateTimeScalar, { description: 'When the event happened.' })
  createdAt!: Date;

  @Field(() => DateTimeScalar, {
    nullable: true,
    description: 'When it was delivered or dead-lettered; null until then.',
  })
  finishedAt!: Date | null;

  @Field(() => String, {
    nullable: true,
    description:
      'Why the last attempt failed, such as http_status, timeout, tls or network; endpoint_deleted if its endpoint was deleted before it was sent; null if it did not fail.',
  })
  lastError!: string | null;

  @Field(() => Int, {
    nullable: true,
    description: "HTTP status of the receiver's last answer; null without an answer.",
  })
  lastStatusCode!: number | null;

  @Field(() => String, {
    description:
      'URL that it is sent to: the URL of the endpoint when the event happened, or at the last replay with toCurrentUrl.',
  })
  url!: string;

  @Field(() => ID, {
    nullable: true,
    description:
      'Id of the endpoint that it was made for, which may have been deleted; `operational` for an operational event; null for the outcome of an atomic call, which goes to the operation status hook.',
  })
  endpointId!: string | null;

  @Field(() => String, {
    nullable: true,
    description:
      'URL that this endpoint has now; null if it was deleted or has no URL. If it is not `url`, replayWebhookDelivery with toCurrentUrl sends the webhook there.',
  })
  currentUrl!: string | null;

  @Field(() => [WebhookFormerUrl], {
    description: 'URLs that replays with toCurrentUrl replaced, oldest first; at most the newest 20.',
  })
  formerUrls!: readonly WebhookFormerUrl[];

  @RequiresScopes('partner_contact')
  @Field(() => String, { description: 'Body of each attempt, as text.' })
  body!: string;

  /** Not a field: finds the attempts, together with those of the other deliveries in the list. */
  findAttempts!: () => Promise<WebhookAttempt[]>;
}

/** Finds the attempts of deliveries, in one read. */
type FindAttempts = (deliveryIds: readonly string[]) => Promise<Map<string, Attempt[]>>;

/**
 * Makes the function that gives stored deliveries their GraphQL shape. The attempts of all of them are read when those of one
 * are needed.
 */
export function presenterOf(
  deliveries: readonly Delivery[],
  find: FindAttempts,
): (delivery: Delivery) => WebhookDelivery {
  let attempts: ReturnType<FindAttempts> | undefined;
  const findOne = async (delivery: Delivery) => {
    attempts ??= find(deliveries.map(({ id }) => id));
    const found = (await attempts).get(delivery.id) ?? [];
    return found.map(({ signedAt, ...attempt }) => ({
      ...attempt,
      deliveryId: delivery.id,
      headers: maskHeaders(delivery, signedAt),
    }));
  };
  return (delivery) => {
    const { accountId: _tenantId, scheme: _scheme, signing: _signing, status, ...shown } = delivery;
    return {
      ...shown,
      status: WebhookDeliveryStatus[status],
      findAttempts: () => findOne(delivery),
    };
  };
}

@ObjectType({ description: 'A page of webhooks.' })
export class WebhookDeliveryConnection extends connectionType(WebhookDelivery, 'WebhookDelivery') {}

@InputType({ description: 'The webhook to send again.' })
export class ReplayWebhookDeliveryInput {
  @Field(() => ID, { description: 'X-Webhook-Delivery-Id of the webhook.' })
  id!: string;

  @Field(() => Boolean, {
    nullable: true,
    description:
      'Whether to send it to the URL that its endpoint has now, signed with the current secrets, instead of the URL and secret that it has; false when absent. Its former URL is kept in `formerUrls`.',
  })
  toCurrentUrl?: boolean | null;
}

@InputType({ description: 'The webhook to send now.' })
export class SendWebhookDeliveryNowInput {
  @Field(() => ID, { description: 'X-Webhook-Delivery-Id of the webhook.' })
  id!: string;
}

@InputType({ description: 'A test webhook.' })
export class SendTestWebhookInput {
  @Field(() => String, {
    nullable: true,
    description: 'Known name of the event in the webhook; `test` when absent.',
  })
  event?: string | null;

  @Field(() => ID, {
    nullable: true,
    description:
      'Id of the endpoint, which receives the webhook even if its events do not include the name; `first` when absent, `operational` for the URL of operational events.',
  })
  endpointId?: string | null;
}

@ObjectType({ description: 'The webhook that will be sent, or why the mutation failed.' })
@RequiresAllScopes('partner', 'partner_webhooks')
export class WebhookDeliveryPayload extends payloadType(
  'webhookDelivery',
  WebhookDelivery,
  'The webhook; null on failure.',
) {}

@ObjectType({ description: 'A status change of a webhook.' })
@RequiresScopes('partner')
export class WebhookDeliveryEvent {
  @Field(() => String, {
    description:
      'Position of this event in the log. Subscribe with it as `after` to continue after this event.',
  })
  cursor!: string;

  @Field(() => DateTimeScalar, { description: 'When it happened.' })
  occurredAt!: Date;

  @Field(() => WebhookDeliveryStatus, {
    nullable: true,
    description: 'Status before; null when the webhook was stored.',
  })
  previousStatus!: WebhookDeliveryStatus | null;

  @Field(() => WebhookDeliveryStatus, { description: 'Status after.' })
  status!: WebhookDeliveryStatus;

  @Field(() => String, {
    nullable: true,
    description: 'Why a dead-lettered webhook failed, in the words of `lastError`; otherwise null.',
  })
  statusDetails!: string | null;

  @Field(() => WebhookDelivery, {
    nullable: true,
    description: 'The webhook in its state when the event is sent.',
  })
  delivery!: WebhookDelivery | null;
}
