import type { ClientSession } from 'mongoose';
import { z } from 'zod';
import { type Result, refuse, succeed } from '../platform/errors/refusal.ts';
import { bodyError, noNumber, text } from '../platform/json/schemas.ts';
import type { OperationsDeps } from './deps.ts';
import { illegalMove, invalidUpdate } from './errors.ts';
import { classifyMove, detailsOf, OPERATION_STATUSES, type OperationStatus } from './lifecycle.ts';
import type { OperationDocument } from './model.ts';
import { moveOperation } from './writing.ts';

/** The body of a status update (decisions, section 4, "Internal"). */
export const updateSchema = noNumber(
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

/**
 * Reads an update of any tenant's operation from a JSON value and applies it, with history and event in one transaction.
 * The same status and details again change nothing; a refusal changes nothing either.
 * Refusals: VALIDATION_FAILED, OPERATION_NOT_FOUND, INVALID_TRANSITION.
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
  const updated = await deps.transaction((session) => apply(deps, operationId, parsed.data, session));
  deps.events.nudge();
  return updated;
}

async function apply(
  deps: OperationsDeps,
  operationId: string,
  update: StatusUpdate,
  session: ClientSession,
): Promise<Result<OperationDocument>> {
  const { status } = update;
  const found = await deps.models.operations
    .findOne({ tenantId: update.partnerId, operationId })
    .session(session)
    .lean();
  if (!found) {
    return refuse('OPERATION_NOT_FOUND');
  }
  const kind = classifyMove(found, update);
  if (kind === 'illegal') {
    return illegalMove(found.status, status);
  }
  if (kind === 'unchanged') {
    return succeed(found);
  }
  const change = {
    status,
    statusDetails: update.statusDetails ?? detailsOf(status),
    failureReason: UNSUCCESSFUL.has(status) ? update.failureReason : undefined,
    at: deps.clock(),
  };
  const move = { from: found.status, to: status, version: found.version + 1 };
  return succeed(await moveOperation(deps, found, change, [move], session));
}
