import type { UnitOfWork } from '../../platform/database/unit-of-work.ts';
import type { OperationWriting } from '../deps.ts';
import { detailsOf } from '../lifecycle.ts';
import type { RequestedOperation } from '../port.ts';
import type { OperationDocument } from '../store/model.ts';
import { insertOperation } from './write-operation.ts';

/** Creates an operation in the status `Sent`, in the caller's transaction: see `OperationsPort.request`. */
export async function requestOperation(
  deps: OperationWriting,
  { quote, countries, at, ...given }: RequestedOperation,
  unit: UnitOfWork,
): Promise<OperationDocument> {
  const { tenantId, contactId } = given;
  const operation = await insertOperation(
    deps,
    {
      ...given,
      ...quote,
      ...countries,
      status: 'Sent',
      statusDetails: detailsOf('Sent'),
      version: 1,
      createdAt: at,
      updatedAt: at,
    },
    [{ from: null, to: 'Sent', version: 1 }],
    unit,
  );
  deps.users.countRequest({ tenantId, contactId, at }, unit);
  return operation;
}
