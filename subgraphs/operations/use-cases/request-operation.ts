import type { UnitOfWork } from '../../kernel/database/unit-of-work.ts';
import type { OperationWriting } from '../deps.ts';
import { detailsOf, type OperationStatus } from '../lifecycle.ts';
import type { RequestedOperation } from '../port.ts';
import type { OperationDocument } from '../store/model.ts';
import { insertOperation } from './write-operation.ts';

interface Progress {
  /** The statuses after `Sent`; the last one is the operation's. */
  readonly path: readonly OperationStatus[];
  readonly statusDetails: string | undefined;
  readonly failureReason: string | undefined;
}

const NO_PROGRESS: Progress = { path: [], statusDetails: undefined, failureReason: undefined };

/** Creates an operation in the status `Sent`, or farther, in the caller's transaction: see `OperationsPort.request`. */
export async function requestOperation(
  deps: OperationWriting,
  { quote, countries, at, ...given }: RequestedOperation,
  unit: UnitOfWork,
  { path, statusDetails, failureReason }: Progress = NO_PROGRESS,
): Promise<OperationDocument> {
  const { accountId, userId, contactId } = given;
  const status = path.at(-1) ?? 'Sent';
  const moves = path.map((to, index) => ({ from: path[index - 1] ?? 'Sent', to, version: index + 2 }));
  const operation = await insertOperation(
    deps,
    {
      ...given,
      ...quote,
      ...countries,
      ...(failureReason === undefined ? {} : { failureReason }),
      status,
      ...(status === 'OnHold' && { heldFrom: path.at(-2) ?? 'Sent' }),
      statusDetails: statusDetails ?? detailsOf(status),
      version: moves.length + 1,
      createdAt: at,
      updatedAt: at,
    },
    [{ from: null, to: 'Sent', version: 1 }, ...moves],
    unit,
  );
  deps.users.countRequest({ accountId, userId, contactId, at }, unit);
  return operation;
}
