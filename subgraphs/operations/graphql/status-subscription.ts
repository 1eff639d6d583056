import { Arg, Ctx, ID, Resolver, Root, Subscription } from 'type-graphql';
import type { Result } from '../../platform/errors/result.ts';
import type { FollowOptions, LoggedEvent } from '../../platform/events/index.ts';
import { authorize, unwrap } from '../../platform/graphql/authorize.ts';
import { RequiresScopes } from '../../platform/graphql/requires-scopes.ts';
import type { RequestContext } from '../../platform/principal.ts';
import type { OperationService } from '../service.ts';
import { type OperationStatus, OperationStatusEvent, toOperation } from './operation.type.ts';

/** Follows the event log of one tenant; refuses a cursor that is not good. */
export type FollowEvents = (options: FollowOptions) => Promise<Result<AsyncIterableIterator<LoggedEvent>>>;

interface OperationStatusDeps {
  operations: Pick<OperationService, 'findByIds'>;
  follow: FollowEvents;
}

interface StatusArgs {
  operationId?: string | null;
  userId?: string | null;
  after?: string | null;
}

/** The resolver of the live statuses. Made by a function because `subscribe` of a decorator sees no instance. */
export function createStatusResolver({ operations, follow }: OperationStatusDeps): object {
  @Resolver()
  class OperationStatusResolver {
    @RequiresScopes('partner')
    @Subscription(() => OperationStatusEvent, {
      description:
        "Changes of status of the partner's operations, in order for each operation, without gap or duplicate. The creation is one too.",
      subscribe: ({ args, context }) => subscribe(follow, args, context),
    })
    async operationStatusChanged(
      @Root() event: LoggedEvent,
      @Arg('operationId', () => ID, {
        nullable: true,
        description: 'Only this operation; all of them when absent.',
      })
      _operationId: string | null,
      @Arg('userId', () => ID, {
        nullable: true,
        description: 'Only operations of this user; of all users when absent.',
      })
      _userId: string | null,
      @Arg('after', () => String, {
        nullable: true,
        description: 'Everything behind this cursor first, then what happens. From now on when absent.',
      })
      _after: string | null,
      @Ctx() context: RequestContext,
    ): Promise<OperationStatusEvent> {
      const found = await operations.findByIds(authorize(context), [event.entityId]);
      const operation = found.get(event.entityId);
      return { ...toStatusEvent(event), operation: operation ? toOperation(operation) : null };
    }
  }
  return new OperationStatusResolver();
}

/** A subscription tells refusals when it starts: there is no event to tell them in. */
async function subscribe(
  follow: FollowEvents,
  { operationId, userId, after }: StatusArgs,
  context: RequestContext,
): Promise<AsyncIterableIterator<LoggedEvent>> {
  const followed = await follow({
    tenantId: authorize(context).tenantId,
    entity: 'operation',
    entityId: operationId ?? undefined,
    matches: userId == null ? undefined : (event) => event.data.userId === userId,
    after: after ?? undefined,
    signal: context.signal ?? new AbortController().signal,
  });
  return unwrap(followed);
}

function toStatusEvent(event: LoggedEvent): Omit<OperationStatusEvent, 'operation'> {
  return {
    cursor: event.cursor,
    occurredAt: event.occurredAt,
    previousStatus: event.previousStatus as OperationStatus | null,
    status: event.status as OperationStatus,
    statusDetails: event.statusDetails ?? null,
  };
}
