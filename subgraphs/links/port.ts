import type { AccountId } from '../kernel/account.ts';
import type { UnitOfWork } from '../kernel/database/unit-of-work.ts';
import type { IdentityCheck } from '../users/index.ts';

/**
 * The functions for other slices. Each works inside the caller's transaction. The caller wakes the event log after its
 * commit, as it does after its own events.
 */
export interface LinksPort {
  /**
   * Records the state of a user's identity check, and writes it into the timelines of the links that wait for a result, or
   * otherwise of all the user's working links. It reads nothing for a user who is known to have no link.
   */
  recordIdentityCheck(check: Omit<IdentityCheck, 'overrides'>, unit: UnitOfWork): Promise<void>;
  /**
   * Attaches a new operation to the user's newest working link of the flow transfer or request_money without an operation.
   * @returns the link's id, to be stored with the operation; undefined without such a link
   */
  attachOperation(input: AttachedOperation, unit: UnitOfWork): Promise<string | undefined>;
  /**
   * Writes a change of an operation into the timeline of its link.
   * @throws when the account has no such link
   */
  recordOperationChange(input: OperationChange, unit: UnitOfWork): Promise<void>;
}

export interface AttachedOperation {
  accountId: AccountId;
  userId: string;
  operationId: string;
  /** The operation's status by its name in document 1, such as `Sent`. */
  status: string;
  at: Date;
}

export interface OperationChange {
  accountId: AccountId;
  linkId: string;
  operationId: string;
  previousStatus: string;
  status: string;
  /** Why it failed or was rejected; a general text when absent. */
  failureReason?: string;
  at: Date;
  /** Time of the change before it. */
  since: Date;
}
