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
  description: 'Where the money of a key is real.',
  valuesConfig: {
    SANDBOX: { description: 'For trying out: no money moves.' },
    LIVE: { description: 'Money moves.' },
  },
});

export enum WebhookOrdering {
  NONE = 'NONE',
  PER_ENTITY = 'PER_ENTITY',
}
registerEnumType(WebhookOrdering, {
  name: 'WebhookOrdering',
  description: 'How webhooks follow each other.',
  valuesConfig: {
    NONE: { description: 'Each is sent as soon as it is stored, whatever became of earlier ones.' },
    PER_ENTITY: {
      description:
        'One about a reference or a link is sent once all earlier ones about it, to the same URL, are delivered or dead-lettered.',
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

  @Field(() => [String], { description: 'Flows of links that the partner may make.' })
  flows!: readonly string[];
}

@ObjectType({ description: "Where the partner's webhooks go, and which." })
@RequiresScopes('partner')
export class WebhookConfig {
  @Field(() => String, { nullable: true, description: 'HTTPS URL of the receiver; null: no webhooks.' })
  webhookUrl!: string | null;

  @Field(() => String, {
    nullable: true,
    description:
      'The signing secret, all but its first six and last two characters left out; null: there is none.',
  })
  webhookSecretPreview!: string | null;

  @Field(() => Boolean, { description: 'Whether webhooks are signed.' })
  hasWebhookSecret!: boolean;

  @Field(() => [String], { description: 'Names of the events that are sent.' })
  webhookEvents!: readonly string[];

  @Field(() => WebhookOrdering, {
    description: 'How webhooks follow each other; NONE unless it was changed.',
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

@InputType({ description: 'What to change of the webhook configuration; what is absent stays.' })
export class UpdateWebhookConfigInput {
  @Field(() => String, {
    nullable: true,
    description: 'HTTPS URL of the receiver; null removes it, and no webhooks are stored any more.',
  })
  webhookUrl?: string | null;

  @Field(() => [String], {
    nullable: true,
    description:
      'Names of the events to be sent, each of them known; null goes back to the events of a partner that names none.',
  })
  webhookEvents?: string[] | null;

  @Field(() => String, {
    nullable: true,
    description:
      'The signing secret, 8 to 256 characters without a space at either end; null has a new one made, which the payload shows this once. Webhooks that are stored already keep the former secret.',
  })
  webhookSecret?: string | null;

  @Field(() => WebhookOrdering, {
    nullable: true,
    description:
      'How webhooks that are stored from then on follow each other, at all endpoints; null goes back to NONE. Those that wait already go on waiting.',
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
    description: 'The new signing secret, shown this once, where one was to be made; null else.',
  })
  webhookSecret!: string | null;

  @Field(() => [UserError], { description: 'Why the mutation failed; empty on success.' })
  userErrors!: UserError[];
}

@InputType({ description: 'A transfer to be priced.' })
export class PreQuoteLiteInput {
  @Field(() => String, { description: 'Country that the sender pays in, ISO 3166-1 alpha-2.' })
  sourceCountry!: string;

  @Field(() => String, { description: 'Country that the recipient is paid in, ISO 3166-1 alpha-2.' })
  destinationCountry!: string;

  @Field(() => String, { description: 'Currency that the recipient is paid in, ISO 4217.' })
  destinationCurrency!: string;

  @Field(() => PayoutMethod, { description: 'How the recipient is paid out.' })
  payoutMethod!: PayoutMethod;

  @Field(() => DecimalScalar, {
    description: "What is sent, fee included, in the source country's currency: over the fee.",
  })
  amount!: string;
}

/** The body of `POST /partner/pre-quote-lite` that means the same as a GraphQL input. */
export function toBody({ amount, ...input }: PreQuoteLiteInput): unknown {
  return { ...inputToBody(input), amount: new LosslessNumber(amount) };
}

@ObjectType({ description: 'The currencies of a quote.' })
export class PreQuoteCurrency {
  @Field(() => CurrencyCodeScalar, { description: 'Currency of what is sent and of the fee.' })
  source!: string;

  @Field(() => CurrencyCodeScalar, { description: 'Currency of what arrives.' })
  destination!: string;
}

@ObjectType({ description: 'What a transfer would come to. Nothing is reserved.' })
@RequiresScopes('partner')
export class PreQuote {
  @Field(() => DecimalScalar, { description: 'What is sent, fee included.' })
  send!: string;

  @Field(() => DecimalScalar, { description: 'What arrives: (send - fee) times rate.' })
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
