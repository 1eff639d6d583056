import { Arg, Ctx, Resolver, Root, Subscription } from 'type-graphql';
import type { Result } from '../../platform/errors/result.ts';
import type { FollowOptions, LoggedEvent } from '../../platform/events/index.ts';
import { authorize, unwrap } from '../../platform/graphql/authorize.ts';
import { RequiresScopes } from '../../platform/graphql/requires-scopes.ts';
import type { RequestContext } from '../../platform/principal.ts';
import type { Deliveries } from '../../platform/webhooks/deliveries.ts';
import type { DeliveryError } from '../../platform/webhooks/model.ts';
import { toPartnerError } from '../../platform/webhooks/partner-error.ts';
import { presentDeliveries, WebhookDeliveryEvent, WebhookDeliveryStatus } from './delivery.type.ts';

export interface DeliveryStatusDeps {
  deliveries: Pick<Deliveries, 'findByIds' | 'attempts'>;
  /** Follows the event log of one tenant; refuses a cursor that is not good. */
  follow(options: FollowOptions): Promise<Result<AsyncIterableIterator<LoggedEvent>>>;
}

interface StatusArgs {
  status?: WebhookDeliveryStatus | null;
  after?: string | null;
}

/** The resolver of the live statuses. Made by a function because `subscribe` of a decorator sees no instance. */
export function createDeliveryStatusResolver({ deliveries, follow }: DeliveryStatusDeps): object {
  @Resolver()
  class WebhookDeliveryStatusResolver {
    @RequiresScopes('partner')
    @Subscription(() => WebhookDeliveryEvent, {
      description:
        "Changes of status of the partner's webhooks, in order for each, without gap or duplicate. That one is stored is such a change too.",
      subscribe: ({ args, context }) => subscribe(follow, args, context),
    })
    async webhookDeliveryChanged(
      @Root() event: LoggedEvent,
      @Arg('status', () => WebhookDeliveryStatus, {
        nullable: true,
        description: 'Only changes to this status; all when absent.',
      })
      _status: WebhookDeliveryStatus | null,
      @Arg('after', () => String, {
        nullable: true,
        description: 'Everything behind this cursor first, then what happens. From now on when absent.',
      })
      _after: string | null,
      @Ctx() context: RequestContext,
    ): Promise<WebhookDeliveryEvent> {
      const { tenantId } = authorize(context);
      const found = [...(await deliveries.findByIds(tenantId, [event.entityId])).values()];
      const [delivery = null] = presentDeliveries(found, (ids) => deliveries.attempts(tenantId, ids));
      return { ...toStatusEvent(event), delivery };
    }
  }
  return new WebhookDeliveryStatusResolver();
}

/** A subscription tells refusals when it starts: there is no event to tell them in. */
async function subscribe(
  follow: DeliveryStatusDeps['follow'],
  { status, after }: StatusArgs,
  context: RequestContext,
): Promise<AsyncIterableIterator<LoggedEvent>> {
  const followed = await follow({
    tenantId: authorize(context).tenantId,
    entity: 'webhookDelivery',
    matches: status == null ? undefined : (event) => event.status === status,
    after: after ?? undefined,
    signal: context.signal ?? new AbortController().signal,
  });
  return unwrap(followed);
}

function toStatusEvent(event: LoggedEvent): Omit<WebhookDeliveryEvent, 'delivery'> {
  return {
    cursor: event.cursor,
    occurredAt: event.occurredAt,
    previousStatus: event.previousStatus as WebhookDeliveryStatus | null,
    status: event.status as WebhookDeliveryStatus,
    statusDetails: event.statusDetails == null ? null : toPartnerError(event.statusDetails as DeliveryError),
  };
}
