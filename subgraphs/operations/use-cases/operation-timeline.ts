import { toName } from '../../graph/text-enum.ts';
import {
  changeId,
  type StatusChangeEntry,
  type TimelineAction,
  type TimelineProblem,
  type TimelineRecord,
  type TimelineSource,
} from '../../graph/timeline.ts';
import type { OperationsDeps } from '../deps.ts';
import type { OperationStatus } from '../lifecycle.ts';
import type { OperationHistoryDocument, OperationRecord } from '../store/model.ts';

/** The next action of a partner for an operation in one of these statuses. */
const ACTIONS: Readonly<Partial<Record<OperationStatus, TimelineAction>>> = {
  Failed: 'REQUEST_AGAIN',
  Rejected: 'REQUEST_AGAIN',
  OnHold: 'ASK_OPERATOR',
};

/** In these statuses the payer has paid: after a failure they must not be asked again before somebody has looked. */
const PAID: ReadonlySet<OperationStatus> = new Set(['Funded', 'InTransit', 'ReadyForPickup']);

/** The timeline of operations: every move from one status to the next. */
export function operationTimeline({ operations }: Pick<OperationsDeps, 'operations'>): TimelineSource {
  return {
    type: 'Operation',
    read: async (accountId, operationId, most) => {
      const [found, moves] = await Promise.all([
        operations.findMany(accountId, [operationId]),
        operations.newestMoves(accountId, operationId, most),
      ]);
      const operation = found.get(operationId);
      return (
        operation && {
          entries: moves.map(toEntry),
          related: relatedTo(operation),
          deliveries: [],
          problems: problemsOf(operation, moves.at(-1)),
          isCut: (moves[0]?.version ?? 1) > 1,
        }
      );
    },
  };
}

function toEntry(move: OperationHistoryDocument): StatusChangeEntry {
  const { operationId: id, version, previousStatus, status, statusDetails, at } = move;
  return {
    __typename: 'TimelineStatusChange',
    id: changeId({ type: 'Operation', id }, version),
    at,
    subject: 'OPERATION',
    subjectId: id,
    previousStatus: previousStatus === null ? null : toName(previousStatus),
    status: toName(status),
    statusDetails,
  };
}

/** An atomic call has the id of the operation that it creates. */
function relatedTo({ operationId, linkId, requestReferenceId }: OperationRecord): TimelineRecord[] {
  return [
    { type: 'Remittance', id: operationId },
    ...(linkId === undefined ? [] : [{ type: 'Link' as const, id: linkId }]),
    ...(requestReferenceId === undefined ? [] : [{ type: 'RequestMoney' as const, id: requestReferenceId }]),
  ];
}

/** Whether an operation failed after the money had arrived from the payer. @param last its newest move */
export function failedAfterPayment(
  operation: Pick<OperationRecord, 'status' | 'heldFrom'>,
  last: OperationHistoryDocument | undefined,
): boolean {
  return operation.status === 'Failed' && PAID.has(statusBefore(operation, last));
}

function statusBefore(
  { status, heldFrom }: Pick<OperationRecord, 'status' | 'heldFrom'>,
  last: OperationHistoryDocument | undefined,
): OperationStatus {
  return heldFrom ?? last?.previousStatus ?? status;
}

function problemsOf(
  operation: OperationRecord,
  last: OperationHistoryDocument | undefined,
): TimelineProblem[] {
  const { status, statusDetails, failureReason, updatedAt } = operation;
  const before = statusBefore(operation, last);
  const nextAction = failedAfterPayment(operation, last) ? 'CONTACT_SUPPORT' : ACTIONS[status];
  return nextAction === undefined
    ? []
    : [
        {
          step: toName(before),
          code: null,
          message: failureReason ?? statusDetails,
          nextAction,
          at: last?.at ?? updatedAt,
          nextAttemptAt: null,
        },
      ];
}
