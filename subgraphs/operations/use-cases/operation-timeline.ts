import { toName } from '../../graph/text-enum.ts';
import {
  changeId,
  type StatusChangeEntry,
  type TimelineProblem,
  type TimelineRecord,
  type TimelineSource,
} from '../../graph/timeline.ts';
import type { PaymentAction } from '../../graph/verdict.ts';
import type { OperationsDeps } from '../deps.ts';
import { hasPaid, type OperationStatus, UNSUCCESSFUL } from '../lifecycle.ts';
import type { OperationHistoryDocument, OperationRecord } from '../store/model.ts';

/** The next action of a partner for an operation in one of these statuses. */
const ACTIONS: Readonly<Partial<Record<OperationStatus, PaymentAction>>> = {
  Failed: 'REQUEST_AGAIN',
  Rejected: 'REQUEST_AGAIN',
  OnHold: 'ASK_OPERATOR',
};

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
          problems: problemsOf(operation, moves),
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

/**
 * The next action of a partner for an operation; undefined when there is none. Once the payer has paid, no end advises to ask
 * for the money again.
 * @param moves all of its moves
 */
export function actionFor(
  status: OperationStatus,
  moves: readonly OperationHistoryDocument[],
): PaymentAction | undefined {
  return endedAfterPayment(status, moves) ? 'CONTACT_SUPPORT' : ACTIONS[status];
}

/**
 * Whether an operation ended without a payout after the money had arrived from the payer. Nobody may ask the payer again before
 * support has checked it.
 * @param moves all of its moves
 */
export function endedAfterPayment(
  status: OperationStatus,
  moves: readonly OperationHistoryDocument[],
): boolean {
  return UNSUCCESSFUL.has(status) && moves.some((move) => hasPaid(move.status));
}

function problemsOf(
  { status, statusDetails, failureReason, updatedAt }: OperationRecord,
  moves: readonly OperationHistoryDocument[],
): TimelineProblem[] {
  const last = moves.at(-1);
  const nextAction = actionFor(status, moves);
  return nextAction === undefined
    ? []
    : [
        {
          step: toName(status === 'OnHold' ? status : (last?.previousStatus ?? status)),
          code: null,
          message: failureReason ?? statusDetails,
          nextAction,
          at: last?.at ?? updatedAt,
          nextAttemptAt: null,
        },
      ];
}
