import type { ClientSession } from 'mongoose';
import type { OperationWriting } from './deps.ts';
import { REQUEST_SENT } from './lifecycle.ts';
import { ensureReserved } from './operation-ids.ts';
import type { RequestedOperation } from './port.ts';
import { insertOperation } from './writing.ts';

/** Creates a request for money in the status `Sent`, in the caller's transaction: see `OperationsPort.request`. */
export async function request(
  deps: OperationWriting,
  { quote, at, ...asked }: RequestedOperation,
  session: ClientSession,
): Promise<void> {
  const { tenantId, operationId, contactId } = asked;
  await ensureReserved(deps.models.operationIds, tenantId, operationId, session);
  await insertOperation(
    deps,
    {
      ...asked,
      ...quote,
      status: 'Sent',
      statusDetails: REQUEST_SENT,
      version: 1,
      createdAt: at,
      updatedAt: at,
    },
    [{ from: null, to: 'Sent', version: 1 }],
    session,
  );
  await deps.users.countRequest({ tenantId, contactId, at }, session);
}
