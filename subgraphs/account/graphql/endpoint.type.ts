import { Field, Float, ID, InputType, Int, ObjectType, registerEnumType } from 'type-graphql';
import { RequiresAllScopes, RequiresScopes } from '../../graph/requires-scopes.ts';
import { DateTimeScalar } from '../../graph/scalars.ts';
import { UserError } from '../../graph/user-error.type.ts';
import type { SignatureScheme } from '../../partners/tenants/signature-scheme.ts';
import { Approval, PENDING_APPROVAL } from './approval.type.ts';
import { WebhookHeaderInput, WebhookPublicKey, WebhookSignatureScheme } from './signing.type.ts';

export enum WebhookBreakerState {
  CLOSED = 'CLOSED',
  OPEN = 'OPEN',
  HALF_OPEN = 'HALF_OPEN',
}
registerEnumType(WebhookBreakerState, {
  name: 'WebhookBreakerState',
  description: "State of an endpoint's circuit breaker, which stops webhooks while the endpoint fails.",
  valuesConfig: {
    CLOSED: { description: 'Webhooks are sent.' },
    OPEN: { description: 'The endpoint failed too often. Its webhooks are kept until the next probe.' },
    HALF_OPEN: {
      description: 'A webhook is being sent as a probe, to find out whether the endpoint answers again.',
    },
  },
});

@ObjectType({ description: 'The last failure of an endpoint.' })
@RequiresScopes('partner')
class WebhookEndpointError {
  @Field(() => String, { description: 'Why it failed, such as http_status, timeout, tls or network.' })
  errorClass!: string;

  @Field(() => Int, { nullable: true, description: 'HTTP status of the answer; null without an answer.' })
  statusCode!: number | null;

  @Field(() => DateTimeScalar, { description: 'When it failed.' })
  at!: Date;
}

@ObjectType({ description: 'Attempts at an endpoint in one hour.' })
@RequiresScopes('partner')
class WebhookEndpointHour {
  @Field(() => DateTimeScalar, { description: 'Start of the hour, in UTC.' })
  from!: Date;

  @Field(() => Int, { description: 'Attempts that succeeded.' })
  delivered!: number;

  @Field(() => Int, { description: 'Attempts that failed.' })
  failed!: number;
}

@ObjectType({ description: 'Attempts at an endpoint of similar duration.' })
@RequiresScopes('partner')
class WebhookLatencyBucket {
  @Field(() => Int, {
    nullable: true,
    description:
      'Longest duration of these attempts, in milliseconds. They took longer than the longest duration of the bucket before. Null for attempts that took longer than all other buckets.',
  })
  upToMs!: number | null;

  @Field(() => Int, { description: 'Number of attempts.' })
  count!: number;
}

@ObjectType({
  description:
    'Health of an endpoint. Rates, counts of attempts and durations are those of the last hour, except `hours` and `latency`.',
})
@RequiresScopes('partner')
export class WebhookEndpointHealth {
  @Field(() => Float, {
    nullable: true,
    description: 'Share of attempts that succeeded, 0 to 1; null without attempts.',
  })
  successRate!: number | null;

  @Field(() => Int, { description: 'Number of attempts.' })
  attempts!: number;

  @Field(() => Int, {
    nullable: true,
    description: 'Median duration of attempts, in milliseconds; null without attempts.',
  })
  p50Ms!: number | null;

  @Field(() => Int, {
    nullable: true,
    description: '95th percentile of the duration of attempts, in milliseconds; null without attempts.',
  })
  p95Ms!: number | null;

  @Field(() => WebhookEndpointError, {
    nullable: true,
    description: 'Last failure; null if none is known.',
  })
  lastError!: WebhookEndpointError | null;

  @Field(() => DateTimeScalar, {
    nullable: true,
    description: 'When it last accepted a webhook; null if not known.',
  })
  lastSuccessAt!: Date | null;

  @Field(() => [WebhookEndpointHour], {
    description:
      'Attempts of the last 24 hours, the current hour included, oldest first; empty if there never was an attempt. The counts of a process that is killed can miss a few seconds.',
  })
  hours!: readonly WebhookEndpointHour[];

