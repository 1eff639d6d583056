import {
  explainEnd,
  type PaymentAction,
  type VerdictCause,
  type VerdictFacts,
  type VerdictSource,
} from '../../graph/verdict.ts';
import type { OperationsDeps } from '../deps.ts';
import { detailsOf, type OperationStatus } from '../lifecycle.ts';
import type { OperationRecord } from '../store/model.ts';
import { failedAfterPayment } from './operation-timeline.ts';

/** The cause of each status, without a reason that says more. */
const CAUSES: Readonly<Record<OperationStatus, VerdictCause>> = {
  Sent: 'WAITING_FOR_PAYER',
  Accepted: 'WAITING_FOR_PAYMENT',
  Funding: 'PAYING',
  Funded: 'PAID',
  InTransit: 'PAYOUT_UNDER_WAY',
  ReadyForPickup: 'CASH_READY',
  OnHold: 'UNDER_REVIEW',
  Completed: 'COMPLETED',
  Rejected: 'REJECTED',
  Failed: 'PAYMENT_FAILED',
  Cancelled: 'CANCELLED',
};

const NEXT: Readonly<Partial<Record<OperationStatus, PaymentAction>>> = {
  OnHold: 'ASK_OPERATOR',
  Rejected: 'REQUEST_AGAIN',
  Failed: 'REQUEST_AGAIN',
};

/** The details of a cancelled operation that have a cause of their own: those of its money request. */
const CANCELLED: Readonly<Record<string, VerdictCause>> = {
  Expired: 'EXPIRED',
  CancelledByPartner: 'CANCELLED_BY_PARTNER',
};

/** The verdicts on operations, by their status; of a failed one also by the status before. */
export function operationVerdicts({ operations }: Pick<OperationsDeps, 'operations'>): VerdictSource {
  return {
    type: 'Operation',
    read: async (accountId, ids) => {
      const found = await operations.findMany(accountId, ids);
      const failed = [...found.values()].filter(({ status }) => status === 'Failed');
      const moves =
        failed.length === 0
          ? undefined
          : await operations.findMoves(
              accountId,
              failed.map(({ operationId }) => operationId),
            );
      return new Map(
        [...found].map(([id, operation]) => [
          id,
          verdictOf(operation, failedAfterPayment(operation, moves?.get(id)?.at(-1))),
        ]),
      );
    },
  };
}

/** @param hasPaid whether it failed after the money had arrived: then nobody may ask the payer again before somebody has looked */
export function verdictOf(operation: OperationRecord, hasPaid: boolean): VerdictFacts {
  const { status, statusDetails, updatedAt: since } = operation;
  const base = { since, actBy: null };
  if (hasPaid) {
    const reason = operation.failureReason ?? null;
    return { ...base, cause: 'PAYOUT_FAILED', reason, next: 'CONTACT_SUPPORT' };
  }
  const cause =
    status === 'Sent' && operation.isIgnored
      ? 'PAYER_IGNORED'
      : ((status === 'Cancelled' ? CANCELLED[statusDetails] : undefined) ?? CAUSES[status]);
  const next = NEXT[status] ?? null;
  const given = statusDetails === detailsOf(status) ? undefined : statusDetails;
  const reason = operation.failureReason ?? given;
  switch (status) {
    case 'Failed':
    case 'Rejected':
      return { ...base, ...explainEnd(cause, reason), next };
    case 'Cancelled':
    case 'OnHold':
      return { ...base, cause, reason: cause === CAUSES[status] ? (reason ?? null) : null, next };
    default:
      return { ...base, cause, reason: null, next };
  }
}
