import { LosslessNumber } from 'lossless-json';
import { Field, ID, InputType, Int, ObjectType, registerEnumType } from 'type-graphql';
import { inputToBody } from '../../graph/documented-mutation.ts';
import { PayoutMethod } from '../../graph/payout-method.type.ts';
import { RequiresAllScopes, RequiresScopes } from '../../graph/requires-scopes.ts';
import { CurrencyCodeScalar, DecimalScalar } from '../../graph/scalars.ts';
import { UserError } from '../../graph/user-error.type.ts';
import type { SignatureScheme } from '../../partners/tenants/signature-scheme.ts';
import { Approval, PENDING_APPROVAL } from './approval.type.ts';
import { WebhookHeaderInput, WebhookSignatureScheme } from './signing.type.ts';

export enum PartnerEnvironment {
  SANDBOX = 'sandbox',
  LIVE = 'live',
}
registerEnumType(PartnerEnvironment, {
  name: 'PartnerEnvironment',
  description: 'Environment of an API key.',
  valuesConfig: {
    SANDBOX: { description: 'For tests: no money moves.' },
    LIVE: { description: 'Money moves.' },
  },
});

enum WebhookOrdering {
  NONE = 'NONE',
  PER_ENTITY = 'PER_ENTITY',
}
registerEnumType(WebhookOrdering, {
  name: 'WebhookOrdering',
  description: 'Order in which webhooks are sent.',
  valuesConfig: {
    NONE: { description: 'Webhooks are sent as soon as they are stored, without waiting for earlier ones.' },
    PER_ENTITY: {
      description:
        'A webhook about a reference or link waits until all earlier webhooks about it to the same URL are delivered or dead-lettered.',
    },
  },
});

@ObjectType({ description: 'Partner that the API key belongs to.' })
@RequiresScopes('partner')
export class Partner {
  @Field(() => ID, { description: 'Id of the partner: partnerId in the REST APIs.' })
  id!: string;

  @Field(() => String, { description: 'Name of the partner.' })
  name!: string;

  @Field(() => PartnerEnvironment, { description: 'Environment of the API key.' })
  environment!: PartnerEnvironment;

  @Field(() => [String], { description: 'Scopes of the API key.' })
  scopes!: readonly string[];

  @Field(() => [String], { description: 'Features that the partner can use.' })
  features!: readonly string[];

  @Field(() => [String], { description: 'Flows of links that the partner can create.' })
  flows!: readonly string[];
}

@ObjectType({
  description:
    "Configuration of the partner's webhooks: URL, events, their version, secret, order, signature scheme and headers.",
})
@RequiresScopes('partner')
export class WebhookConfig {
  @Field(() => String, {
    nullable: true,
    description: 'HTTPS URL of the first endpoint; null if there is none.',
  })
  webhookUrl!: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'First six and last two characters of the signing secret; null if there is none.',
  })
  webhookSecretPreview!: string | null;

  @Field(() => Boolean, { description: 'Whether webhooks are signed.' })
  hasWebhookSecret!: boolean;

  @Field(() => [String], { description: 'Names of the events that are sent to the first endpoint.' })
  webhookEvents!: readonly string[];

  @Field(() => Int, {
    description:
      'Version of the event catalogue that the first endpoint is pinned to: new webhooks have the bodies of this version until you change it. The status hook and the URL for operational events have it too.',
  })
  webhookEventVersion!: number;

  @Field(() => WebhookOrdering, {
    description: 'Order in which webhooks are sent; NONE by default.',
  })
  webhookOrdering!: `${WebhookOrdering}`;

  @Field(() => WebhookSignatureScheme, {
    description: 'How new webhooks to the first endpoint are signed; DOCUMENTED by default.',
  })
  webhookSignatureScheme!: SignatureScheme;

  @Field(() => [String], {
    description:
      "Names of the partner's own headers that new webhooks to the first endpoint carry. Their values are not shown.",
  })
  webhookHeaderNames!: readonly string[];
}

@ObjectType({ description: 'The new signing secret.' })
@RequiresAllScopes('partner', 'partner_admin')
export class RegenerateWebhookSecretPayload {
  @Field(() => String, {
    nullable: true,
    description: 'The secret, shown only this once; null on failure, and while an approval is pending.',
  })
  webhookSecret!: string | null;

  @Field(() => String, { nullable: true, description: 'Advice for people about the new secret.' })
  message!: string | null;

  @Field(() => Approval, PENDING_APPROVAL)
  pendingApproval?: Approval | null;

  @Field(() => [UserError], { description: 'Why the mutation failed; empty on success.' })
  userErrors!: UserError[];
}

@InputType({ description: 'Changes of the webhook configuration. Absent fields do not change.' })
export class UpdateWebhookConfigInput {
  @Field(() => String, {
    nullable: true,
    description:
      'HTTPS URL of the endpoint `first`, stored in normalized form without a fragment. Null removes it, after which no new webhooks are stored for it. Fails with WEBHOOK_ENDPOINT_EXISTS if another endpoint has this URL.',
  })
  webhookUrl?: string | null;

  @Field(() => [String], {
    nullable: true,
    description: 'Known names of the events to send; null restores the default events.',
  })
  webhookEvents?: string[] | null;

  @Field(() => Int, {
    nullable: true,
    description:
      'Version of the event catalogue for new webhooks to the first endpoint, the status hook and the URL for operational events, one of webhookEventVersions; null does not change it. Webhooks that are already stored keep their bodies, also when they are sent again.',
  })
  webhookEventVersion?: number | null;

  @Field(() => String, {
    nullable: true,
    description:
      'Signing secret, 8 to 256 characters without control characters and without a space at either end. Null creates a new secret, which only this payload shows. Webhooks that are already stored keep the former secret.',
  })
  webhookSecret?: string | null;