  @Field(() => [WebhookLatencyBucket], {
    description:
      'Attempts of the last 24 hours by duration, the shortest first; empty if there never was one.',
  })
  latency!: readonly WebhookLatencyBucket[];

  @Field(() => WebhookBreakerState, {
    description: 'State of the circuit breaker, which stops webhooks to a failing endpoint.',
  })
  breaker!: WebhookBreakerState;

  @Field(() => DateTimeScalar, {
    nullable: true,
    description: 'Earliest time of the next probe; null while the breaker is CLOSED.',
  })
  probeAt!: Date | null;

  @Field(() => DateTimeScalar, {
    nullable: true,
    description: 'When it was paused; null if it is not paused.',
  })
  pausedAt!: Date | null;

  @Field(() => Int, {
    description: 'Number of webhooks that wait for it or are being tried; counting stops at 10,000.',
  })
  pending!: number;

  @Field(() => DateTimeScalar, {
    nullable: true,
    description: 'Earliest due time of these webhooks; null if there are none.',
  })
  oldestDueAt!: Date | null;
}

@ObjectType({ description: "A webhook endpoint: a URL that receives the partner's webhooks." })
@RequiresScopes('partner')
export class WebhookEndpoint {
  @Field(() => ID, {
    description:
      'Id of the endpoint. The endpoint of webhookConfig, which updateWebhookConfig changes, has the id `first`.',
  })
  id!: string;

  @Field(() => String, { description: 'HTTPS URL of the endpoint.' })
  url!: string;

  @Field(() => String, {
    nullable: true,
    description: 'First six and last two characters of the signing secret; null if there is none.',
  })
  secretPreview!: string | null;

  @Field(() => [DateTimeScalar], {
    description: 'Times until which replaced secrets also sign new webhooks, latest rotation first.',
  })
  formerSecretsUntil!: readonly Date[];

  @Field(() => WebhookSignatureScheme, { description: 'How its new webhooks are signed.' })
  signatureScheme!: SignatureScheme;

  @Field(() => [WebhookPublicKey], {
    description:
      'Keys that verify Ed25519 signatures, of STANDARD_WEBHOOKS (v1a) and HTTP_MESSAGE_SIGNATURES: that of the current secret, then those of replaced secrets that still sign, latest rotation first. Empty without a secret.',
  })
  publicKeys!: readonly WebhookPublicKey[];

  @Field(() => [String], {
    description:
      "Names of the partner's own headers that its new webhooks carry. Their values are not shown.",
  })
  headerNames!: readonly string[];

  @Field(() => [String], {
    nullable: true,
    description: 'Names of the events that are sent to it; null for all events.',
  })
  events!: readonly string[] | null;

  @Field(() => Int, {
    description:
      'Version of the event catalogue that it is pinned to: its new webhooks have the bodies of this version until you change it.',
  })
  eventVersion!: number;

  @Field(() => String, {
    nullable: true,
    description: "The partner's note about it; null if there is none. The endpoint `first` has none.",
  })
  description!: string | null;

  @Field(() => DateTimeScalar, {
    description: 'When it was created; for the endpoint `first`, when the partner was created.',
  })
  createdAt!: Date;

  /** Not a field: finds the health, together with that of the other endpoints in the list. */
  findHealth!: () => Promise<WebhookEndpointHealth>;
}

@InputType({ description: 'A webhook endpoint in addition to the first one, which webhookConfig describes.' })
export class CreateWebhookEndpointInput {
  @Field(() => String, {
    description: 'HTTPS URL without credentials, at most 2048 characters. Each endpoint has a different URL.',
  })
  url!: string;

  @Field(() => [String], {
    nullable: true,
    description: 'Known names of the events to send to it; all events when absent.',
  })
  events?: string[] | null;

  @Field(() => Int, {
    nullable: true,
    description:
      'Version of the event catalogue, one of webhookEventVersions; the newest one when absent. The endpoint stays pinned to it.',
  })
  eventVersion?: number | null;

