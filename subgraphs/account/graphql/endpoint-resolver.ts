import { Arg, Ctx, FieldResolver, Mutation, Resolver, Root } from 'type-graphql';
import { authorize } from '../../graph/authorize.ts';
import { RequiresAllScopes } from '../../graph/requires-scopes.ts';
import { toUserErrors } from '../../graph/user-error.type.ts';
import type { AccountId } from '../../kernel/account.ts';
import { type Result, succeed } from '../../kernel/errors/result.ts';
import type { RequestContext } from '../../kernel/principal.ts';
import type { EndpointReport, EndpointView, PartnerEndpoints } from '../../webhooks/partner-endpoints.ts';
import {
  CreateWebhookEndpointInput,
  DeleteWebhookEndpointInput,
  RotateWebhookSecretInput,
  RotateWebhookSecretPayload,
  UpdateWebhookEndpointInput,
  WebhookBreakerState,
  WebhookEndpoint,
  WebhookEndpointHealth,
  WebhookEndpointInput,
  WebhookEndpointPayload,
} from './endpoint.type.ts';
import { Partner } from './partner.type.ts';

@Resolver(() => Partner)
export class WebhookEndpointResolver {
  constructor(private readonly endpoints: PartnerEndpoints) {}

  @FieldResolver(() => [WebhookEndpoint], {
    description:
      'Webhook endpoints: first the endpoint of webhookConfig, if it has a URL, then up to 10 more, oldest first.',
  })
  async webhookEndpoints(@Ctx() context: RequestContext): Promise<WebhookEndpoint[]> {
    const { accountId } = authorize(context);
    return presentEndpoints(this.endpoints, accountId, await this.endpoints.list(accountId));
  }

  @RequiresAllScopes('partner', 'partner_write', 'partner_webhooks')
  @Mutation(() => WebhookEndpointPayload, {
    description:
      "Adds a webhook endpoint. Each event is sent to every endpoint that includes it in its events, with a separate delivery id and the endpoint's own secret. A partner can have 10 endpoints besides the first.",
  })
  async createWebhookEndpoint(
    @Arg('input', () => CreateWebhookEndpointInput, { description: 'The endpoint to create.' })
    input: CreateWebhookEndpointInput,
    @Ctx() context: RequestContext,
  ): Promise<WebhookEndpointPayload> {
    const { accountId } = authorize(context);
    const created = await this.endpoints.create(accountId, input);
    return created.ok
      ? {
          ...this.#answer(accountId, succeed(created.value.endpoint)),
          webhookSecret: created.value.madeSecret,
        }
      : this.#answer(accountId, created);
  }

  @RequiresAllScopes('partner', 'partner_write', 'partner_webhooks')
  @Mutation(() => WebhookEndpointPayload, {
    description:
      "Changes an endpoint's URL and events within 2 seconds. Webhooks that are already stored keep their URL.",
  })
  async updateWebhookEndpoint(
    @Arg('input', () => UpdateWebhookEndpointInput, { description: 'The changes.' })
    { id, ...input }: UpdateWebhookEndpointInput,
    @Ctx() context: RequestContext,
  ): Promise<WebhookEndpointPayload> {
    const { accountId } = authorize(context);
    return this.#answer(accountId, await this.endpoints.update(accountId, id, input));
  }

  @RequiresAllScopes('partner', 'partner_write', 'partner_webhooks')
  @Mutation(() => WebhookEndpointPayload, {
    description: 'Deletes an endpoint. Webhooks that are already stored are still sent to it.',
  })
  async deleteWebhookEndpoint(
    @Arg('input', () => DeleteWebhookEndpointInput, { description: 'The endpoint.' })
    { id }: DeleteWebhookEndpointInput,
    @Ctx() context: RequestContext,
  ): Promise<WebhookEndpointPayload> {
    const { accountId } = authorize(context);
    return this.#answer(accountId, await this.endpoints.remove(accountId, id));
  }

