import { Arg, Ctx, FieldResolver, Mutation, Resolver } from 'type-graphql';
import type { Result } from '../../platform/errors/result.ts';
import { authorize } from '../../platform/graphql/authorize.ts';
import { RequiresAllScopes } from '../../platform/graphql/requires-scopes.ts';
import { toUserErrors } from '../../platform/graphql/user-error.type.ts';
import type { RequestContext } from '../../platform/principal.ts';
import type { EndpointView, PartnerEndpoints } from '../../platform/webhooks/partner-endpoints.ts';
import {
  CreateWebhookEndpointInput,
  DeleteWebhookEndpointInput,
  RotateWebhookSecretInput,
  RotateWebhookSecretPayload,
  UpdateWebhookEndpointInput,
  WebhookEndpoint,
  WebhookEndpointPayload,
} from './endpoint.type.ts';
import { Partner } from './partner.type.ts';

@Resolver(() => Partner)
export class WebhookEndpointResolver {
  readonly #endpoints: PartnerEndpoints;

  constructor(endpoints: PartnerEndpoints) {
    this.#endpoints = endpoints;
  }

  @FieldResolver(() => [WebhookEndpoint], {
    description:
      'Where its webhooks go: the URL of webhookConfig first, if there is one, and at most 10 more, oldest first.',
  })
  async webhookEndpoints(@Ctx() context: RequestContext): Promise<WebhookEndpoint[]> {
    const { tenantId } = authorize(context);
    return (await this.#endpoints.list(tenantId)).map(present);
  }

  @RequiresAllScopes('partner', 'partner_admin')
  @Mutation(() => WebhookEndpointPayload, {
    description:
      'Adds a receiver of webhooks. Each event is stored for each receiver that wants it, with a delivery id and a secret of its own. At most 10 besides the first.',
  })
  async createWebhookEndpoint(
    @Arg('input', () => CreateWebhookEndpointInput, { description: 'The receiver.' })
    input: CreateWebhookEndpointInput,
    @Ctx() context: RequestContext,
  ): Promise<WebhookEndpointPayload> {
    const { tenantId } = authorize(context);
    const created = await this.#endpoints.create(tenantId, input);
    return created.ok
      ? { ...answer({ ok: true, value: created.value.endpoint }), webhookSecret: created.value.madeSecret }
      : answer(created);
  }

  @RequiresAllScopes('partner', 'partner_admin')
  @Mutation(() => WebhookEndpointPayload, {
    description:
      'Changes where an endpoint is and what it gets, within 2 seconds; webhooks that are stored already stay as they are.',
  })
  async updateWebhookEndpoint(
    @Arg('input', () => UpdateWebhookEndpointInput, { description: 'What to change.' })
    { id, ...input }: UpdateWebhookEndpointInput,
    @Ctx() context: RequestContext,
  ): Promise<WebhookEndpointPayload> {
    const { tenantId } = authorize(context);
    return answer(await this.#endpoints.update(tenantId, id, input));
  }

  @RequiresAllScopes('partner', 'partner_admin')
  @Mutation(() => WebhookEndpointPayload, {
    description: 'Takes an endpoint away. Webhooks that are stored already are still sent to it.',
  })
  async deleteWebhookEndpoint(
    @Arg('input', () => DeleteWebhookEndpointInput, { description: 'The endpoint.' })
    { id }: DeleteWebhookEndpointInput,
    @Ctx() context: RequestContext,
  ): Promise<WebhookEndpointPayload> {
    const { tenantId } = authorize(context);
    return answer(await this.#endpoints.remove(tenantId, id));
  }

  @RequiresAllScopes('partner', 'partner_admin')
  @Mutation(() => RotateWebhookSecretPayload, {
    description:
      'Replaces the signing secret of an endpoint, in force everywhere within 2 seconds; webhooks that are stored already keep the former one. Without an overlap no former secret signs any more what is stored from then on.',
  })
  async rotateWebhookSecret(
    @Arg('input', () => RotateWebhookSecretInput, {
      nullable: true,
      description: 'Which secret, and how; the first one without an overlap when absent.',
    })
    input: RotateWebhookSecretInput | null,
    @Ctx() context: RequestContext,
  ): Promise<RotateWebhookSecretPayload> {
    const { tenantId } = authorize(context);
    const rotated = await this.#endpoints.rotateSecret(tenantId, input ?? {});
    return rotated.ok
      ? { webhookSecret: rotated.value.secret, formerUntil: rotated.value.formerUntil, userErrors: [] }
      : { webhookSecret: null, formerUntil: null, userErrors: toUserErrors(rotated.failures) };
  }
}

function answer(result: Result<EndpointView>): WebhookEndpointPayload {
  return result.ok
    ? { webhookEndpoint: present(result.value), webhookSecret: null, userErrors: [] }
    : { webhookEndpoint: null, webhookSecret: null, userErrors: toUserErrors(result.failures) };
}

function present({ endpoint: _endpoint, ...view }: EndpointView): WebhookEndpoint {
  return view;
}
