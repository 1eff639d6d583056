import type { ClientSession } from 'mongoose';
import { z } from 'zod';
import { fail, type Result, succeed } from '../../platform/errors/result.ts';
import { bodyError, rejectLosslessNumber, text } from '../../platform/json/schemas.ts';
import type { OperationsDeps } from '../deps.ts';
import { illegalMove, invalidUpdate } from '../errors.ts';
import {
  classifyMove,
  detailsOf,
  needsUnblockedUser,
  OPERATION_STATUSES,
  type OperationStatus,
} from '../lifecycle.ts';
import type { OperationDocument } from '../store/model.ts';
import { moveOperation } from '../store/write-operation.ts';

/** The body of a status update (decisions, section 4, "Internal"). */
export const updateSchema = rejectLosslessNumber(
  z.object(
    {
      partnerId: text,
      status: z.enum(OPERATION_STATUSES, `must be one of ${OPERATION_STATUSES.join(', ')}`),
      statusDetails: text.optional().describe('By default RequestSent for Sent, else the status itself.'),
      failureReason: text.optional().describe('Kept with Failed, Rejected and Cancelled.'),
    },
    bodyError,
  ),
);

type StatusUpdate = z.output<typeof updateSchema>;

/** Statuses that an operation ends in without success. */
const UNSUCCESSFUL: ReadonlySet<OperationStatus> = new Set(['Failed', 'Rejected', 'Cancelled']);

/** What an applied update leaves to do once it is committed. */
interface Applied {
  operation: OperationDocument;
  deliveryIds: string[];
}

/**
 * Reads an update of any tenant's operation from a JSON value and applies it, with history and event in one transaction.
 * An ask that the operation fulfils moves with it in the same transaction (decisions, section 7). The same status and
 * details again change nothing; a refusal changes nothing either.
 * Refusals: VALIDATION_FAILED, OPERATION_NOT_FOUND, INVALID_TRANSITION, also of the ask, and USER_BLOCKED for a move of a
 * blocked user's operation to what document 3 calls processing or completed.
 */
export async function updateStatus(
  deps: OperationsDeps,
  operationId: string,
  body: unknown,
): Promise<Result<OperationDocument>> {
  const parsed = updateSchema.safeParse(body);
  if (!parsed.success) {
    return invalidUpdate(parsed.error.issues);
  }
  const applied = await deps.transaction((session) => apply(deps, operationId, parsed.data, session));
  if (!applied.ok) {
    return applied;
  }
  deps.events.wake();
  deps.moneyRequests.wake(applied.value.deliveryIds);
  return succeed(applied.value.operation);
}

async function apply(
  deps: OperationsDeps,
  operationId: string,
  update: StatusUpdate,
  session: ClientSession,
): Promise<Result<Applied>> {
  const { status } = update;
  const found = await deps.models.operations
    .findOne({ tenantId: update.partnerId, operationId })
    .session(session)
    .lean();
  if (!found) {
    return fail('OPERATION_NOT_FOUND');
  }
  const kind = classifyMove(found, update);
  if (kind === 'illegal') {
    return illegalMove(found.status, status);
  }
  if (kind === 'unchanged') {
    return succeed({ operation: found, deliveryIds: [] });
  }
  if (needsUnblockedUser(status) && (await isBlocked(deps, found, session))) {
    return fail('USER_BLOCKED');
  }
  return advance(deps, found, update, session);
}

/** Of a user who is not, it holds until the transaction ends. */
async function isBlocked(
  { users }: OperationsDeps,
  { tenantId, userId }: OperationDocument,
  session: ClientSession,
): Promise<boolean> {
  return (await users.accountState(tenantId, userId, session))?.blocked === true;
}

/** The ask first: it may refuse, and has written nothing then. */
async function advance(
  deps: OperationsDeps,
  found: OperationDocument,
  update: StatusUpdate,
  session: ClientSession,
): Promise<Result<Applied>> {
  const { status } = update;
  const at = deps.clock();
  const followed = await moveMoneyRequest(deps, found, update, at, session);
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
  const operation = await moveOperation(deps, found, change, [move], session);
  return succeed({ operation, deliveryIds: followed.value });
}

/** Lets the ask that the operation fulfils, if it does, go where the operation goes. */
async function moveMoneyRequest(
  { moneyRequests }: OperationsDeps,
  { tenantId, requestReferenceId: referenceId }: OperationDocument,
  { status, statusDetails }: StatusUpdate,
  at: Date,
  session: ClientSession,
): Promise<Result<string[]>> {
  return referenceId === undefined
    ? succeed([])
    : moneyRequests.followOperation({ tenantId, referenceId, status, statusDetails, at }, session);
}
