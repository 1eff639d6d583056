import { Arg, Ctx, ID, Resolver, Root, Subscription } from 'type-graphql';
import type { LoggedEvent } from '../../../platform/events/index.ts';
import { authorize, unwrap } from '../../../platform/graphql/authorize.ts';
import { RequiresScopes } from '../../../platform/graphql/requires-scopes.ts';
import type { RequestContext } from '../../../platform/principal.ts';
import type { FollowEvents } from '../../graphql/status-subscription.ts';
import type { RemittanceService } from '../service.ts';
import {
  RemittanceEvent,
  type RemittancePhase,
  type RemittanceStatus,
  toRemittance,
} from './remittance.type.ts';

interface RemittanceSubscriptionDeps {
  remittances: Pick<RemittanceService, 'findByIds' | 'now'>;
  follow: FollowEvents;
}

interface ChangedArgs {
  correlationId?: string | null;
  after?: string | null;
}

/** The resolver of live remittances. Made by a function because `subscribe` of a decorator sees no instance. */
export function createRemittanceSubscription({ remittances, follow }: RemittanceSubscriptionDeps): object {
  @Resolver()
  class RemittanceSubscriptionResolver {
    @RequiresScopes('partner')
    @Subscription(() => RemittanceEvent, {
      description:
        "Moves of the partner's atomic calls, in order for each, without gap or duplicate: acceptance, phases, end.",
      subscribe: ({ args, context }) => subscribe(follow, args, context),
    })
    async remittanceChanged(
      @Root() event: LoggedEvent,
      @Arg('correlationId', () => ID, {
        nullable: true,
        description: 'Only this one; all of them when absent.',
      })
      _correlationId: string | null,
      @Arg('after', () => String, {
        nullable: true,
        description: 'Everything behind this cursor first, then what happens. From now on when absent.',
      })
      _after: string | null,
      @Ctx() context: RequestContext,
    ): Promise<RemittanceEvent> {
      const found = await remittances.findByIds(authorize(context), [event.entityId]);
      const remittance = found.get(event.entityId);
      return {
        cursor: event.cursor,
        occurredAt: event.occurredAt,
        previousStatus: event.previousStatus as RemittanceStatus | null,
        status: event.status as RemittanceStatus,
        phase: event.statusDetails as RemittancePhase,
        remittance: remittance ? toRemittance(remittance, remittances.now()) : null,
      };
    }
  }
  return new RemittanceSubscriptionResolver();
}

/** A subscription tells refusals when it starts: there is no event to tell them in. */
async function subscribe(
  follow: FollowEvents,
  { correlationId, after }: ChangedArgs,
  context: RequestContext,
): Promise<AsyncIterableIterator<LoggedEvent>> {
  const followed = await follow({
    tenantId: authorize(context).tenantId,
    entity: 'remittance',
    entityId: correlationId ?? undefined,
    after: after ?? undefined,
    signal: context.signal ?? new AbortController().signal,
  });
  return unwrap(followed);
}
