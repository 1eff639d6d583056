import type { UnitOfWork } from '../platform/database/unit-of-work.ts';
import type { IdentityCheck } from '../users/index.ts';

/**
 * What other slices use of links, each function inside the caller's transaction. The caller wakes the event log after its
 * commit, as it does after its own events.
 */
export interface LinksPort {
  /**
   * Records the state of a user's identity check, and writes it into the timelines of the links that wait for a result,
   * or else of all the user's links that still work. Nothing is read of a user who is known to have none.
   */
  recordIdentityCheck(check: Omit<IdentityCheck, 'overrides'>, unit: UnitOfWork): Promise<void>;
  /**
   * Gives a new operation to the user's newest link of the flow transfer or request_money that still works and has none.
   * @returns the link's id, to be kept with the operation; undefined when there is no such link
   */
  attachOperation(input: AttachedOperation, unit: UnitOfWork): Promise<string | undefined>;
  /**
   * Writes a change of an operation into the timeline of its link.
   * @throws when the tenant has no such link
   */
  recordOperationChange(input: OperationChange, unit: UnitOfWork): Promise<void>;
}

export interface AttachedOperation {
  tenantId: string;
  userId: string;
  operationId: string;
  /** Of the operation, by the names of document 1, such as `Sent`. */
  status: string;
  at: Date;
}

export interface OperationChange {
  tenantId: string;
  linkId: string;
  operationId: string;
  previousStatus: string;
  status: string;
  /** Why it failed or was rejected; a general text when absent. */
  failureReason?: string;
  at: Date;
  /** When it changed before. */
  since: Date;
}
