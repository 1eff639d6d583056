import {
  causeOfCancel,
  reasonIn,
  type VerdictCause,
  type VerdictFacts,
  type VerdictSource,
} from '../../graph/verdict.ts';
import type { OperationsDeps } from '../deps.ts';
import { hasPaid, type OperationStatus } from '../lifecycle.ts';
import type { OperationHistoryDocument, OperationRecord } from '../store/model.ts';
import { explainFailure, reasonOf } from './operation-failure.ts';
import { actionFor, endedAfterPayment } from './operation-timeline.ts';

/** The cause of each status that is no failure, without a reason that says more. */
const CAUSES: Readonly<Record<Exclude<OperationStatus, 'Failed' | 'Rejected'>, VerdictCause>> = {
  Sent: 'WAITING_FOR_PAYER',
  Accepted: 'WAITING_FOR_PAYMENT',
  Funding: 'PAYING',
  Funded: 'PAID',
  InTransit: 'PAYOUT_UNDER_WAY',
  ReadyForPickup: 'CASH_READY',
  OnHold: 'UNDER_REVIEW',
  Completed: 'COMPLETED',
  Cancelled: 'CANCELLED',
};

/** The verdicts on operations, by their statuses. */
export function operationVerdicts({ operations }: Pick<OperationsDeps, 'operations'>): VerdictSource {
  return {
    type: 'Operation',
    read: async (accountId, ids) => {
      const [found, moves] = await Promise.all([
        operations.findMany(accountId, ids),
        operations.findMoves(accountId, ids),
      ]);
      return new Map([...found].map(([id, operation]) => [id, verdictOf(operation, moves.get(id) ?? [])]));
    },
  };
}

/** @param moves all moves of the operation, oldest first */
function verdictOf(operation: OperationRecord, moves: readonly OperationHistoryDocument[]): VerdictFacts {
  const { status, statusDetails, updatedAt } = operation;
  // Other details of the same status are a move, too.
  const since = moves.findLast(({ previousStatus }) => previousStatus !== status)?.at ?? updatedAt;
  const base = { since, actBy: null, next: actionFor(status, moves) ?? null };
  const reason = reasonOf(operation);
  switch (status) {
    case 'Failed':
    case 'Rejected':
      return { ...base, ...explainFailure(operation, endedAfterPayment(status, moves)) };
    case 'Cancelled': {
      const cause = endedAfterPayment(status, moves) ? undefined : causeOfCancel(statusDetails);
      return { ...base, cause: cause ?? CAUSES[status], reason: cause ? null : reasonIn(reason) };
    }
    case 'OnHold':
      return {
        ...base,
        cause: CAUSES[status],
        reason: reasonIn(reason),
        detail: moves.some((move) => hasPaid(move.status)) ? 'HELD_AFTER_PAYMENT' : 'HELD_BEFORE_PAYMENT',
      };
    default:
      return {
        ...base,
        cause: status === 'Sent' && operation.isIgnored ? 'PAYER_IGNORED' : CAUSES[status],
        reason: null,
      };
  }
}
