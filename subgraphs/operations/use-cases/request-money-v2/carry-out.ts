import { retryOnConflict } from '../../../platform/database/transaction.ts';
import type { UnitOfWork } from '../../../platform/database/unit-of-work.ts';
import type { ErrorCode } from '../../../platform/errors/catalogue.ts';
import { fail, type Result, succeed } from '../../../platform/errors/result.ts';
import { providerKey } from '../../../platform/providers/provider-key.ts';
import type { ProviderAnswer } from '../../../platform/providers/types.ts';
import type { OperationsDeps } from '../../deps.ts';
import type { OperationDocument } from '../../store/model.ts';
import type { Reservation } from '../../store/reservations.ts';
import { callFunding } from '../call-funding.ts';
import { requestOperation } from '../request-operation.ts';
import { type KnownRequest, keyOf, turnFor } from './known-request.ts';
import { type Payout, toPayout, verifyPayout } from './payout-method.ts';
import { checkUser, findOutcome } from './reserve.ts';

/**
 * Calls the providers for a reserved request, and saves the operation.
 * Failures: those of the providers; ERROR_INTERNAL_SERVER_ERROR when one of them does not answer.
 */
export async function carryOut(
  deps: OperationsDeps,
  request: KnownRequest,
  reservation: Reservation,
): Promise<Result<OperationDocument>> {
  const payout = toPayout(request.command, reservation.terms.quote.recipientCurrency);
  const answer = await callProviders(deps, request, reservation, payout);
  switch (answer.kind) {
    case 'accepted':
      return save(deps, request, reservation, payout);
    case 'rejected':
      return keepFailure(deps, request, reservation, answer);
    case 'unavailable':
      return fail('ERROR_INTERNAL_SERVER_ERROR');
  }
}

/** A provider's answer, and its part of the request. */
type Answer = ProviderAnswer<ErrorCode> & { readonly path?: readonly string[] };

/** The payout method's provider first, then the payer's; both under keys that no other request has. */
async function callProviders(
  { providers }: OperationsDeps,
  request: KnownRequest,
  { digest, environment, terms: { payer, quote } }: Reservation,
  payout: Payout,
): Promise<Answer> {
  const { tenantId, operationId } = keyOf(request);
  const call = (step: 'PAYMENT_METHOD' | 'REQUEST_MONEY') => ({
    idempotencyKey: providerKey(tenantId, operationId, digest, step),
    tenantId,
    operationId,
    environment,
  });
  const verified = await verifyPayout(providers, payout, call('PAYMENT_METHOD'));
  return verified.kind === 'accepted'
    ? callFunding(providers.funding, { tenantId, operationId, payer, quote }, call('REQUEST_MONEY'))
    : { ...verified, path: ['destinationPaymentMethod'] };
}

async function keepFailure(
  deps: OperationsDeps,
  request: KnownRequest,
  reservation: Reservation,
  { code, reason, path }: Extract<Answer, { kind: 'rejected' }>,
): Promise<Result<never>> {
  const failure = { code, message: reason, ...(path && { path }) };
  return (await retryOnConflict(() => deps.reservations.fail(keyOf(request), failure)))
    ? { ok: false, failures: [failure] }
    : findOutcome(deps, request, reservation);
}

async function save(
  deps: OperationsDeps,
  request: KnownRequest,
  reservation: Reservation,
  payout: Payout,
): Promise<Result<OperationDocument>> {
  // Another call may create the same contact or payment method first: the next attempt finds it.
  const saved = await retryOnConflict(() =>
    deps.transaction((unit) => saveWithin(deps, request, reservation, payout, unit), turnFor(request)),
  );
  if (saved === undefined) {
    return findOutcome(deps, request, reservation);
  }
  return saved;
}

/** Undefined when an identical call has ended the reservation. */
async function saveWithin(
  deps: OperationsDeps,
  request: KnownRequest,
  { environment, terms: { payer, quote, countries, attributionLink } }: Reservation,
  payout: Payout,
  unit: UnitOfWork,
): Promise<Result<OperationDocument> | undefined> {
  const allowed = await checkUser(deps, request, unit);
  if (!allowed.ok) {
    return allowed;
  }
  const key = keyOf(request);
  if (!(await deps.reservations.close(key, unit))) {
    return undefined;
  }
  const { userId, command } = request;
  const at = deps.clock();
  const owner = { tenantId: key.tenantId, userId, at };
  const { phoneNumber, country } = payer;
  const contact = { phoneNumber, ...(country !== undefined && { countryCode: country }) };
  const contactId = payer.contactId ?? (await deps.users.keepContact({ ...owner, contact }, unit)).contactId;
  const { paymentMethodId } =
    'method' in payout
      ? await deps.users.keepPaymentMethod({ ...owner, environment, method: payout.method }, unit)
      : payout;
  const reason = command.reason === undefined ? {} : { reason: command.reason };
  return succeed(
    await requestOperation(
      deps,
      {
        ...key,
        ...reason,
        ...(countries && { countries }),
        userId,
        contactId,
        paymentMethodId,
        quote,
        attributionLink,
        at,
      },
      unit,
    ),
  );
}
