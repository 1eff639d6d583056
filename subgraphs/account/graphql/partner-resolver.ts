import { Arg, Ctx, Mutation, Query, Resolver } from 'type-graphql';
import { authorize } from '../../graph/authorize.ts';
import { DocumentedMutation, type MutationCall, toPayload } from '../../graph/documented-mutation.ts';
import { RequiresAllScopes, RequiresScopes } from '../../graph/requires-scopes.ts';
import { toUserErrors } from '../../graph/user-error.type.ts';
import type { RequestContext } from '../../kernel/principal.ts';
import type { Quota } from '../../runtime/limits/partner-limiter.ts';
import type { PartnerRecord, PartnerService } from '../service.ts';
import type { FourEyes } from '../use-cases/four-eyes.ts';
import { presentApproval } from './approval.type.ts';
import {
  Partner,
  PartnerEnvironment,
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
  constructor(
    private readonly partner: PartnerService,
    private readonly fourEyes: Pick<FourEyes, 'perform'>,
  ) {}

  @RequiresScopes('partner')
  @Query(() => Partner, { description: 'Partner that the API key belongs to.' })
  async me(@Ctx() context: RequestContext): Promise<Partner> {
    return toPartner(await this.partner.me(authorize(context)));
  }

  @RequiresScopes('partner')
  @Query(() => WebhookConfig, {
    description: "Configuration of the partner's webhooks: URL, events, secret and order.",
  })
  webhookConfig(@Ctx() context: RequestContext): Promise<WebhookConfig> {
    return this.partner.webhookConfig(authorize(context));
  }

  @RequiresAllScopes('partner', 'partner_admin')
  @Mutation(() => RegenerateWebhookSecretPayload, {
    description:
      'Creates a new signing secret for webhooks. Within 2 seconds, all new webhooks are signed with it; webhooks that are already stored keep the former secret.',
  })
  async regenerateWebhookSecret(@Ctx() context: RequestContext): Promise<RegenerateWebhookSecretPayload> {
    const made = await this.fourEyes.perform(authorize(context), 'regenerateWebhookSecret', {});
    if (!made.ok) {
      return { webhookSecret: null, message: null, userErrors: toUserErrors(made.failures) };
    }
    const { done: webhookSecret, pendingApproval } = made.value;
    return webhookSecret === null
      ? {
          ...{ webhookSecret, message: null, userErrors: [] },
          pendingApproval: pendingApproval && presentApproval(pendingApproval),
        }
      : { webhookSecret, message: SHOWN_ONCE, userErrors: [] };
  }

  @RequiresAllScopes('partner', 'partner_admin')
  @Mutation(() => UpdateWebhookConfigPayload, {
    description:
      'Changes the URL, events, their version, signing secret, order, signature scheme and own headers of webhooks. Webhooks that are already stored keep their URL, body, secret, scheme and headers.',
  })
  async updateWebhookConfig(
    @Arg('input', () => UpdateWebhookConfigInput, { description: 'The changes.' })
    input: UpdateWebhookConfigInput,
    @Ctx() context: RequestContext,
  ): Promise<UpdateWebhookConfigPayload> {
    const updated = await this.fourEyes.perform(authorize(context), 'updateWebhookConfig', input);
    const nothing = { webhookConfig: null, webhookSecret: null };
    if (!updated.ok) {
      return { ...nothing, userErrors: toUserErrors(updated.failures) };
    }
    const { done, pendingApproval } = updated.value;
    return done
      ? { webhookConfig: done.config, webhookSecret: done.madeSecret, userErrors: [] }
      : { ...nothing, pendingApproval: presentApproval(pendingApproval), userErrors: [] };
  }

  @DocumentedMutation({
    scopes: ['partner', 'partner_write'],
    payload: () => PreQuoteLitePayload,
    graphql: {
      description:
        'Quotes a transfer without creating one. By default, each API key can make 30 calls a minute.',
      input: { type: () => PreQuoteLiteInput, description: 'The transfer.', toBody },
    },
    rest: {
      field: 'preQuoteLiteFromJson',
      description: 'POST /partner/pre-quote-lite: the body as it was sent.',
    },
  })
  async preQuoteLite({ principal, body }: MutationCall): Promise<PreQuoteLitePayload> {
    const quoted = await this.partner.preQuote(principal, body);
    const payload = toPayload('quote', quoted, (quote) => ({ ...quote }));
    return {
      ...payload,
      retryAfter: quoted.retryAfterSeconds ?? null,
      quotas: quoted.quotas.map(toCallQuota),
    };
  }
}

function toCallQuota({ limit, left }: Quota) {
  const { remaining, resetSeconds } = left ?? { remaining: null, resetSeconds: null };
  return { ...limit, remaining, resetSeconds };
}

const ENVIRONMENTS: Readonly<Record<PartnerRecord['environment'], PartnerEnvironment>> = {
  sandbox: PartnerEnvironment.SANDBOX,
  live: PartnerEnvironment.LIVE,
};

function toPartner({ partnerId, environment, ...partner }: PartnerRecord): Partner {
  return { id: partnerId, environment: ENVIRONMENTS[environment], ...partner };
}
