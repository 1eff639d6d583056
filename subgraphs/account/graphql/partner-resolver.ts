import { LosslessNumber } from 'lossless-json';
import { Arg, Ctx, Directive, Mutation, Query, Resolver } from 'type-graphql';
import { authorize } from '../../platform/graphql/authorize.ts';
import { RequiresAllScopes, RequiresScopes } from '../../platform/graphql/requires-scopes.ts';
import { toUserErrors } from '../../platform/graphql/user-error.type.ts';
import { parseJson } from '../../platform/json/parse-json.ts';
import type { RequestContext } from '../../platform/principal.ts';
import type { PartnerRecord, PartnerService } from '../service.ts';
import {
  Partner,
  type PartnerEnvironment,
  PreQuoteLiteInput,
  PreQuoteLitePayload,
  RegenerateWebhookSecretPayload,
  UpdateWebhookConfigInput,
  UpdateWebhookConfigPayload,
  WebhookConfig,
} from './partner.type.ts';

const SHOWN_ONCE =
  'Store this secret now: it is shown only in this answer. Webhooks that are stored already keep the former secret.';

@Resolver()
export class PartnerResolver {
  readonly #partner: PartnerService;

  constructor(partner: PartnerService) {
    this.#partner = partner;
  }

  @RequiresScopes('partner')
  @Query(() => Partner, { description: 'The partner that the API key belongs to.' })
  async me(@Ctx() context: RequestContext): Promise<Partner> {
    return toPartner(await this.#partner.me(authorize(context)));
  }

  @RequiresScopes('partner')
  @Query(() => WebhookConfig, { description: "Where the partner's webhooks go, and which." })
  webhookConfig(@Ctx() context: RequestContext): Promise<WebhookConfig> {
    return this.#partner.webhookConfig(authorize(context));
  }

  @RequiresAllScopes('partner', 'partner_admin')
  @Mutation(() => RegenerateWebhookSecretPayload, {
    description:
      'Makes the signing secret of webhooks anew. Those that are stored already keep the former one; within 2 seconds all new ones have the new one.',
  })
  async regenerateWebhookSecret(@Ctx() context: RequestContext): Promise<RegenerateWebhookSecretPayload> {
    const webhookSecret = await this.#partner.regenerateWebhookSecret(authorize(context));
    return { webhookSecret, message: SHOWN_ONCE, userErrors: [] };
  }

  @RequiresAllScopes('partner', 'partner_admin')
  @Mutation(() => UpdateWebhookConfigPayload, {
    description:
      'Changes where webhooks go, which are sent, and the secret that they are signed with; those that are stored already stay as they are.',
  })
  async updateWebhookConfig(
    @Arg('input', () => UpdateWebhookConfigInput, { description: 'What to change.' })
    input: UpdateWebhookConfigInput,
    @Ctx() context: RequestContext,
  ): Promise<UpdateWebhookConfigPayload> {
    const updated = await this.#partner.updateWebhookConfig(authorize(context), input);
    return updated.ok
      ? { webhookConfig: updated.value.config, webhookSecret: updated.value.madeSecret, userErrors: [] }
      : { webhookConfig: null, webhookSecret: null, userErrors: toUserErrors(updated.failures) };
  }

  @RequiresScopes('partner')
  @Mutation(() => PreQuoteLitePayload, {
    description: 'Prices a transfer without making one; 30 times a minute for each API key.',
  })
  preQuoteLite(
    @Arg('input', () => PreQuoteLiteInput, { description: 'The transfer.' }) input: PreQuoteLiteInput,
    @Ctx() context: RequestContext,
  ): Promise<PreQuoteLitePayload> {
    return this.#preQuote(context, { ...input, amount: new LosslessNumber(input.amount) });
  }

  @RequiresScopes('partner')
  @Mutation(() => PreQuoteLitePayload, {
    description: 'POST /partner/pre-quote-lite: the body as it was sent.',
  })
  @Directive('@inaccessible')
  preQuoteLiteFromJson(
    @Arg('body', () => String, { description: 'The JSON text of the request.' }) body: string,
    @Ctx() context: RequestContext,
  ): Promise<PreQuoteLitePayload> {
    return this.#preQuote(context, parseJson(body)?.value);
  }

  async #preQuote(context: RequestContext, body: unknown): Promise<PreQuoteLitePayload> {
    const quoted = await this.#partner.preQuote(authorize(context), body);
    return quoted.ok
      ? { quote: { ...quoted.value }, retryAfter: null, userErrors: [] }
      : {
          quote: null,
          retryAfter: quoted.retryAfterSeconds ?? null,
          userErrors: toUserErrors(quoted.failures),
        };
  }
}

function toPartner({ partnerId, environment, ...partner }: PartnerRecord): Partner {
  return { id: partnerId, environment: environment as PartnerEnvironment, ...partner };
}
