import type { Connection } from 'mongoose';
import type { AccountId } from '../../../subgraphs/kernel/account.ts';
import type { AccountClock } from '../../../subgraphs/kernel/clock/account-clock.ts';
import type { Keyring } from '../../../subgraphs/kernel/crypto/keyring.ts';
import type { RunTransaction } from '../../../subgraphs/kernel/database/transaction.ts';
import { createUniqueValues } from '../../../subgraphs/kernel/database/unique-values.ts';
import type { Result } from '../../../subgraphs/kernel/errors/result.ts';
import { createOperationModels } from '../../../subgraphs/operations/store/model.ts';
import { createOperationIds } from '../../../subgraphs/operations/store/operation-ids.ts';
import { createReservations } from '../../../subgraphs/operations/store/reservations.ts';
import { resumeReservation } from '../../../subgraphs/operations/use-cases/request-money-v2/resume-reservation.ts';

/** A request that an operator names. */
export interface NamedRequest {
  readonly accountId: AccountId;
  readonly correlationId: string;
}

type Resume = (of: NamedRequest) => Promise<Result<{ readonly status: string }>>;

/** Requests whose payer may have been asked, as operators resume them: a running server does the work. */
export interface AdminResumption {
  /** {@link resumeReservation} */
  readonly reservation: Resume;
}

export function createAdminResumption({
  connection,
  keyring,
  transaction,
  ...times
}: {
  connection: Connection;
  keyring: Keyring;
  clock: () => Date;
  accountClock: AccountClock;
  transaction: RunTransaction;
}): AdminResumption {
  const { reservations: model } = createOperationModels(connection);
  const ids = createOperationIds(createUniqueValues(connection));
  const reservations = createReservations({ ids, model, box: keyring.box('fields') });
  return {
    reservation: ({ accountId, correlationId }) =>
      resumeReservation({ reservations, transaction, ...times }, { accountId, operationId: correlationId }),
  };
}
