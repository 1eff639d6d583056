import { ID } from 'type-graphql';
import { createEventSubscription, type FollowEvents, toStatusMove } from '../../graph/event-subscription.ts';
import type { OperationService } from '../service.ts';
import { OperationStatus, OperationStatusEvent, toOperation } from './operation.type.ts';

interface OperationStatusDeps {
  operations: Pick<OperationService, 'findByIds'>;
  follow: FollowEvents;
}

/** The resolver of `operationStatusChanged`. */
export function createStatusResolver({ operations, follow }: OperationStatusDeps): object {
  return createEventSubscription<OperationStatusEvent, 'operation'>(
    {
      name: 'operationStatusChanged',
      description:
        "Status changes of the partner's operations, in order for each operation, without gaps or duplicates. The first event of an operation is its creation.",
      type: OperationStatusEvent,
      entity: 'operation',
      arguments: {
        operationId: {
          type: () => ID,
          description: 'Only events of this operation; of all operations when absent.',
          narrows: 'entity',
        },
        userId: {
          type: () => ID,
          description: "Only events of this user's operations; of all users when absent.",
          narrows: (event, userId) => event.data.userId === userId,
        },
      },
      toPayload: (event) => ({
        ...toStatusMove(OperationStatus, event),
        statusDetails: event.statusDetails ?? null,
      }),
      loaded: {
        operation: async ({ entityId }, principal) => {
          const operation = (await operations.findByIds(principal, [entityId])).get(entityId);
          return operation ? toOperation(operation) : null;
        },
      },
    },
    follow,
  );
}
