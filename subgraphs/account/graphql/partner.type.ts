import { LosslessNumber } from 'lossless-json';
import { Field, ID, InputType, Int, ObjectType, registerEnumType } from 'type-graphql';
import { inputToBody } from '../../platform/graphql/documented-mutation.ts';
import { PayoutMethod } from '../../platform/graphql/payout-method.type.ts';
import { RequiresAllScopes, RequiresScopes } from '../../platform/graphql/requires-scopes.ts';
import { CurrencyCodeScalar, DecimalScalar } from '../../platform/graphql/scalars.ts';
import { UserError } from '../../platform/graphql/user-error.type.ts';

export enum PartnerEnvironment {
  SANDBOX = 'sandbox',
  LIVE = 'live',
}
registerEnumType(PartnerEnvironment, {
  name: 'PartnerEnvironment',
  description: 'Environment of a key: whether its money is real.',
  valuesConfig: {
    SANDBOX: { description: 'For tests: no money moves.' },
    LIVE: { description: 'Money moves.' },
  },
});

export enum WebhookOrdering {
  NONE = 'NONE',
  PER_ENTITY = 'PER_ENTITY',
}
registerEnumType(WebhookOrdering, {
  name: 'WebhookOrdering',
  description: 'Order in which webhooks are sent.',
  valuesConfig: {
    NONE: { description: 'Each webhook is sent as soon as it is stored, without waiting for earlier ones.' },
    PER_ENTITY: {
      description:
        'A webhook about a reference or a link is sent after all earlier ones about it, to the same URL, are delivered or dead-lettered.',
    },
  },
});

@ObjectType({ description: 'The partner that the API key belongs to.' })
@RequiresScopes('partner')
export class Partner {
  @Field(() => ID, { description: 'The partnerId of the REST surfaces.' })
  id!: string;

  @Field(() => String, { description: 'Name of the partner.' })
  name!: string;

  @Field(() => PartnerEnvironment, { description: 'Environment of the API key.' })
  environment!: PartnerEnvironment;

  @Field(() => [String], { description: 'Scopes of the API key.' })
  scopes!: readonly string[];

  @Field(() => [String], { description: 'Features that are enabled for the partner.' })
  features!: readonly string[];

  @Field(() => [String], { description: 'Flows of links that the partner may create.' })
  flows!: readonly string[];
}

@ObjectType({ description: "URL and events of the partner's webhooks." })
@RequiresScopes('partner')
export class WebhookConfig {
  @Field(() => String, {
    nullable: true,
    description: 'HTTPS URL of the receiver; null if there are no webhooks.',
  })
  webhookUrl!: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'The first six and last two characters of the signing secret; null if there is none.',
  })
  webhookSecretPreview!: string | null;

  @Field(() => Boolean, { description: 'Whether webhooks are signed.' })
  hasWebhookSecret!: boolean;

  @Field(() => [String], { description: 'Names of the events that are sent.' })
  webhookEvents!: readonly string[];

  @Field(() => WebhookOrdering, {
    description: 'Order in which webhooks are sent; NONE unless the partner changed it.',
  })
  webhookOrdering!: `${WebhookOrdering}`;
}

@ObjectType({ description: 'The new signing secret.' })
@RequiresAllScopes('partner', 'partner_admin')
export class RegenerateWebhookSecretPayload {
  @Field(() => String, { nullable: true, description: 'The secret, shown this once; null on failure.' })
  webhookSecret!: string | null;

  @Field(() => String, { nullable: true, description: 'What to do with it, for people.' })
  message!: string | null;

  @Field(() => [UserError], { description: 'Why the mutation failed; empty on success.' })
  userErrors!: UserError[];
}

@InputType({ description: 'Changes of the webhook configuration; absent fields stay.' })
export class UpdateWebhookConfigInput {
  @Field(() => String, {
    nullable: true,
    description:
      'HTTPS URL of the receiver, stored in its normal form without a fragment; null removes it, and no webhooks are stored any more. The URL of another endpoint is WEBHOOK_ENDPOINT_EXISTS.',
  })
  webhookUrl?: string | null;

  @Field(() => [String], {
    nullable: true,
    description: 'Names of the events to send, known names only; null goes back to the default events.',
  })
  webhookEvents?: string[] | null;

  @Field(() => String, {
    nullable: true,
    description:
      'The signing secret, 8 to 256 characters without a space at either end; null creates a new one, which the payload shows only this once. Webhooks that are already stored keep the former secret.',
  })
  webhookSecret?: string | null;

  @Field(() => WebhookOrdering, {
    nullable: true,
    description:
      'Order in which webhooks are sent, at all endpoints, if they are stored from then on; null goes back to NONE. Webhooks that wait already continue to wait.',
  })
  webhookOrdering?: `${WebhookOrdering}` | null;
}

@ObjectType({ description: 'The configuration after the change, or why it was not changed.' })
@RequiresAllScopes('partner', 'partner_admin')
export class UpdateWebhookConfigPayload {
  @Field(() => WebhookConfig, { nullable: true, description: 'The configuration; null on failure.' })
  webhookConfig!: WebhookConfig | null;

  @Field(() => String, {
    nullable: true,
    description: 'The new signing secret, if one was created, shown only this once; otherwise null.',
  })
  webhookSecret!: string | null;

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
    description: "Amount that is sent, fee included, in the source country's currency; more than the fee.",
  })
  amount!: string;
}

/** Turns a GraphQL input into the equal body of `POST /partner/pre-quote-lite`. */
export function toBody({ amount, ...input }: PreQuoteLiteInput): unknown {
  return { ...inputToBody(input), amount: new LosslessNumber(amount) };
}

@ObjectType({ description: 'The currencies of a quote.' })
export class PreQuoteCurrency {
  @Field(() => CurrencyCodeScalar, { description: 'Currency of the amount that is sent, and of the fee.' })
  source!: string;

  @Field(() => CurrencyCodeScalar, { description: 'Currency of the amount that arrives.' })
  destination!: string;
}

@ObjectType({ description: 'A quote for a transfer. Nothing is reserved.' })
@RequiresScopes('partner')
export class PreQuote {
  @Field(() => DecimalScalar, { description: 'Amount that is sent, fee included.' })
  send!: string;

  @Field(() => DecimalScalar, { description: 'Amount that arrives: (send - fee) times rate.' })
  receive!: string;

  @Field(() => DecimalScalar, { description: 'Units of the destination currency for one of the source.' })
  rate!: string;

  @Field(() => DecimalScalar, { description: "The partner's fee." })
  fee!: string;

  @Field(() => PreQuoteCurrency, { description: 'Currencies of the amounts.' })
  currency!: PreQuoteCurrency;
}

@ObjectType({ description: 'The quote, or why there is none.' })
@RequiresScopes('partner')
export class PreQuoteLitePayload {
  @Field(() => PreQuote, { nullable: true, description: 'The quote; null on failure.' })
  quote!: PreQuote | null;

  @Field(() => Int, {
    nullable: true,
    description: 'For the failure RATE_LIMITED: whole seconds to wait before the next try. Otherwise null.',
  })
  retryAfter!: number | null;

  @Field(() => [UserError], { description: 'Why the mutation failed; empty on success.' })
  userErrors!: UserError[];
}
