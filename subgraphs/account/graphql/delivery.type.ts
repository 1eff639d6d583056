import { Directive, Field, ID, InputType, Int, ObjectType, registerEnumType } from 'type-graphql';
import { connectionType } from '../../platform/graphql/connection.ts';
import { RequiresAllScopes, RequiresScopes } from '../../platform/graphql/requires-scopes.ts';
import { DateTimeScalar } from '../../platform/graphql/scalars.ts';
import { UserError } from '../../platform/graphql/user-error.type.ts';
import { maskHeaders } from '../../platform/webhooks/masked-headers.ts';
import type { Attempt, Delivery } from '../../platform/webhooks/present.ts';

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
    PENDING: { description: 'It waits for its next attempt, or is being tried.' },
    DELIVERED: { description: 'The receiver answered with a 2xx status.' },
    DEAD_LETTERED: { description: 'It has no attempts left; it can be sent again.' },
    PAUSED: { description: 'No webhook has it at present: what is due for a paused endpoint stays PENDING.' },
  },
});

@ObjectType({
  description:
    'How long the parts of an attempt took, milliseconds, each by itself. A part is null when it was not needed or never ended.',
})
export class WebhookAttemptTiming {
  @Field(() => Boolean, {
    description:
      'Whether an open connection was used again. Then no name was resolved and no connection was made.',
  })
  reused!: boolean;

  @Field(() => Int, {
    nullable: true,
    description: 'Resolving the name; null if the URL has an IP address.',
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
    'One attempt to deliver a webhook. Kept for as many days as WEBHOOK_RETENTION_DAYS says, 30 unless it is set.',
})
export class WebhookAttempt {
  @Field(() => Int, { description: '1 is the first; attempts after a replay continue the count.' })
  number!: number;

  @Field(() => DateTimeScalar, { description: 'When it began.' })
  at!: Date;

  @Field(() => Int, { description: 'How long it took, milliseconds.' })
  ms!: number;

  @Field(() => Int, { nullable: true, description: "Status of the receiver's answer; null without one." })
  statusCode!: number | null;

  @Field(() => String, {
    nullable: true,
    description: 'Why it failed, such as http_status, timeout, tls or network; null if it did not fail.',
  })
  errorClass!: string | null;

  /** Not a field: the webhook that it was an attempt of. */
  deliveryId!: string;

  @Field(() => String, { description: "The first 16 KB of the answer's body, as text." })
  answer!: string;

  @Field(() => [String], {
    description:
      'The headers of its request, if it is sent, each as on the wire, such as X-Webhook-Event: operation_created. Signatures and credentials are masked.',
  })
  headers!: string[];

  @Field(() => WebhookAttemptTiming, {
    nullable: true,
    description:
      'How long its parts took. Null when the host has no address that webhooks may go to, and for attempts from before this was measured.',
  })
  timing!: WebhookAttemptTiming | null;
}

@ObjectType({ description: "A webhook to one of the partner's receivers." })
@Directive('@key(fields: "id")')
@RequiresScopes('partner')
export class WebhookDelivery {
  @Field(() => ID, { description: 'The X-Webhook-Delivery-Id: the same on every attempt.' })
  id!: string;

  @Field(() => String, { description: 'Name of the event.' })
  event!: string;

  @Field(() => WebhookDeliveryStatus, { description: 'Its status.' })
  status!: WebhookDeliveryStatus;

  @Field(() => Int, { description: 'Attempts made since it was stored or last sent again.' })
  attempt!: number;

  @Field(() => DateTimeScalar, {
    nullable: true,
    description:
      'For a PENDING webhook: when it is due, or, while it is being tried, when it would be tried again after a crash. Null while it waits for an earlier webhook (webhookOrdering).',
  })
  nextAttemptAt!: Date | null;

  @Field(() => DateTimeScalar, { description: 'When the event happened.' })
  createdAt!: Date;

  @Field(() => DateTimeScalar, { nullable: true, description: 'When it was delivered or given up.' })
  finishedAt!: Date | null;

  @Field(() => String, {
    nullable: true,
    description: 'Why the last attempt failed, such as http_status, timeout, tls or network.',
  })
  lastError!: string | null;

  @Field(() => Int, { nullable: true, description: "Status of the receiver's last answer." })
  lastStatusCode!: number | null;

  @Field(() => String, { description: 'Its URL: the one in force when the event happened.' })
  url!: string;

  @Field(() => String, { description: 'The bytes of every attempt, as text.' })
  body!: string;

  /** Not a field: finds the attempts, together with those of the other deliveries in the list. */
  findAttempts!: () => Promise<WebhookAttempt[]>;
}

/** Finds the attempts of deliveries, in one read. */
export type FindAttempts = (deliveryIds: readonly string[]) => Promise<Map<string, Attempt[]>>;

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
    return found.map((attempt) => ({
      ...attempt,
      deliveryId: delivery.id,
      headers: maskHeaders(delivery, attempt.at),
    }));
  };
  return (delivery) => {
    const { tenantId: _tenantId, scheme: _scheme, signing: _signing, status, ...shown } = delivery;
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
  @Field(() => ID, { description: 'Its X-Webhook-Delivery-Id.' })
  id!: string;
}

@InputType({ description: 'A test webhook.' })
export class SendTestWebhookInput {
  @Field(() => String, {
    nullable: true,
    description: 'Name of the event in the webhook, one of the known names; test when absent.',
  })
  event?: string | null;

  @Field(() => ID, {
    nullable: true,
    description: 'The endpoint that gets it, whatever its events; the first when absent.',
  })
  endpointId?: string | null;
}

@ObjectType({ description: 'The webhook that will be sent, or why the mutation failed.' })
@RequiresAllScopes('partner', 'partner_admin')
export class WebhookDeliveryPayload {
  @Field(() => WebhookDelivery, { nullable: true, description: 'The webhook; null on failure.' })
  webhookDelivery!: WebhookDelivery | null;

  @Field(() => [UserError], { description: 'Why the mutation failed; empty on success.' })
  userErrors!: UserError[];
}

@ObjectType({ description: 'A change of status of a webhook.' })
@RequiresScopes('partner')
export class WebhookDeliveryEvent {
  @Field(() => String, { description: 'Position in the log: `after` this, the next event follows.' })
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
    description: 'For a dead-lettered webhook: why the last attempt failed.',
  })
  statusDetails!: string | null;

  @Field(() => WebhookDelivery, { nullable: true, description: 'The webhook, as it is now.' })
  delivery!: WebhookDelivery | null;
}
