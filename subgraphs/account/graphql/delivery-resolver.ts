import {
  Arg,
  Args,
  Ctx,
  Field,
  FieldResolver,
  ID,
  InputType,
  Mutation,
  Query,
  Resolver,
  Root,
  registerEnumType,
} from 'type-graphql';
import { authorize } from '../../graph/authorize.ts';
import { mapConnection } from '../../graph/connection.ts';
import { requireFew, SortDirection, TimeRangeInput, toTimeCondition } from '../../graph/listing.ts';
import { LONGEST_SPAN_DAYS } from '../../graph/longest-span.ts';
import { PageArgs } from '../../graph/page-args.ts';
import { RequiresAllScopes, RequiresScopes } from '../../graph/requires-scopes.ts';
import { toUserErrors } from '../../graph/user-error.type.ts';
import type { AccountId } from '../../kernel/account.ts';
import type { Result } from '../../kernel/errors/result.ts';
import type { RequestContext } from '../../kernel/principal.ts';
import type { Deliveries, DeliveryListing } from '../../webhooks/deliveries.ts';
import type { Delivery } from '../../webhooks/present.ts';
import type { TestEvent } from '../use-cases/send-test-event.ts';
import {
  presenterOf,
  ReplayWebhookDeliveryInput,
  SendTestWebhookInput,
  SendWebhookDeliveryNowInput,
  WebhookAttempt,
  WebhookDelivery,
  WebhookDeliveryConnection,
  WebhookDeliveryPayload,
  WebhookDeliveryStatus,
} from './delivery.type.ts';

@InputType({ description: 'Filter of webhooks. A webhook must match all given conditions.' })
class WebhookDeliveryWhereInput {
  @Field(() => [WebhookDeliveryStatus], {
    nullable: true,
    description: 'Only records in one of these statuses.',
  })
  status?: WebhookDeliveryStatus[] | null;

  @Field(() => String, { nullable: true, description: 'Only webhooks of this event.' })
  event?: string | null;

  @Field(() => ID, {
    nullable: true,
    description: `Only webhooks whose \`endpointId\` is this id. Requires a \`createdAt\` with both ends at most ${LONGEST_SPAN_DAYS} days apart.`,
  })
  endpointId?: string | null;

  @Field(() => TimeRangeInput, { nullable: true, description: 'Only webhooks of events in this time range.' })
  createdAt?: TimeRangeInput | null;
}

enum WebhookDeliverySortField {
  CREATED_AT = 'createdAt',
}
registerEnumType(WebhookDeliverySortField, {
  name: 'WebhookDeliverySortField',
  description: 'Key by which a list of webhooks is ordered.',
  valuesConfig: { CREATED_AT: { description: 'When the event happened.' } },
});

@InputType({ description: 'The order of a list of webhooks.' })
class WebhookDeliverySortInput {
  @Field(() => WebhookDeliverySortField, { description: 'Field to order by.' })
  field!: WebhookDeliverySortField;

  @Field(() => SortDirection, { nullable: true, description: 'Direction of the order; DESC when absent.' })
  direction?: SortDirection | null;
}

/**
 * Each combination has an index (model.ts), in which the endpoint comes last.
 * @throws GraphQLError BAD_USER_INPUT for an endpoint without a short time range
 */
function toListing(
  where: WebhookDeliveryWhereInput | null | undefined,
  sortBy: WebhookDeliverySortInput | null | undefined,
): DeliveryListing {
  const createdAt = toTimeCondition(where?.createdAt);
  const { status, event, endpointId } = where ?? {};
  requireFew(endpointId == null ? [] : ['endpointId'], { createdAt: where?.createdAt, selective: {} });
  return {
    ...(status == null ? {} : { status }),
    ...(event == null ? {} : { event }),
    ...(endpointId == null ? {} : { endpointId }),
    ...(createdAt === undefined ? {} : { createdAt }),
    direction: sortBy?.direction ?? SortDirection.DESC,
  };
}

interface WebhookDeliveryDeps {
  deliveries: Deliveries;
  sendTest(accountId: AccountId, test: TestEvent): Promise<Result<Delivery>>;
}

@Resolver(() => WebhookDelivery)
export class WebhookDeliveryResolver {
  constructor(private readonly deps: WebhookDeliveryDeps) {}

  @RequiresScopes('partner')
  @Query(() => WebhookDelivery, {
    nullable: true,
    description: "The partner's webhook with this id; null if there is none.",
  })
  async webhookDelivery(
    @Arg('id', () => ID, { description: 'X-Webhook-Delivery-Id of the webhook.' }) id: string,
    @Ctx() context: RequestContext,
  ): Promise<WebhookDelivery | null> {
    const { accountId } = authorize(context);
    const found = await this.deps.deliveries.findByIds(accountId, [id]);
    const delivery = found.get(id);
    return delivery ? this.#present(accountId, delivery) : null;
  }

