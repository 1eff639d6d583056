/** Every status of an operation (document 1, "States and transitions"). */
export const OPERATION_STATUSES = [
  'Sent',
  'Funding',
  'Funded',
  'Accepted',
  'Rejected',
  'ReadyForPickup',
  'Completed',
  'Failed',
  'OnHold',
  'InTransit',
  'Cancelled',
] as const;

export type OperationStatus = (typeof OPERATION_STATUSES)[number];

/** The status of a request by v2 before its operation: how it ended, or that it has not. */
export const REQUEST_STATUSES = ['IN_PROGRESS', 'SUCCEEDED', 'FAILED'] as const;

export type RequestStatus = (typeof REQUEST_STATUSES)[number];

/** The statuses of an operation in document 3. */
export const PARTNER_STATUSES = ['pending', 'processing', 'completed', 'failed', 'cancelled'] as const;

export type PartnerStatus = (typeof PARTNER_STATUSES)[number];

/** The status of document 3 for each status (decisions, section 4, "Operation status here"). */
export const PARTNER_STATUS_OF: Readonly<Record<OperationStatus, PartnerStatus>> = {
  Sent: 'pending',
  Accepted: 'pending',
  Funding: 'pending',
  Funded: 'processing',
  InTransit: 'processing',
  OnHold: 'processing',
  ReadyForPickup: 'processing',
  Completed: 'completed',
  Rejected: 'failed',
  Failed: 'failed',
  Cancelled: 'cancelled',
};

/** The statuses of operations that have not ended. */
export const OPEN_STATUSES = OPERATION_STATUSES.filter((status) =>
  ['pending', 'processing'].includes(PARTNER_STATUS_OF[status]),
);

/** The statuses in which an operation ended without a payout. */
export const UNSUCCESSFUL: ReadonlySet<OperationStatus> = new Set(['Failed', 'Rejected', 'Cancelled']);

/** The statuses to which the fulfilling operation may move a money request. */
export type FulfilledMoneyRequestStatus = 'processing' | 'completed' | 'rejected' | 'cancelled';

/** In these statuses the money has arrived from the payer, and is not paid out yet. */
const PAID: ReadonlySet<OperationStatus> = new Set(['Funded', 'InTransit', 'ReadyForPickup']);

/** Whether an operation in this status has the payer's money. On hold it may have it, too. */
export function hasPaid(status: OperationStatus): boolean {
  return PAID.has(status);
}

/** The meaning of each status for the money request that the operation fulfils (decisions, section 7). */
export const MONEY_REQUEST_STATUS_OF: Readonly<Record<OperationStatus, FulfilledMoneyRequestStatus>> = {
  Sent: 'processing',
  Accepted: 'processing',
  Funding: 'processing',
  Funded: 'processing',
  InTransit: 'processing',
  OnHold: 'processing',
  ReadyForPickup: 'processing',
  Completed: 'completed',
  Rejected: 'rejected',
  Failed: 'rejected',
  Cancelled: 'cancelled',
};

/** Whether a move to this status fails while the user is blocked (decisions, section 7, "Blocked users"). */
export function needsUnblockedUser(status: OperationStatus): boolean {
  return PARTNER_STATUS_OF[status] === 'processing' || PARTNER_STATUS_OF[status] === 'completed';
}

/** The statuses that a status of document 3 includes. */
export function statusesBehind(status: PartnerStatus): OperationStatus[] {
  return OPERATION_STATUSES.filter((one) => PARTNER_STATUS_OF[one] === status);
}

