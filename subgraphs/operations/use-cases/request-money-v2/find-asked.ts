import type { UnitOfWork } from '../../../kernel/database/unit-of-work.ts';
import { mayHaveBeenAsked, statusAfterReport } from '../../../providers/withdrawal.ts';
import type { OperationsDeps } from '../../deps.ts';
import type { AskedRequest } from '../../port.ts';
import type { OperationKey } from '../../store/operation-ids.ts';
import { succeeded, toOperation } from './end-reservation.ts';

/**
 * A request by v2 without an operation whose payer may have been asked, for a status that the platform's back end reports of
 * it. The outcome of a call that is under way is dropped.
 */
export async function findAskedReservation(
  deps: OperationsDeps,
  key: OperationKey,
  unit: UnitOfWork,
): Promise<AskedRequest | undefined> {
  const found = await deps.reservations.find(key, unit);
  if (!found?.terms || !mayHaveBeenAsked(found)) {
    return undefined;
  }
  return {
    userId: found.userId,
    conclude: async (isOver) => {
      const operation = await toOperation(deps, found, deps.reservations.termsOf(found), unit);
      deps.reservations.changeRead(found, succeeded(found, operation.at, statusAfterReport(isOver)), unit);
      return operation;
    },
  };
}
