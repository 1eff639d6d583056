import type { UnitOfWork } from '../../kernel/database/unit-of-work.ts';
import type { LinksPortDeps } from '../deps.ts';
import type { AttachedOperation, OperationChange } from '../port.ts';
import { recordChange } from './record-change.ts';

/** Flows in which a user begins an operation. */
const OPERATION_FLOWS = ['transfer', 'request_money'] as const;

/** {@link LinksPort.attachOperation} */
export async function attachOperation(
  deps: LinksPortDeps,
  { accountId, userId, operationId, status, at }: AttachedOperation,
  unit: UnitOfWork,
): Promise<string | undefined> {
  // Links belong to references; without one there is nothing to read.
  if (!(await deps.users.hasReference(accountId, userId, unit))) {
    return undefined;
  }
  const link = await deps.links.findUnused({ accountId, userId, flows: OPERATION_FLOWS }, at, unit);
  if (!link) {
    return undefined;
  }
  const activityInput = {
    type: 'operation.created',
    actor: 'system',
    data: { operationId, status },
  } as const;
  await recordChange(deps, { link, changes: { operationId }, activityInput, at }, unit);
  return link.linkId;
}

/** Statuses of an operation that failed (decisions, section 4). */
const FAILURES: ReadonlySet<string> = new Set(['Failed', 'Rejected']);

/** {@link LinksPort.recordOperationChange} */
export async function recordOperationChange(
  deps: LinksPortDeps,
  { accountId, linkId, operationId, previousStatus, status, at, since, failureReason }: OperationChange,
  unit: UnitOfWork,
): Promise<void> {
  const link = await deps.links.find({ accountId, linkId }, unit);
  if (!link) {
    throw new Error(`Operation ${operationId} has a link that is not there: ${linkId}`);
  }
  const failed = FAILURES.has(status);
  await recordChange(
    deps,
    {
      link,
      activityInput: {
        type: 'operation.status_changed',
        actor: 'system',
        data: { operationId, previousStatus, status },
        ...(failed ? { error: failureReason ?? `The operation is ${status}.` } : {}),
        since,
      },
      at,
    },
    unit,
  );
}