  @Field(() => String, {
    nullable: true,
    description:
      'Signing secret, 8 to 256 characters without control characters and without a space at either end. When absent, a secret is created, which only this payload shows.',
  })
  secret?: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'A note of at most 200 characters, such as the name of the system that receives webhooks.',
  })
  description?: string | null;

  @Field(() => WebhookSignatureScheme, {
    nullable: true,
    description:
      'How its webhooks are signed; DOCUMENTED when absent. STANDARD_WEBHOOKS needs a secret of whsec_ and the base64 of 24 to 64 bytes, as created secrets are.',
  })
  signatureScheme?: SignatureScheme | null;

  @Field(() => [WebhookHeaderInput], {
    nullable: true,
    description:
      "At most 10 headers of the partner's own that its webhooks carry, with different names; none when absent.",
  })
  headers?: WebhookHeaderInput[] | null;
}

@InputType({ description: 'Changes of an endpoint. Absent fields do not change.' })
export class UpdateWebhookEndpointInput {
  @Field(() => ID, {
    description: 'Id of the endpoint. The endpoint `first` is changed with updateWebhookConfig.',
  })
  id!: string;

  @Field(() => String, {
    nullable: true,
    description:
      'HTTPS URL of the endpoint. Webhooks that are already stored are sent to the former URL, unless replayWebhookDeliveries with toCurrentUrl sends them to the new one.',
  })
  url?: string | null;

  @Field(() => [String], {
    nullable: true,
    description: 'Names of the events that are sent to it; null for all events.',
  })
  events?: string[] | null;

  @Field(() => Int, {
    nullable: true,
    description:
      'Version of the event catalogue for its new webhooks, one of webhookEventVersions; null does not change it. Webhooks that are already stored keep their bodies, also when they are sent again.',
  })
  eventVersion?: number | null;

  @Field(() => String, {
    nullable: true,
    description: 'A note of at most 200 characters; null for none.',
  })
  description?: string | null;

  @Field(() => WebhookSignatureScheme, {
    nullable: true,
    description:
      'How its new webhooks are signed; null for DOCUMENTED. Webhooks that are already stored keep their scheme. STANDARD_WEBHOOKS needs a secret of whsec_ and the base64 of 24 to 64 bytes, which rotateWebhookSecret creates.',
  })
  signatureScheme?: SignatureScheme | null;

  @Field(() => [WebhookHeaderInput], {
    nullable: true,
    description:
      "At most 10 headers of the partner's own that its new webhooks carry, with different names, instead of all that it has; null or an empty list for none. When absent, they do not change, but a URL with another host or port removes them: they can hold credentials.",
  })
  headers?: WebhookHeaderInput[] | null;
}

@InputType({ description: 'The endpoint to delete.' })
export class DeleteWebhookEndpointInput {
  @Field(() => ID, {
    description:
      'Id of the endpoint. The endpoint `first` cannot be deleted; remove its URL with updateWebhookConfig.',
  })
  id!: string;
}

@InputType({ description: 'The endpoint to pause or resume.' })
export class WebhookEndpointInput {
  @Field(() => ID, { description: 'Id of the endpoint, which can be `first`.' })
  id!: string;
}

@ObjectType({ description: 'The changed endpoint, or why the mutation failed.' })
@RequiresAllScopes('partner', 'partner_write', 'partner_webhooks')
export class WebhookEndpointPayload {
  @Field(() => WebhookEndpoint, {
    nullable: true,
    description:
      'The endpoint; after a deletion, its last state. Null on failure, and while an approval is pending.',
  })
  webhookEndpoint!: WebhookEndpoint | null;

  @Field(() => String, {
    nullable: true,
    description: 'The signing secret, shown only this once; null if none was created.',
  })
  webhookSecret!: string | null;

  @Field(() => Approval, PENDING_APPROVAL)
  pendingApproval?: Approval | null;

  @Field(() => [UserError], { description: 'Why the mutation failed; empty on success.' })
  userErrors!: UserError[];
}
