import type { UnitOfWork } from '../../platform/database/unit-of-work.ts';
import { fail, type Result, succeed } from '../../platform/errors/result.ts';
import type { StatusUpdate } from '../commands/update-status.ts';
import type { OperationsDeps } from '../deps.ts';
import { illegalMove } from '../errors.ts';
import { classifyMove, detailsOf, needsUnblockedUser, type OperationStatus } from '../lifecycle.ts';
import type { OperationDocument } from '../store/model.ts';
import { moveOperation } from './write-operation.ts';

/** Statuses that an operation ends in without success. */
const UNSUCCESSFUL: ReadonlySet<OperationStatus> = new Set(['Failed', 'Rejected', 'Cancelled']);

/**
 * Applies an update to an operation of any tenant, with history and event in one transaction. A money request that the
 * operation fulfils moves with it in the same transaction (decisions, section 7). The same status and details again change
 * nothing. A failure changes nothing either.
 * Failures: OPERATION_NOT_FOUND; INVALID_TRANSITION, also of the money request; USER_BLOCKED for a move of a blocked
 * user's operation to what document 3 calls processing or completed.
 */
export async function updateStatus(
  deps: OperationsDeps,
  operationId: string,
  update: StatusUpdate,
): Promise<Result<OperationDocument>> {
  return deps.transaction((unit) => apply(deps, operationId, update, unit));
}

async function apply(
  deps: OperationsDeps,
  operationId: string,
  update: StatusUpdate,
  unit: UnitOfWork,
): Promise<Result<OperationDocument>> {
  const { status } = update;
  const found = await deps.operations.find(update.partnerId, operationId, unit);
  if (!found) {
    return fail('OPERATION_NOT_FOUND');
  }
  const kind = classifyMove(found, update);
  if (kind === 'illegal') {
    return illegalMove(found.status, status);
  }
  if (kind === 'unchanged') {
    return succeed(found);
  }
  if (needsUnblockedUser(status) && (await isBlocked(deps, found, unit))) {
    return fail('USER_BLOCKED');
  }
  return advance(deps, found, update, unit);
}

/** The answer that a user is not blocked holds until the transaction ends. */
async function isBlocked(
  { users }: OperationsDeps,
  { tenantId, userId }: OperationDocument,
  unit: UnitOfWork,
): Promise<boolean> {
  return (await users.accountState(tenantId, userId, unit))?.blocked === true;
}

/** The money request moves first: its move may fail, and nothing has been written then. */
async function advance(
  deps: OperationsDeps,
  found: OperationDocument,
  update: StatusUpdate,
  unit: UnitOfWork,
): Promise<Result<OperationDocument>> {
  const { status } = update;
  const at = deps.clock();
  const followed = await moveMoneyRequest(deps, found, update, at, unit);
  if (!followed.ok) {
    return followed;
  }
  const change = {
    status,
    statusDetails: update.statusDetails ?? detailsOf(status),
    failureReason: UNSUCCESSFUL.has(status) ? update.failureReason : undefined,
    at,
  };
  const move = { from: found.status, to: status, version: found.version + 1 };
  return succeed(await moveOperation(deps, found, change, [move], unit));
}

/** Moves the money request that the operation fulfils, if there is one, to where the operation goes. */
async function moveMoneyRequest(
  { moneyRequests }: OperationsDeps,
  { tenantId, requestReferenceId: referenceId }: OperationDocument,
  { status, statusDetails }: StatusUpdate,
  at: Date,
  unit: UnitOfWork,
): Promise<Result<void>> {
  return referenceId === undefined
    ? succeed(undefined)
    : moneyRequests.followOperation({ tenantId, referenceId, status, statusDetails, at }, unit);
}
