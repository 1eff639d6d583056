import type { AccountId } from '../../kernel/account.ts';
import { retryOnConflict } from '../../kernel/database/transaction.ts';
import type { UnitOfWork } from '../../kernel/database/unit-of-work.ts';
import { fail, type Result, succeed } from '../../kernel/errors/result.ts';
import { findMeant } from '../../partners/tenants/find-meant.ts';
import type { StatusUpdate } from '../commands/update-status.ts';
import type { OperationsDeps } from '../deps.ts';
import { illegalMove } from '../errors.ts';
import { canMove, classifyMove, detailsOf, needsUnblockedUser, pathTo, UNSUCCESSFUL } from '../lifecycle.ts';
import type { AskedRequest, MovedOperation } from '../port.ts';
import type { OperationDocument } from '../store/model.ts';
import type { OperationKey } from '../store/operation-ids.ts';
import { failureCauseOf } from './operation-failure.ts';
import { findAskedReservation } from './request-money-v2/find-asked.ts';
import { requestOperation } from './request-operation.ts';
import { moveOperation } from './write-operation.ts';

/**
 * Applies an update to an operation of any tenant, with history and event in one transaction. A money request that the
 * operation fulfils moves with it in the same transaction (decisions, section 7). The same status and details again change
 * nothing. A failure changes nothing either.
 * An operation that is still to be made, because the answer of the funding provider was lost, is made. Failures:
 * AMBIGUOUS_ENVIRONMENT; OPERATION_NOT_FOUND; INVALID_TRANSITION, also of the money request; USER_BLOCKED for a move of a blocked
 * user's operation to what document 3 calls processing or completed.
 */
export async function updateStatus(
  deps: OperationsDeps,
  operationId: string,
  update: StatusUpdate,
): Promise<Result<OperationDocument>> {
  const meant = await findMeant(deps.tenants, update, (accountIds) =>
    findHaving(deps, accountIds, operationId),
  );
  if (!meant.ok) {
    return meant;
  }
  if (!meant.value) {
    return fail('OPERATION_NOT_FOUND');
  }
  const key = { accountId: meant.value.accountId, operationId };
  // Another call may create the same contact, or take the same code, first: the next attempt sees it.
  return retryOnConflict(() => deps.transaction((unit) => apply(deps, key, update, unit)));
}

/**
 * The accounts among some that have an operation, or a request whose payer may have been asked. A request that has failed, or
 * has not come that far, keeps its id, which alone does not make the update ambiguous.
 */
async function findHaving(
  deps: OperationsDeps,
  accountIds: readonly AccountId[],
  operationId: string,
): Promise<readonly AccountId[]> {
  const taken = await deps.operationIds.having(accountIds, operationId);
  if (taken.length < 2) {
    return taken;
  }
  return deps.transaction(async (unit) => {
    const having: AccountId[] = [];
    for (const accountId of taken) {
      const key = { accountId, operationId };
      if ((await deps.operations.find(accountId, operationId, unit)) ?? (await findAsked(deps, key, unit))) {
        having.push(accountId);
      }
    }
    return having;
  });
}

async function findAsked(
  deps: OperationsDeps,
  key: OperationKey,
  unit: UnitOfWork,
): Promise<AskedRequest | undefined> {
  const of = { ...key, at: deps.accountClock(key.accountId) };
  return (await deps.remittances.find(of, unit)) ?? findAskedReservation(deps, key, unit);
}

async function apply(
  deps: OperationsDeps,
  key: OperationKey,
  update: StatusUpdate,
  unit: UnitOfWork,
): Promise<Result<OperationDocument>> {
  const { status } = update;
  const found = await deps.operations.find(key.accountId, key.operationId, unit);
  if (!found) {
    return applyToAsked(deps, key, update, unit);
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

/**
 * A request whose payer may have been asked has no operation yet. The update shows that the payer was asked: the operation is
 * created, with the moves of the table that lead to its status (decisions, section 8).
 */
async function applyToAsked(
  deps: OperationsDeps,
  { accountId, operationId }: OperationKey,
  { status, statusDetails, failureReason }: StatusUpdate,
  unit: UnitOfWork,
): Promise<Result<OperationDocument>> {
  const asked = await findAsked(deps, { accountId, operationId }, unit);
  if (!asked) {
    return fail('OPERATION_NOT_FOUND');
  }
  const path = canMove('Sent', status) ? [status] : pathTo('Sent', status);
  if (!path) {
    return illegalMove('Sent', status);
  }
  if (needsUnblockedUser(status) && (await isBlocked(deps, { accountId, userId: asked.userId }, unit))) {
    return fail('USER_BLOCKED');
  }
  const hasFailed = UNSUCCESSFUL.has(status);
  const progress = { path, statusDetails, failureReason: hasFailed ? failureReason : undefined };
  const operation = await asked.conclude(hasFailed && !path.includes('Funded'));
  return succeed(await requestOperation(deps, operation, unit, progress));
}

/** The answer that a user is not blocked holds until the transaction ends. */
async function isBlocked(
  { users }: OperationsDeps,
  { accountId, userId }: Pick<OperationDocument, 'accountId' | 'userId'>,
  unit: UnitOfWork,
): Promise<boolean> {
  return (await users.accountState(accountId, userId, unit))?.blocked === true;
}

/** The money request moves first: its move may fail, and nothing has been written then. */
async function advance(
  deps: OperationsDeps,
  found: OperationDocument,
  update: StatusUpdate,
  unit: UnitOfWork,
): Promise<Result<OperationDocument>> {
  const { status } = update;
  const change = {
    status,
    statusDetails: update.statusDetails ?? detailsOf(status),
    failureReason: UNSUCCESSFUL.has(status) ? update.failureReason : undefined,
    at: deps.accountClock(found.accountId),
  };
  const failureCause = failureCauseOf(change, { from: found.status, heldFrom: found.heldFrom });
  const moved = { status, statusDetails: update.statusDetails, failureCause, at: change.at };
  const followed = await moveMoneyRequest(deps, found, moved, unit);
  if (!followed.ok) {
    return followed;
  }
  const move = { from: found.status, to: status, version: found.version + 1 };
  return succeed(await moveOperation(deps, found, change, [move], unit));
}

/** Moves the money request that the operation fulfils, if there is one, to where the operation goes. */
async function moveMoneyRequest(
  { moneyRequests }: OperationsDeps,
  { accountId, requestReferenceId: referenceId }: OperationDocument,
  moved: Omit<MovedOperation, 'accountId' | 'referenceId'>,
  unit: UnitOfWork,
): Promise<Result<void>> {
  return referenceId === undefined
    ? succeed(undefined)
    : moneyRequests.followOperation({ accountId, referenceId, ...moved }, unit);
}
