import type { OperationStatus } from '../operations/index.ts';
import { MONEY_REQUEST_STATUSES, type MoneyRequestStatus } from '../webhook-events/values.ts';

export { MONEY_REQUEST_STATUSES, type MoneyRequestStatus };

interface MoneyRequestState {
  /** The statuses that may follow. */
  readonly next: readonly MoneyRequestStatus[];
  /** The default of `statusDetails`. */
  readonly details: string;
  /** The status to which the fulfilling operation moves, unless it has it; absent when no operation is needed yet. */
  readonly operation?: OperationStatus;
  /** Whether this status creates the fulfilling operation; otherwise only an existing operation follows. */
  readonly createsOperation?: boolean;
  /** Whether a move to this status fails while the user is blocked. */
  readonly needsUnblockedUser?: boolean;
  /** Whether the partner may cancel a money request in this status (decisions, section 8, "Cancelling by the partner"). */
  readonly isCancellable?: boolean;
}

/** The states of a money request as one table (decisions, sections 3 and 7). */
export const MONEY_REQUEST_STATES: Readonly<Record<MoneyRequestStatus, MoneyRequestState>> = {
  // Created; waits for the payer.
  pending: {
    next: ['processing', 'completed', 'rejected', 'cancelled'],
    details: 'AwaitingPayment',
    isCancellable: true,
  },
  // The payer is paying; waits for the settlement.
  processing: {
    next: ['completed', 'rejected', 'cancelled'],
    details: 'PaymentInProgress',
    operation: 'Funding',
    createsOperation: true,
    needsUnblockedUser: true,
  },
  completed: {
    next: [],
    details: 'Funded',
    operation: 'Completed',
    createsOperation: true,
    needsUnblockedUser: true,
  },
  rejected: { next: [], details: 'PaymentFailed', operation: 'Rejected' },
  cancelled: { next: [], details: 'Cancelled', operation: 'Cancelled' },
};

/** The statuses of money requests that have not ended. */
export const OPEN_STATUSES = MONEY_REQUEST_STATUSES.filter(
  (status) => MONEY_REQUEST_STATES[status].next.length > 0,
);

/** The relation of a status update to the state of the money request. */
type Move = 'move' | 'unchanged' | 'details' | 'illegal';

/**
 * The effect of an update: a move of the table; nothing, when status and details stay; other details in a status that is not
 * final; or an illegal move.
 */
export function classifyMove(
  from: { status: MoneyRequestStatus; statusDetails: string },
  to: { status: MoneyRequestStatus; statusDetails?: string | undefined },
): Move {
  if (from.status !== to.status) {
    return MONEY_REQUEST_STATES[from.status].next.includes(to.status) ? 'move' : 'illegal';
  }
  if (to.statusDetails === undefined || to.statusDetails === from.statusDetails) {
    return 'unchanged';
  }
  return MONEY_REQUEST_STATES[from.status].next.length > 0 ? 'details' : 'illegal';
}

/** Whether an event may have moved a money request so, from null when it was made. */
export function mayHaveMoved(from: string | null, to: string): boolean {
  if (from === null) {
    return to === 'pending';
  }
  const status = MONEY_REQUEST_STATUSES.find((one) => one === from);
  const next: readonly string[] = status ? MONEY_REQUEST_STATES[status].next : [];
  return next.includes(to) || (from === to && next.length > 0);
}
