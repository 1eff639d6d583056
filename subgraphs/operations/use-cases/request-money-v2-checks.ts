import { isLosslessNumber } from 'lossless-json';
import { fail, type Result, succeed } from '../../platform/errors/result.ts';
import { type AmountResult, readAmount } from '../../platform/money/amount.ts';
import { isCurrency } from '../../platform/money/iso.ts';
import type { Quote } from '../../platform/money/quote.ts';
import type { Environment } from '../../platform/principal.ts';
import type { Tenant } from '../../platform/tenants/service.ts';
import type { RawRequestMoneyV2 } from '../commands/request-money-v2.ts';
import type { OperationsDeps } from '../deps.ts';
import type { Terms } from '../store/reservations.ts';
import { attributionLink, hasRoute, priceRequest } from './corridor.ts';
import { findPayer, type Payer } from './payer.ts';
import { type Destination, findDestination } from './payout-method.ts';

/** A request of a user who is known, its body of the right shape. */
export interface GivenRequest {
  readonly tenant: Tenant;
  readonly environment: Environment;
  readonly userId: string;
  readonly given: RawRequestMoneyV2;
}

/**
 * Makes every check of ours, the first failing one wins: payer, payout method, corridor, currency, amount, correlation
 * id. @param isTaken whether the correlation id is; it is told last
 * Refusals: those of {@link findPayer} and {@link findDestination}, ERROR_DESTINATION_COUNTRY_NOT_SUPPORTED,
 * ERROR_INVALID_CURRENCY_CODE, ERROR_INVALID_AMOUNT_ERROR, ERROR_CORRELATION_ID_ALREADY_USED.
 */
export async function checkRequest(
  deps: OperationsDeps,
  { tenant, userId, given }: GivenRequest,
  isTaken: boolean,
): Promise<Result<Terms>> {
  const owner = { tenantId: tenant.tenantId, userId };
  const payer = await findPayer(deps.users, tenant, owner, given.requestTo);
  if (!payer.ok) {
    return payer;
  }
  const destination = await findDestination(deps.users, owner, given, deps.clock());
  if (!destination.ok) {
    return destination;
  }
  const quote = await price(deps, tenant, given, payer.value, destination.value);
  if (!quote.ok) {
    return quote;
  }
  return isTaken
    ? idTaken()
    : succeed({
        payer: toPayerTerms(payer.value),
        quote: quote.value,
        attributionLink: attributionLink(tenant, given.correlationId),
      });
}

/** The correlation id belongs to something else. */
export function idTaken(): Result<never> {
  return fail('ERROR_CORRELATION_ID_ALREADY_USED', undefined, ['correlationId']);
}

/** The amount that is asked for, in a currency that may be none. */
export function readRequestedAmount({ recipientAmount, recipientCurrency }: RawRequestMoneyV2): AmountResult {
  return isLosslessNumber(recipientAmount) && typeof recipientCurrency === 'string'
    ? readAmount(recipientAmount.toString(), recipientCurrency)
    : { ok: false, issue: 'NOT_A_NUMBER' };
}

function toPayerTerms({ phoneNumber, country, contact }: Payer): Terms['payer'] {
  const { contactId, firstName, lastName } = contact ?? {};
  return { phoneNumber, country, contactId, firstName, lastName };
}

/** Corridor, currency and amount, in this order. */
async function price(
  { tenants }: OperationsDeps,
  tenant: Tenant,
  given: RawRequestMoneyV2,
  { country: payerCountry }: Payer,
  { type, country, currency: methodCurrency }: Destination,
): Promise<Result<Quote>> {
  const { recipientCurrency: currency } = given;
  const unsupported = fail('ERROR_DESTINATION_COUNTRY_NOT_SUPPORTED');
  if (payerCountry === undefined || typeof country !== 'string') {
    return unsupported;
  }
  const corridor = { payerCountry, country, type };
  if (!(await hasRoute(tenants, corridor))) {
    return unsupported;
  }
  const isOurs = currency === tenant.defaultCurrency && currency === methodCurrency;
  if (typeof currency !== 'string' || !isCurrency(currency) || !isOurs) {
    return fail('ERROR_INVALID_CURRENCY_CODE', undefined, ['recipientCurrency']);
  }
  const read = readRequestedAmount(given);
  if (!read.ok) {
    return fail('ERROR_INVALID_AMOUNT_ERROR', undefined, ['recipientAmount']);
  }
  if (!(await hasRoute(tenants, { ...corridor, currency }))) {
    return unsupported;
  }
  return priceRequest(tenants, tenant, {
    payerCountry,
    recipientAmount: read.amount,
    recipientCurrency: currency,
  });
}
