import { providerKey } from '../../../providers/provider-key.ts';
import type { ProviderCall } from '../../../providers/types.ts';
import type { ReservationDocument } from '../../store/model.ts';
import type { Terms } from '../../store/reservations.ts';
import type { PayerRequest } from '../call-funding.ts';

/** The request in the form of the funding provider: the same for each call. */
export function payerRequestOf(
  { tenantId, operationId }: ReservationDocument,
  { payer, quote }: Terms,
): PayerRequest {
  return { tenantId, operationId, payer, quote };
}

/** The same for each call of a step, in every process. */
export function callOf(
  { tenantId, operationId, digest, environment }: ReservationDocument,
  step: 'PAYMENT_METHOD' | 'REQUEST_MONEY',
): ProviderCall {
  return {
    idempotencyKey: providerKey(tenantId, operationId, digest, step),
    tenantId,
    operationId,
    environment,
  };
}