  @Field(() => WebhookOrdering, {
    nullable: true,
    description:
      'Order in which new webhooks are sent, for all endpoints; null restores NONE. Webhooks that already wait for earlier ones continue to wait.',
  })
  webhookOrdering?: `${WebhookOrdering}` | null;

  @Field(() => WebhookSignatureScheme, {
    nullable: true,
    description:
      'How new webhooks to the first endpoint are signed; null restores DOCUMENTED. Webhooks that are already stored keep their scheme. Other schemes need a secret; that of STANDARD_WEBHOOKS is whsec_ and the base64 of 24 to 64 bytes, as created secrets are.',
  })
  webhookSignatureScheme?: SignatureScheme | null;

  @Field(() => [WebhookHeaderInput], {
    nullable: true,
    description:
      "At most 10 headers of the partner's own that new webhooks to the first endpoint carry, with different names, instead of all that it has; null or an empty list for none. When absent, they do not change, but a URL with another host or port removes them: they can hold credentials.",
  })
  webhookHeaders?: WebhookHeaderInput[] | null;
}

@ObjectType({ description: 'The changed configuration, or why the mutation failed.' })
@RequiresAllScopes('partner', 'partner_admin')
export class UpdateWebhookConfigPayload {
  @Field(() => WebhookConfig, {
    nullable: true,
    description: 'The configuration; null on failure, and while an approval is pending.',
  })
  webhookConfig!: WebhookConfig | null;

  @Field(() => String, {
    nullable: true,
    description: 'The new signing secret, shown only this once; null if none was created.',
  })
  webhookSecret!: string | null;

  @Field(() => Approval, PENDING_APPROVAL)
  pendingApproval?: Approval | null;

  @Field(() => [UserError], { description: 'Why the mutation failed; empty on success.' })
  userErrors!: UserError[];
}

@InputType({ description: 'A transfer to quote.' })
export class PreQuoteLiteInput {
  @Field(() => String, { description: 'Country of the sender, ISO 3166-1 alpha-2.' })
  sourceCountry!: string;

  @Field(() => String, { description: 'Country of the recipient, ISO 3166-1 alpha-2.' })
  destinationCountry!: string;

  @Field(() => String, { description: 'Currency of the recipient, ISO 4217.' })
  destinationCurrency!: string;

  @Field(() => PayoutMethod, { description: 'How the recipient is paid out.' })
  payoutMethod!: PayoutMethod;

  @Field(() => DecimalScalar, {
    description:
      "Maximum that the sender pays, fee included, in the source country's currency; more than the fee.",
  })
  amount!: string;
}

/** Turns a GraphQL input into the equal body of `POST /partner/pre-quote-lite`. */
export function toBody({ amount, ...input }: PreQuoteLiteInput): unknown {
  return { ...inputToBody(input), amount: new LosslessNumber(amount) };
}

@ObjectType({ description: 'The currencies of a quote.' })
class PreQuoteCurrency {
  @Field(() => CurrencyCodeScalar, { description: 'Currency of the sender: of `send` and `fee`.' })
  source!: string;

  @Field(() => CurrencyCodeScalar, { description: 'Currency of the recipient: of `receive`.' })
  destination!: string;
}

@ObjectType({ description: 'A quote for a transfer. A quote reserves nothing.' })
@RequiresScopes('partner')
class PreQuote {
  @Field(() => DecimalScalar, { description: 'Amount that the sender pays, fee included.' })
  send!: string;

  @Field(() => DecimalScalar, { description: 'Amount that the recipient gets.' })
  receive!: string;

  @Field(() => DecimalScalar, {
    description: 'Exchange rate: units of the destination currency for one unit of the source currency.',
  })
  rate!: string;

  @Field(() => DecimalScalar, { description: "The partner's fee." })
  fee!: string;

  @Field(() => PreQuoteCurrency, { description: 'Currencies of the amounts.' })
  currency!: PreQuoteCurrency;
}

@ObjectType({ description: 'A limit of calls, and what is left of it after a call.' })
@RequiresScopes('partner')
class CallQuota {
  @Field(() => String, {
    description:
      'Name of the limit, as in the header RateLimit: pre-quote of the calling key, pre-quote-all-keys of all keys.',
  })
  name!: string;

  @Field(() => Int, { description: 'Maximum number of calls within any windowSeconds.' })
  limit!: number;

  @Field(() => Int, { description: 'Length of the window, in seconds.' })
  windowSeconds!: number;

  @Field(() => Int, {
    nullable: true,
    description:
      'Calls that are left within the next resetSeconds; null if another limit rejected the call: then the call does not count for this limit.',
  })
  remaining!: number | null;

  @Field(() => Int, {
    nullable: true,
    description: 'Seconds until the oldest counted call leaves the window; null if remaining is null.',
  })
  resetSeconds!: number | null;
}

@ObjectType({ description: 'The quote, or why the mutation failed.' })
@RequiresScopes('partner')
export class PreQuoteLitePayload {
  @Field(() => PreQuote, { nullable: true, description: 'The quote; null on failure.' })
  quote!: PreQuote | null;

  @Field(() => Int, {
    nullable: true,
    description:
      'Seconds to wait before the next call, if the mutation failed with RATE_LIMITED; otherwise null.',
  })
  retryAfter!: number | null;

  @Field(() => [CallQuota], {
    description: 'Limits of pre-quotes that the call counts for; empty for a partner without a limit.',
  })
  quotas!: CallQuota[];

  @Field(() => [UserError], { description: 'Why the mutation failed; empty on success.' })
  userErrors!: UserError[];
}
