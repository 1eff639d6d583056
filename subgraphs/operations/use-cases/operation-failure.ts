import { explainEnd, type FailureCause, reasonIn } from '../../graph/verdict.ts';
import { detailsOf, hasPaid, type OperationStatus } from '../lifecycle.ts';

/** The end of an operation. */
interface OperationEnd {
  readonly status: OperationStatus;
  readonly statusDetails: string;
  /** In plain text. */
  readonly failureReason?: string | undefined;
}

/** The reason that somebody gave for the state of an operation: details that are not the default count as one. */
export function reasonOf({ status, statusDetails, failureReason }: OperationEnd): string | undefined {
  return failureReason ?? (statusDetails === detailsOf(status) ? undefined : statusDetails);
}

/**
 * The cause and the reason of a failed or rejected operation.
 * @param isPaid whether the money had arrived from the payer
 */
export function explainFailure(
  end: OperationEnd,
  isPaid: boolean,
): { readonly cause: FailureCause; readonly reason: string | null } {
  const reason = reasonOf(end);
  return isPaid
    ? { cause: 'PAYOUT_FAILED', reason: reasonIn(reason) }
    : explainEnd(end.status === 'Failed' ? 'PAYMENT_FAILED' : 'REJECTED', reason);
}

/**
 * The cause with which a move fails an operation, as its verdict has it; undefined for other moves.
 * @param from the status before
 * @param heldFrom the status that an operation on hold came from
 */
export function failureCauseOf(
  end: OperationEnd,
  {
    from,
    heldFrom,
  }: { readonly from: OperationStatus | null; readonly heldFrom?: OperationStatus | undefined },
): FailureCause | undefined {
  // An operation that is paid stays so, or is on hold.
  const before = from === 'OnHold' ? heldFrom : from;
  return end.status === 'Failed' || end.status === 'Rejected'
    ? explainFailure(end, before != null && hasPaid(before)).cause
    : undefined;
}
