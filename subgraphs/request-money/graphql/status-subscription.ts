import { Arg, Ctx, Resolver, Root, Subscription } from 'type-graphql';
import type { Result } from '../../platform/errors/result.ts';
import type { FollowOptions, LoggedEvent } from '../../platform/events/index.ts';
import { authorize, unwrap } from '../../platform/graphql/authorize.ts';
import { RequiresScopes } from '../../platform/graphql/requires-scopes.ts';
import type { RequestContext } from '../../platform/principal.ts';
import type { RequestMoneyService } from '../service.ts';
import { type RequestMoneyStatus, RequestMoneyStatusEvent, toRequestMoney } from './request-money.type.ts';

/** Follows the event log of one tenant; refuses a cursor that is not good. */
export type FollowEvents = (options: FollowOptions) => Promise<Result<AsyncIterableIterator<LoggedEvent>>>;

interface RequestMoneyStatusDeps {
  requestMoney: Pick<RequestMoneyService, 'findByReferences'>;
  follow: FollowEvents;
}

interface StatusArgs {
  referenceId?: string | null;
  after?: string | null;
}

/** The resolver of the live statuses. Made by a function because `subscribe` of a decorator sees no instance. */
export function createStatusResolver({ requestMoney, follow }: RequestMoneyStatusDeps): object {
  @Resolver()
  class RequestMoneyStatusResolver {
    @RequiresScopes('partner')
    @Subscription(() => RequestMoneyStatusEvent, {
      description:
        "Changes of status of the partner's asks, in order for each ask, without gap or duplicate. The creation is one too.",
      subscribe: ({ args, context }) => subscribe(follow, args, context),
    })
    async requestMoneyStatusChanged(
      @Root() event: LoggedEvent,
      @Arg('referenceId', () => String, {
        nullable: true,
        description: 'Only this ask; all of them when absent.',
      })
      _referenceId: string | null,
      @Arg('after', () => String, {
        nullable: true,
        description: 'Everything behind this cursor first, then what happens. From now on when absent.',
      })
      _after: string | null,
      @Ctx() context: RequestContext,
    ): Promise<RequestMoneyStatusEvent> {
      const found = await requestMoney.findByReferences(authorize(context), [event.entityId]);
      const moneyRequest = found.get(event.entityId);
      return { ...toStatusEvent(event), requestMoney: moneyRequest ? toRequestMoney(moneyRequest) : null };
    }
  }
  return new RequestMoneyStatusResolver();
}

/** A subscription tells refusals when it starts: there is no event to tell them in. */
async function subscribe(
  follow: FollowEvents,
  { referenceId, after }: StatusArgs,
  context: RequestContext,
): Promise<AsyncIterableIterator<LoggedEvent>> {
  const followed = await follow({
    tenantId: authorize(context).tenantId,
    entity: 'requestMoney',
    entityId: referenceId ?? undefined,
    after: after ?? undefined,
    signal: context.signal ?? new AbortController().signal,
  });
  return unwrap(followed);
}

function toStatusEvent(event: LoggedEvent): Omit<RequestMoneyStatusEvent, 'requestMoney'> {
  return {
    cursor: event.cursor,
    occurredAt: event.occurredAt,
    previousStatus: event.previousStatus as RequestMoneyStatus | null,
    status: event.status as RequestMoneyStatus,
    statusDetails: event.statusDetails ?? null,
  };
}
