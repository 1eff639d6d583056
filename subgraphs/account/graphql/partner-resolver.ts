import { Arg, Ctx, Mutation, Query, Resolver } from 'type-graphql';
import { authorize } from '../../platform/graphql/authorize.ts';
import {
  DocumentedMutation,
  type MutationCall,
  toPayload,
} from '../../platform/graphql/documented-mutation.ts';
import { RequiresAllScopes, RequiresScopes } from '../../platform/graphql/requires-scopes.ts';
import { toUserErrors } from '../../platform/graphql/user-error.type.ts';
import type { RequestContext } from '../../platform/principal.ts';
import type { PartnerRecord, PartnerService } from '../service.ts';
import {
  Partner,
  type PartnerEnvironment,
  PreQuoteLiteInput,
  PreQuoteLitePayload,
  RegenerateWebhookSecretPayload,
  toBody,
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

  @DocumentedMutation({
    scopes: ['partner'],
    payload: () => PreQuoteLitePayload,
    graphql: {
      description: 'Prices a transfer without making one; 30 times a minute for each API key.',
      input: { type: () => PreQuoteLiteInput, description: 'The transfer.', toBody },
    },
    rest: {
      field: 'preQuoteLiteFromJson',
      description: 'POST /partner/pre-quote-lite: the body as it was sent.',
    },
  })
  async preQuoteLite({ principal, body }: MutationCall): Promise<PreQuoteLitePayload> {
    const quoted = await this.#partner.preQuote(principal, body);
    const payload = toPayload('quote', quoted, (quote) => ({ ...quote }));
    return { ...payload, retryAfter: quoted.retryAfterSeconds ?? null };
  }
}

function toPartner({ partnerId, environment, ...partner }: PartnerRecord): Partner {
  return { id: partnerId, environment: environment as PartnerEnvironment, ...partner };
}