/** The statuses that may follow a status (decisions, section 2). From `OnHold` an operation may also go back. */
const TRANSITIONS: Readonly<Record<OperationStatus, readonly OperationStatus[]>> = {
  // Requested; waits for the payer.
  Sent: ['Funding', 'Accepted', 'Rejected', 'Cancelled', 'OnHold'],
  // The payer is paying; waits for the money.
  Funding: ['Funded', 'Failed', 'Cancelled', 'OnHold'],
  // The payer agreed; waits for the payment.
  Accepted: ['Funding', 'Funded', 'Rejected', 'Cancelled', 'OnHold'],
  // The money has arrived; waits for the payout.
  Funded: ['InTransit', 'ReadyForPickup', 'Completed', 'Failed', 'OnHold'],
  // The payout is under way; waits for its arrival.
  InTransit: ['ReadyForPickup', 'Completed', 'Failed', 'OnHold'],
  // The cash is ready; waits for the requester.
  ReadyForPickup: ['Completed', 'Failed', 'Cancelled'],
  // Held for review; waits for a decision.
  OnHold: ['Rejected', 'Failed', 'Cancelled'],
  Completed: [],
  Failed: [],
  Rejected: [],
  Cancelled: [],
};

/** The default of `statusDetails`: `RequestSent` for a new request (decisions, section 2), otherwise the status itself. */
export function detailsOf(status: OperationStatus): string {
  return status === 'Sent' ? 'RequestSent' : status;
}

/** The fields of an operation that decide its moves. */
interface OperationState {
  readonly status: OperationStatus;
  readonly statusDetails: string;
  /** The status that an operation on hold came from. */
  readonly heldFrom?: OperationStatus;
}

/** The relation of a status update to the state of the operation. */
export type MoveKind = 'move' | 'unchanged' | 'details' | 'illegal';

/**
 * The effect of an update: a move of the table, or from `OnHold` back; nothing, when status and details stay; other details
 * in a status that is not final; or an illegal move.
 */
export function classifyMove(
  from: OperationState,
  to: { status: OperationStatus; statusDetails?: string | undefined },
): MoveKind {
  if (from.status !== to.status) {
    return canMove(from.status, to.status, from.heldFrom) ? 'move' : 'illegal';
  }
  if (to.statusDetails === undefined || to.statusDetails === from.statusDetails) {
    return 'unchanged';
  }
  return TRANSITIONS[from.status].length > 0 ? 'details' : 'illegal';
}

/**
 * Whether `to` may follow `from`.
 * @param heldFrom the status that an operation on hold came from
 */
export function canMove(from: OperationStatus, to: OperationStatus, heldFrom?: OperationStatus): boolean {
  return TRANSITIONS[from].includes(to) || (from === 'OnHold' && heldFrom === to);
}

/**
 * The moves by which an operation follows its money request: none when they agree already, undefined when the operation has
 * ended differently. When a money request ends, the operation ends with it from any state (decisions, section 7): by the
 * moves of the table to `Completed` if they lead there (from `OnHold` they begin with the status before it); to any other end
 * at once.
 */
export function transitionsToMatch(from: OperationState, to: OperationStatus): OperationStatus[] | undefined {
  if (MONEY_REQUEST_STATUS_OF[from.status] === MONEY_REQUEST_STATUS_OF[to]) {
    return [];
  }
  if (MONEY_REQUEST_STATUS_OF[from.status] !== 'processing') {
    return undefined;
  }
  if (to !== 'Completed') {
    return [to];
  }
  const released = from.status === 'OnHold' && from.heldFrom !== undefined ? [from.heldFrom] : [];
  const path = pathTo(released[0] ?? from.status, to);
  return path ? [...released, ...path] : [to];
}

/**
 * The shortest path of allowed moves from a status to another, without the first status and with the last; undefined without
 * a path. `OnHold` is never on the path.
 */
export function pathTo(from: OperationStatus, to: OperationStatus): OperationStatus[] | undefined {
  const queue: { at: OperationStatus; path: OperationStatus[] }[] = [{ at: from, path: [] }];
  const seen = new Set<OperationStatus>([from]);
  for (let head = queue.shift(); head; head = queue.shift()) {
    const { at, path } = head;
    if (at === to) {
      return path;
    }
    for (const next of TRANSITIONS[at].filter((status) => status !== 'OnHold' && !seen.has(status))) {
      seen.add(next);
      queue.push({ at: next, path: [...path, next] });
    }
  }
  return undefined;
}