  @RequiresScopes('partner')
  @Query(() => WebhookDeliveryConnection, { description: "The partner's webhooks." })
  async webhookDeliveries(
    @Args(() => PageArgs) page: PageArgs,
    @Arg('where', () => WebhookDeliveryWhereInput, {
      nullable: true,
      description: 'Filter; all webhooks when absent.',
    })
    where: WebhookDeliveryWhereInput | null,
    @Arg('sortBy', () => WebhookDeliverySortInput, {
      nullable: true,
      description: 'Order of the results; newest first when absent.',
    })
    sortBy: WebhookDeliverySortInput | null,
    @Ctx() context: RequestContext,
  ): Promise<WebhookDeliveryConnection> {
    const { accountId } = authorize(context);
    const found = await this.deps.deliveries.list(accountId, toListing(where, sortBy), page);
    return mapConnection(found, this.#presenterOf(accountId, found.nodes), WebhookDeliveryConnection);
  }

  @FieldResolver(() => [WebhookAttempt], {
    description:
      'Attempts, oldest first. Attempts are kept for 30 days, unless the operator changes WEBHOOK_RETENTION_DAYS.',
  })
  attempts(@Root() delivery: WebhookDelivery): Promise<WebhookAttempt[]> {
    return delivery.findAttempts();
  }

  @RequiresAllScopes('partner', 'partner_webhooks')
  @Mutation(() => WebhookDeliveryPayload, {
    description:
      'Sends a DELIVERED or DEAD_LETTERED webhook again, with the same id, URL, secret and bytes, and with as many attempts as a new webhook. Fails for a PENDING webhook, which will be sent anyway. With toCurrentUrl, it is sent to the URL that its endpoint has now, even if it is PENDING for a former URL; this fails during an attempt, and if the endpoint was deleted or has no URL.',
  })
  async replayWebhookDelivery(
    @Arg('input', () => ReplayWebhookDeliveryInput, { description: 'The webhook.' })
    { id, toCurrentUrl }: ReplayWebhookDeliveryInput,
    @Ctx() context: RequestContext,
  ): Promise<WebhookDeliveryPayload> {
    const { accountId } = authorize(context);
    const to = toCurrentUrl ? 'current' : 'stored';
    return this.#answer(accountId, await this.deps.deliveries.replay(accountId, id, to));
  }

  @RequiresAllScopes('partner', 'partner_webhooks')
  @Mutation(() => WebhookDeliveryPayload, {
    description:
      'Makes the next attempt of a PENDING webhook due now. The attempt starts within 30 seconds, unless the endpoint is busy with others or the operator changes WEBHOOK_SWEEP_SECONDS. It is the next of its attempts, not an additional one: if it fails, the following attempt is due by the schedule. Fails while an attempt runs, while an earlier webhook about the same entity is not finished (webhookOrdering), while the endpoint is paused, and for a webhook that was never tried while the breaker of its endpoint is open.',
  })
  async sendWebhookDeliveryNow(
    @Arg('input', () => SendWebhookDeliveryNowInput, { description: 'The webhook.' })
    { id }: SendWebhookDeliveryNowInput,
    @Ctx() context: RequestContext,
  ): Promise<WebhookDeliveryPayload> {
    const { accountId } = authorize(context);
    return this.#answer(accountId, await this.deps.deliveries.sendNow(accountId, id));
  }

  @RequiresAllScopes('partner', 'partner_write', 'partner_webhooks')
  @Mutation(() => WebhookDeliveryPayload, {
    description: 'Sends a test webhook to the first endpoint or to the given one.',
  })
  async sendTestWebhook(
    @Arg('input', () => SendTestWebhookInput, {
      nullable: true,
      description: 'The event name and the endpoint.',
    })
    input: SendTestWebhookInput | null,
    @Ctx() context: RequestContext,
  ): Promise<WebhookDeliveryPayload> {
    const { accountId } = authorize(context);
    return this.#answer(accountId, await this.deps.sendTest(accountId, input ?? {}));
  }

  #answer(accountId: AccountId, result: Result<Delivery>): WebhookDeliveryPayload {
    return result.ok
      ? { webhookDelivery: this.#present(accountId, result.value), userErrors: [] }
      : { webhookDelivery: null, userErrors: toUserErrors(result.failures) };
  }

  #present(accountId: AccountId, delivery: Delivery): WebhookDelivery {
    return this.#presenterOf(accountId, [delivery])(delivery);
  }

  #presenterOf(accountId: AccountId, deliveries: readonly Delivery[]) {
    return presenterOf(deliveries, (ids) => this.deps.deliveries.attempts(accountId, ids));
  }
}
