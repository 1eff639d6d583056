import type { Connection } from 'mongoose';
import type { Keyring } from '../../../subgraphs/kernel/crypto/keyring.ts';
import type { RunTransaction } from '../../../subgraphs/kernel/database/transaction.ts';
import type { Result } from '../../../subgraphs/kernel/errors/result.ts';
import type { Environment } from '../../../subgraphs/kernel/principal.ts';
import { createOperationModels } from '../../../subgraphs/operations/store/model.ts';
import { createReservations } from '../../../subgraphs/operations/store/reservations.ts';
import { resumeReservation } from '../../../subgraphs/operations/use-cases/request-money-v2/resume-reservation.ts';

/** A request that an operator names. */
export interface NamedRequest {
  readonly tenantId: string;
  readonly correlationId: string;
}

type Resume = (
  of: NamedRequest,
) => Promise<Result<{ readonly status: string; readonly environment: Environment }>>;

/** Requests whose payer may have been asked, as operators resume them: a running server does the work. */
export interface AdminResumption {
  /** {@link resumeReservation} */
  readonly reservation: Resume;
}

export function createAdminResumption({
  connection,
  keyring,
  clock,
  transaction,
}: {
  connection: Connection;
  keyring: Keyring;
  clock: () => Date;
  transaction: RunTransaction;
}): AdminResumption {
  const { operationIds: ids, reservations: model } = createOperationModels(connection);
  const reservations = createReservations({ ids, model, box: keyring.box('fields') });
  return {
    reservation: ({ tenantId, correlationId }) =>
      resumeReservation({ reservations, transaction, clock }, { tenantId, operationId: correlationId }),
  };
}
