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

/** How document 3 tells the status of an operation. */
export const PARTNER_STATUSES = ['pending', 'processing', 'completed', 'failed', 'cancelled'] as const;

export type PartnerStatus = (typeof PARTNER_STATUSES)[number];

/** Each status in the words of document 3 (decisions, section 4, "Operation status here"). */
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

/** Where the operation that fulfils an ask may take it. */
export type FulfilledMoneyRequestStatus = 'processing' | 'completed' | 'rejected' | 'cancelled';

/** What each status means to the ask that the operation fulfils (decisions, section 7). */
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

/** Whether a move to this status is refused while the user is blocked (decisions, section 7, "Blocked users"). */
export function needsUnblockedUser(status: OperationStatus): boolean {
  return PARTNER_STATUS_OF[status] === 'processing' || PARTNER_STATUS_OF[status] === 'completed';
}

/** The statuses that one of document 3 stands for. */
export function statusesBehind(status: PartnerStatus): OperationStatus[] {
  return OPERATION_STATUSES.filter((one) => PARTNER_STATUS_OF[one] === status);
}

/** Which statuses may follow a status (decisions, section 2). From `OnHold` an operation may also go back. */
const TRANSITIONS: Readonly<Record<OperationStatus, readonly OperationStatus[]>> = {
  // Asked for; awaits the payer.
  Sent: ['Funding', 'Accepted', 'Rejected', 'Cancelled', 'OnHold'],
  // The payer is paying; awaits the money.
  Funding: ['Funded', 'Failed', 'Cancelled', 'OnHold'],
  // The payer agreed; awaits the payment.
  Accepted: ['Funding', 'Funded', 'Rejected', 'Cancelled', 'OnHold'],
  // The money is in; awaits the payout.
  Funded: ['InTransit', 'ReadyForPickup', 'Completed', 'Failed', 'OnHold'],
  // The payout is under way; awaits its arrival.
  InTransit: ['ReadyForPickup', 'Completed', 'Failed', 'OnHold'],
  // Cash lies ready; awaits the requester.
  ReadyForPickup: ['Completed', 'Failed', 'Cancelled'],
  // Held for review; awaits a decision.
  OnHold: ['Rejected', 'Failed', 'Cancelled'],
  Completed: [],
  Failed: [],
  Rejected: [],
  Cancelled: [],
};

/** `statusDetails` unless some are given: of a new request those of decisions, section 2, else the status itself. */
export function detailsOf(status: OperationStatus): string {
  return status === 'Sent' ? 'RequestSent' : status;
}

/** Where an operation stands, as far as its moves go by it. */
export interface Standing {
  readonly status: OperationStatus;
  readonly statusDetails: string;
  /** The status that an operation on hold came from. */
  readonly heldFrom?: OperationStatus;
}

/** How a status update relates to where the operation stands. */
export type MoveKind = 'move' | 'unchanged' | 'details' | 'illegal';

/**
 * What an update would do: a move of the table, or from `OnHold` back; nothing, when status and details stay; other
 * details in a status that is not final; or an illegal move.
 */
export function classifyMove(
  from: Standing,
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
 * The moves by which an operation follows its ask: none when they agree already, undefined when it has ended otherwise. An
 * ask's end takes it from whatever state (decisions, section 7): to `Completed` by the moves of the table where they lead
 * there, which from `OnHold` begin with where it came from; to any other end at once.
 */
export function wayWithMoneyRequest(from: Standing, to: OperationStatus): OperationStatus[] | undefined {
  if (MONEY_REQUEST_STATUS_OF[from.status] === MONEY_REQUEST_STATUS_OF[to]) {
    return [];
  }
  if (MONEY_REQUEST_STATUS_OF[from.status] !== 'processing') {
    return undefined;
  }
  if (to !== 'Completed') {
    return [to];
  }
  const isHeld = from.status === 'OnHold' && from.heldFrom !== undefined;
  const released = isHeld ? [from.heldFrom as OperationStatus] : [];
  const path = pathTo(released[0] ?? from.status, to);
  return path ? [...released, ...path] : [to];
}

/**
 * The shortest way of allowed moves from a status to another, without the first and with the last; undefined when
 * there is none. Holding is no way to go on, so it is never part of one.
 */
export function pathTo(from: OperationStatus, to: OperationStatus): OperationStatus[] | undefined {
  const queue: OperationStatus[][] = [[from]];
  const seen = new Set<OperationStatus>([from]);
  for (let path = queue.shift(); path; path = queue.shift()) {
    const last = path.at(-1) as OperationStatus;
    if (last === to) {
      return path.slice(1);
    }
    for (const next of TRANSITIONS[last].filter((status) => status !== 'OnHold' && !seen.has(status))) {
      seen.add(next);
      queue.push([...path, next]);
    }
  }
  return undefined;
}
