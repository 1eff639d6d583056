import { Arg, Ctx, FieldResolver, Int, Mutation, Resolver, Root } from 'type-graphql';
import { authorize } from '../../graph/authorize.ts';
import { RequiresAllScopes } from '../../graph/requires-scopes.ts';
import { toUserErrors } from '../../graph/user-error.type.ts';
import type { AccountId } from '../../kernel/account.ts';
import { type Result, succeed } from '../../kernel/errors/result.ts';
import type { RequestContext } from '../../kernel/principal.ts';
import { SUBSCRIBABLE_EVENTS } from '../../webhook-events/catalogue.ts';
import type { EndpointView } from '../../webhooks/endpoint-view.ts';
import type { EndpointReport, PartnerEndpoints } from '../../webhooks/partner-endpoints.ts';
import type { FourEyes, Performed } from '../use-cases/four-eyes.ts';
import { presentApproval } from './approval.type.ts';
import {
  CreateWebhookEndpointInput,
  DeleteWebhookEndpointInput,
  UpdateWebhookEndpointInput,
  WebhookBreakerState,
  WebhookEndpoint,
  WebhookEndpointHealth,
  WebhookEndpointInput,
  WebhookEndpointPayload,
} from './endpoint.type.ts';
import { Partner } from './partner.type.ts';
import { RotateWebhookSecretInput, RotateWebhookSecretPayload } from './signing.type.ts';

@Resolver(() => Partner)
export class WebhookEndpointResolver {
  constructor(
    private readonly endpoints: PartnerEndpoints,
    private readonly fourEyes: Pick<FourEyes, 'perform'>,
    private readonly eventVersions: () => readonly number[],
  ) {}

  @FieldResolver(() => [WebhookEndpoint], {
    description:
      'Webhook endpoints: first the endpoint of webhookConfig, if it has a URL, then up to 10 more, oldest first.',
  })
  async webhookEndpoints(@Ctx() context: RequestContext): Promise<WebhookEndpoint[]> {
    const { accountId } = authorize(context);
    return presentEndpoints(this.endpoints, accountId, await this.endpoints.list(accountId));
  }

  @FieldResolver(() => [String], { description: 'Names of the events that an endpoint can choose.' })
  webhookEventNames(): readonly string[] {
    return SUBSCRIBABLE_EVENTS;
  }

  @FieldResolver(() => [Int], {
    description:
      'Versions of the event catalogue that an endpoint can choose, oldest first. A version is no longer one of them from its announced end on.',
  })
  webhookEventVersions(): readonly number[] {
    return this.eventVersions();
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
    const principal = authorize(context);
    const created = await this.fourEyes.perform(principal, 'createWebhookEndpoint', input);
    const done = created.ok ? created.value.done : null;
    const answer = this.#answerOf(principal.accountId, created, (made) => made.endpoint);
    return { ...answer, webhookSecret: done?.madeSecret ?? null };
  }

  @RequiresAllScopes('partner', 'partner_write', 'partner_webhooks')
  @Mutation(() => WebhookEndpointPayload, {
    description:
      "Changes an endpoint's URL, events, their version, description, signature scheme and own headers within 2 seconds. Webhooks that are already stored keep their URL, body, scheme and headers; replayWebhookDeliveries with toCurrentUrl sends them to the new one.",
  })
  async updateWebhookEndpoint(
    @Arg('input', () => UpdateWebhookEndpointInput, { description: 'The changes.' })
    input: UpdateWebhookEndpointInput,
    @Ctx() context: RequestContext,
  ): Promise<WebhookEndpointPayload> {
    const principal = authorize(context);
    const updated = await this.fourEyes.perform(principal, 'updateWebhookEndpoint', input);
    return this.#answerOf(principal.accountId, updated, (endpoint) => endpoint);
  }

  @RequiresAllScopes('partner', 'partner_write', 'partner_webhooks')
  @Mutation(() => WebhookEndpointPayload, {
    description:
      'Deletes an endpoint. Within 2 seconds nothing more is sent to it. A webhook that waits for it becomes DEAD_LETTERED with the error endpoint_deleted when its next attempt is due.',
  })
  async deleteWebhookEndpoint(
    @Arg('input', () => DeleteWebhookEndpointInput, { description: 'The endpoint.' })
    input: DeleteWebhookEndpointInput,
    @Ctx() context: RequestContext,
  ): Promise<WebhookEndpointPayload> {
    const principal = authorize(context);
    const removed = await this.fourEyes.perform(principal, 'deleteWebhookEndpoint', input);
    return this.#answerOf(principal.accountId, removed, (endpoint) => endpoint);
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
    const rotated = await this.fourEyes.perform(authorize(context), 'rotateWebhookSecret', input ?? {});
    const nothing = { webhookSecret: null, formerUntil: null };
    if (!rotated.ok) {
      return { ...nothing, userErrors: toUserErrors(rotated.failures) };
    }
    const { done, pendingApproval } = rotated.value;
    return done
      ? { webhookSecret: done.secret, formerUntil: done.formerUntil, userErrors: [] }
      : { ...nothing, pendingApproval: presentApproval(pendingApproval), userErrors: [] };
  }

  /** The payload of a change that may need an approval. */
  #answerOf<Done>(
    accountId: AccountId,
    result: Result<Performed<Done>>,
    endpointOf: (done: Done) => EndpointView,
  ): WebhookEndpointPayload {
    if (!result.ok) {
      return this.#answer(accountId, result);
    }
    const { done, pendingApproval } = result.value;
    return pendingApproval
      ? {
          ...{ webhookEndpoint: null, webhookSecret: null, userErrors: [] },
          pendingApproval: presentApproval(pendingApproval),
        }
      : this.#answer(accountId, succeed(endpointOf(done)));
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
  return views.map(({ endpoint: _endpoint, publicKeys, ...view }, index) => ({
    ...view,
    publicKeys: publicKeys.map(({ id, bytes, until }) => ({
      id,
      publicKey: `whpk_${bytes.toString('base64')}`,
      until,
    })),
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
    hours: health?.hours ?? [],
    latency: health?.latency ?? [],
    pending,
    oldestDueAt,
  };
}
