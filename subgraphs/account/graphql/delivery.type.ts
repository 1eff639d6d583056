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
  description: 'How far a webhook is.',
  valuesConfig: {
    PENDING: { description: 'It awaits its next attempt, or is being tried.' },
    DELIVERED: { description: 'The receiver answered with a 2xx status.' },
    DEAD_LETTERED: { description: 'Its attempts are used up; it can be sent again.' },
    PAUSED: { description: 'It was stopped by the operator.' },
  },
});

@ObjectType({
  description:
    'How long the parts of an attempt took, milliseconds, each by itself. A part is null when it was not needed or never ended.',
})
export class WebhookAttemptTiming {
  @Field(() => Boolean, {
    description:
      'Whether a connection was used that was open already. No name was resolved then and no connection made.',
  })
  reused!: boolean;

  @Field(() => Int, {
    nullable: true,
    description: 'Resolving the name; null where the URL has an address.',
  })
  dnsMs!: number | null;

  @Field(() => Int, { nullable: true, description: 'Making the TCP connection.' })
  connectMs!: number | null;

  @Field(() => Int, { nullable: true, description: 'The TLS handshake.' })
  tlsMs!: number | null;

  @Field(() => Int, {
    nullable: true,
    description: 'From when the connection was there to the first byte of the answer.',
  })
  firstByteMs!: number | null;
}

@ObjectType({
  description:
    'One attempt to deliver a webhook. Kept for as many days as WEBHOOK_RETENTION_DAYS says, 30 unless it is set.',
})
export class WebhookAttempt {
  @Field(() => Int, { description: '1 is the first; those after a replay go on counting.' })
  number!: number;

  @Field(() => DateTimeScalar, { description: 'When it began.' })
  at!: Date;

  @Field(() => Int, { description: 'How long it took, milliseconds.' })
  ms!: number;

  @Field(() => Int, { nullable: true, description: "Status of the receiver's answer; null without one." })
  statusCode!: number | null;

  @Field(() => String, {
    nullable: true,
    description: 'Why it failed, such as http_status, timeout, tls or network; null when it did not.',
  })
  errorClass!: string | null;

  @Field(() => String, { description: "The first 16 KB of the answer's body, as text." })
  answer!: string;

  @Field(() => [String], {
    description:
      'The headers that it sends, where it gets that far, each as on the wire, such as X-Webhook-Event: operation_created. Signatures and credentials are masked.',
  })
  headers!: string[];

  @Field(() => WebhookAttemptTiming, {
    nullable: true,
    description:
      'How long its parts took. Null when the host led to no address that webhooks may go to, and for attempts that were made before this was measured.',
  })
  timing!: WebhookAttemptTiming | null;
}

@ObjectType({ description: "A webhook on its way to the partner's receiver." })
@Directive('@key(fields: "id")')
@RequiresScopes('partner')
export class WebhookDelivery {
  @Field(() => ID, { description: 'The X-Webhook-Delivery-Id: the same on every attempt.' })
  id!: string;

  @Field(() => String, { description: 'Name of the event.' })
  event!: string;

  @Field(() => WebhookDeliveryStatus, { description: 'How far it is.' })
  status!: WebhookDeliveryStatus;

  @Field(() => Int, { description: 'Attempts made since it was stored or last sent again.' })
  attempt!: number;

  @Field(() => DateTimeScalar, {
    nullable: true,
    description:
      'Of a PENDING one: when it is due, or, while it is being tried, when it would be taken up after a crash. Null while it waits for the one before it (webhookOrdering).',
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

  @Field(() => String, { description: 'Where it goes: the URL in force when the event happened.' })
  url!: string;

  @Field(() => String, { description: 'The bytes of every attempt, as text.' })
  body!: string;

  /** Not a field: how the attempts are found, together with those of the other deliveries of a list. */
  findAttempts!: () => Promise<WebhookAttempt[]>;
}

/** Finds the attempts of deliveries, in one read. */
export type FindAttempts = (deliveryIds: readonly string[]) => Promise<Map<string, Attempt[]>>;

/** The GraphQL shape of stored deliveries. Their attempts are read for all of them when those of one are needed. */
export function presentDeliveries(deliveries: readonly Delivery[], find: FindAttempts): WebhookDelivery[] {
  let attempts: ReturnType<FindAttempts> | undefined;
  const findOne = async (delivery: Delivery) => {
    attempts ??= find(deliveries.map(({ id }) => id));
    const found = (await attempts).get(delivery.id) ?? [];
    return found.map((attempt) => ({ ...attempt, headers: maskHeaders(delivery, attempt.at) }));
  };
  return deliveries.map((delivery) => {
    const { tenantId: _tenantId, scheme: _scheme, signing: _signing, status, ...shown } = delivery;
    return {
      ...shown,
      status: status as WebhookDeliveryStatus,
      findAttempts: () => findOne(delivery),
    };
  });
}

@ObjectType({ description: 'A page of webhooks.' })
export class WebhookDeliveryConnection extends connectionType(WebhookDelivery, 'WebhookDelivery') {}

@InputType({ description: 'The webhook to send again.' })
export class ReplayWebhookDeliveryInput {
  @Field(() => ID, { description: 'Its X-Webhook-Delivery-Id.' })
  id!: string;
}

@InputType({ description: 'A webhook to try the receiver with.' })
export class SendTestWebhookInput {
  @Field(() => String, {
    nullable: true,
    description: 'Name of the event that it is sent as, one that webhooks have; test when absent.',
  })
  event?: string | null;

  @Field(() => ID, {
    nullable: true,
    description: 'The endpoint that it goes to, whatever events that gets; the first when absent.',
  })
  endpointId?: string | null;
}

@ObjectType({ description: 'The webhook that was set going, or why not.' })
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
  @Field(() => String, { description: 'Place in the log: `after` this, the next one comes.' })
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
    description: 'Of one that is given up: why the last attempt failed.',
  })
  statusDetails!: string | null;

  @Field(() => WebhookDelivery, { nullable: true, description: 'The webhook, as it is now.' })
  delivery!: WebhookDelivery | null;
}
