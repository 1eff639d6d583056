import { Field, Float, ID, InputType, Int, ObjectType, registerEnumType } from 'type-graphql';
import { RequiresAllScopes, RequiresScopes } from '../../platform/graphql/requires-scopes.ts';
import { DateTimeScalar } from '../../platform/graphql/scalars.ts';
import { UserError } from '../../platform/graphql/user-error.type.ts';

export enum WebhookBreakerState {
  CLOSED = 'CLOSED',
  OPEN = 'OPEN',
  HALF_OPEN = 'HALF_OPEN',
}
registerEnumType(WebhookBreakerState, {
  name: 'WebhookBreakerState',
  description: 'Whether webhooks are sent to an endpoint, or kept because it fails.',
  valuesConfig: {
    CLOSED: { description: 'Webhooks are sent.' },
    OPEN: { description: 'The endpoint failed too often: webhooks are kept until the next probe.' },
    HALF_OPEN: { description: 'One webhook is being tried, to find out whether the endpoint answers again.' },
  },
});

@ObjectType({ description: 'The last failure of an endpoint.' })
@RequiresScopes('partner')
export class WebhookEndpointError {
  @Field(() => String, { description: 'Why it failed, such as http_status, timeout, tls or network.' })
  errorClass!: string;

  @Field(() => Int, { nullable: true, description: 'Status of the answer; null without one.' })
  statusCode!: number | null;

  @Field(() => DateTimeScalar, { description: 'When it failed.' })
  at!: Date;
}

@ObjectType({ description: 'Health of an endpoint. Rate and times are those of the last hour.' })
@RequiresScopes('partner')
export class WebhookEndpointHealth {
  @Field(() => Float, {
    nullable: true,
    description: 'Share of the attempts that were delivered, 0 to 1; null without attempts.',
  })
  successRate!: number | null;

  @Field(() => Int, { description: 'Attempts.' })
  attempts!: number;

  @Field(() => Int, {
    nullable: true,
    description: 'Half of the attempts took at most this long, milliseconds.',
  })
  p50Ms!: number | null;

  @Field(() => Int, {
    nullable: true,
    description: '95 % of the attempts took at most this long, milliseconds.',
  })
  p95Ms!: number | null;

  @Field(() => WebhookEndpointError, {
    nullable: true,
    description: 'The last failure; null if none is known.',
  })
  lastError!: WebhookEndpointError | null;

  @Field(() => DateTimeScalar, { nullable: true, description: 'When it last accepted a webhook.' })
  lastSuccessAt!: Date | null;

  @Field(() => WebhookBreakerState, { description: 'Whether webhooks are sent to it.' })
  breaker!: WebhookBreakerState;

  @Field(() => DateTimeScalar, {
    nullable: true,
    description: 'When the next probe may be; null while the breaker is closed.',
  })
  probeAt!: Date | null;

  @Field(() => DateTimeScalar, { nullable: true, description: 'Since when it is paused; null if it is not.' })
  pausedAt!: Date | null;

  @Field(() => Int, {
    description: 'Number of webhooks that wait for it or are being tried; 10000 means that many or more.',
  })
  pending!: number;

  @Field(() => DateTimeScalar, {
    nullable: true,
    description: 'When the one that waits longest is, or was, due; null without any.',
  })
  oldestDueAt!: Date | null;
}

@ObjectType({ description: "A receiver of the partner's webhooks." })
@RequiresScopes('partner')
export class WebhookEndpoint {
  @Field(() => ID, {
    description: 'Its id; first for the one of webhookConfig, which updateWebhookConfig changes.',
  })
  id!: string;

  @Field(() => String, { description: 'HTTPS URL of the receiver.' })
  url!: string;

  @Field(() => String, {
    nullable: true,
    description: 'The first six and last two characters of the signing secret; null if there is none.',
  })
  secretPreview!: string | null;

  @Field(() => [DateTimeScalar], {
    description: 'Until when each replaced secret signs together with the new one, latest rotation first.',
  })
  formerSecretsUntil!: readonly Date[];

