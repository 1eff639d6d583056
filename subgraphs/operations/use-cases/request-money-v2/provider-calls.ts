import { providerKey } from '../../../providers/provider-key.ts';
import type { ProviderCall } from '../../../providers/types.ts';
import type { ReservationDocument } from '../../store/model.ts';
import type { Terms } from '../../store/reservations.ts';
import type { PayerRequest } from '../call-funding.ts';

/** The request in the form of the funding provider: the same for each call. */
export function payerRequestOf(
  { accountId, operationId }: ReservationDocument,
  { payer, quote }: Terms,
): PayerRequest {
  return { accountId, operationId, payer, quote };
}

/** The same for each call of a step, in every process. */
export function callOf(
  { accountId, operationId, digest }: ReservationDocument,
  step: 'PAYMENT_METHOD' | 'REQUEST_MONEY',
): ProviderCall {
  return {
    idempotencyKey: providerKey(accountId, operationId, digest, step),
    accountId,
    operationId,
  };
}