  @RequiresAllScopes('partner', 'partner_write', 'partner_webhooks')
  @Mutation(() => WebhookEndpointPayload, {
    description:
      'Pauses an endpoint within 2 seconds. Its webhooks, old and new, are kept until the endpoint is resumed; none is lost.',
  })
  async pauseWebhookEndpoint(
    @Arg('input', () => WebhookEndpointInput, { description: 'The endpoint.' })
    { id }: WebhookEndpointInput,
    @Ctx() context: RequestContext,
  ): Promise<WebhookEndpointPayload> {
    const { accountId } = authorize(context);
    return this.#answer(accountId, await this.endpoints.pause(accountId, id));
  }

  @RequiresAllScopes('partner', 'partner_write', 'partner_webhooks')
  @Mutation(() => WebhookEndpointPayload, {
    description: 'Resumes a paused endpoint: webhooks that were kept are sent, the longest overdue first.',
  })
  async resumeWebhookEndpoint(
    @Arg('input', () => WebhookEndpointInput, { description: 'The endpoint.' })
    { id }: WebhookEndpointInput,
    @Ctx() context: RequestContext,
  ): Promise<WebhookEndpointPayload> {
    const { accountId } = authorize(context);
    return this.#answer(accountId, await this.endpoints.resume(accountId, id));
  }

  @RequiresAllScopes('partner', 'partner_admin')
  @Mutation(() => RotateWebhookSecretPayload, {
    description:
      'Replaces the signing secret of an endpoint. Within 2 seconds, all new webhooks are signed with the new secret; webhooks that are already stored keep the former one. Without an overlap, former secrets no longer sign new webhooks.',
  })
  async rotateWebhookSecret(
    @Arg('input', () => RotateWebhookSecretInput, {
      nullable: true,
      description: 'The endpoint and the overlap; the first endpoint, without an overlap, when absent.',
    })
    input: RotateWebhookSecretInput | null,
    @Ctx() context: RequestContext,
  ): Promise<RotateWebhookSecretPayload> {
    const { accountId } = authorize(context);
    const rotated = await this.endpoints.rotateSecret(accountId, input ?? {});
    return rotated.ok
      ? { webhookSecret: rotated.value.secret, formerUntil: rotated.value.formerUntil, userErrors: [] }
      : { webhookSecret: null, formerUntil: null, userErrors: toUserErrors(rotated.failures) };
  }

  #answer(accountId: AccountId, result: Result<EndpointView>): WebhookEndpointPayload {
    if (!result.ok) {
      return { webhookEndpoint: null, webhookSecret: null, userErrors: toUserErrors(result.failures) };
    }
    const [webhookEndpoint = null] = presentEndpoints(this.endpoints, accountId, [result.value]);
    return { webhookEndpoint, webhookSecret: null, userErrors: [] };
  }
}

@Resolver(() => WebhookEndpoint)
export class WebhookEndpointHealthResolver {
  @FieldResolver(() => WebhookEndpointHealth, {
    description: 'Health of the endpoint, and webhooks that wait for it.',
  })
  health(@Root() endpoint: WebhookEndpoint): Promise<WebhookEndpointHealth> {
    return endpoint.findHealth();
  }
}

/** The health of all endpoints is read when that of one is needed. */
function presentEndpoints(
  { report }: Pick<PartnerEndpoints, 'report'>,
  accountId: AccountId,
  views: readonly EndpointView[],
): WebhookEndpoint[] {
  let reports: Promise<EndpointReport[]> | undefined;
  return views.map(({ endpoint: _endpoint, ...view }, index) => ({
    ...view,
    findHealth: async () => {
      reports ??= report(accountId, views);
      const own = (await reports)[index];
      if (!own) {
        throw new TypeError('Every endpoint has a report');
      }
      return presentReport(own);
    },
  }));
}

function presentReport({ health, pending, oldestDueAt }: EndpointReport): WebhookEndpointHealth {
  const { successRate = null, p50Ms = null, p95Ms = null, pausedAt = null } = health ?? {};
  return {
    successRate,
    attempts: Object.values(health?.attempts ?? {}).reduce((sum, count) => sum + count, 0),
    p50Ms,
    p95Ms,
    lastError: health?.lastError ?? null,
    lastSuccessAt: health?.lastSuccessAt ?? null,
    breaker: WebhookBreakerState[health?.breaker.state ?? 'CLOSED'],
    probeAt: health?.breaker.probeAt ?? null,
    pausedAt,
    pending,
    oldestDueAt,
  };
}