  @Field(() => [String], { nullable: true, description: 'Names of the events that it gets; null: all.' })
  events!: readonly string[] | null;

  @Field(() => DateTimeScalar, {
    description: 'When it was created; for the first, when the partner was created.',
  })
  createdAt!: Date;

  /** Not a field: finds the health, together with that of the other endpoints in the list. */
  findHealth!: () => Promise<WebhookEndpointHealth>;
}

@InputType({ description: 'A receiver of webhooks besides the one of webhookConfig.' })
export class CreateWebhookEndpointInput {
  @Field(() => String, {
    description:
      'HTTPS URL, without credentials, of at most 2048 characters; no two endpoints have the same.',
  })
  url!: string;

  @Field(() => [String], {
    nullable: true,
    description: 'Names of the events that it gets, known names only; all when absent.',
  })
  events?: string[] | null;

  @Field(() => String, {
    nullable: true,
    description:
      'The signing secret, 8 to 256 characters without a space at either end; when absent, one is created, which the payload shows only this once.',
  })
  secret?: string | null;
}

@InputType({ description: 'Changes of an endpoint; absent fields stay.' })
export class UpdateWebhookEndpointInput {
  @Field(() => ID, { description: 'The endpoint; not the first.' })
  id!: string;

  @Field(() => String, {
    nullable: true,
    description: 'HTTPS URL of the receiver. Webhooks that are already stored go to the former URL.',
  })
  url?: string | null;

  @Field(() => [String], { nullable: true, description: 'Names of the events that it gets; null: all.' })
  events?: string[] | null;
}

@InputType({ description: 'The endpoint to delete.' })
export class DeleteWebhookEndpointInput {
  @Field(() => ID, { description: 'The endpoint; not the first, whose URL updateWebhookConfig removes.' })
  id!: string;
}

@InputType({ description: 'The endpoint to pause or resume.' })
export class WebhookEndpointInput {
  @Field(() => ID, { description: 'The endpoint; also the first.' })
  id!: string;
}

@ObjectType({ description: 'The endpoint after the change, or why it was not changed.' })
@RequiresAllScopes('partner', 'partner_admin')
export class WebhookEndpointPayload {
  @Field(() => WebhookEndpoint, {
    nullable: true,
    description: 'The endpoint; after a deletion, as it was. Null on failure.',
  })
  webhookEndpoint!: WebhookEndpoint | null;

  @Field(() => String, {
    nullable: true,
    description: 'The signing secret, if one was created, shown only this once; otherwise null.',
  })
  webhookSecret!: string | null;

  @Field(() => [UserError], { description: 'Why the mutation failed; empty on success.' })
  userErrors!: UserError[];
}

@InputType({ description: 'The secret to replace, and how.' })
export class RotateWebhookSecretInput {
  @Field(() => ID, { nullable: true, description: 'Of this endpoint; of the first when absent.' })
  endpointId?: string | null;

  @Field(() => Int, {
    nullable: true,
    description:
      'For how long webhooks that are stored from now on are signed with the replaced secret, too, 0 to 168 hours; 0 when absent. X-Webhook-Signature then has a v1 for each secret, the new one first: only for receivers that accept any of several. X-RAAS-Signature has room for one, which is the new one.',
  })
  overlapHours?: number | null;
}

@ObjectType({ description: 'The new signing secret, or why there is none.' })
@RequiresAllScopes('partner', 'partner_admin')
export class RotateWebhookSecretPayload {
  @Field(() => String, { nullable: true, description: 'The secret, shown this once; null on failure.' })
  webhookSecret!: string | null;

  @Field(() => DateTimeScalar, {
    nullable: true,
    description: 'Until when the replaced secret signs too; null if it does not.',
  })
  formerUntil!: Date | null;

  @Field(() => [UserError], { description: 'Why the mutation failed; empty on success.' })
  userErrors!: UserError[];
}
