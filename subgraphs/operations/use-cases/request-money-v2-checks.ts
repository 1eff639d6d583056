import { isLosslessNumber } from 'lossless-json';
import { type Result, refuse, succeed } from '../../platform/errors/refusal.ts';
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
export interface AskedRequest {
  readonly tenant: Tenant;
  readonly environment: Environment;
  readonly userId: string;
  readonly asked: RawRequestMoneyV2;
}

/**
 * Makes every check of ours, the first failing one wins: payer, payout method, corridor, currency, amount, correlation
 * id. @param isTaken whether the correlation id is; it is told last
 * Refusals: those of {@link findPayer} and {@link findDestination}, ERROR_DESTINATION_COUNTRY_NOT_SUPPORTED,
 * ERROR_INVALID_CURRENCY_CODE, ERROR_INVALID_AMOUNT_ERROR, ERROR_CORRELATION_ID_ALREADY_USED.
 */
export async function checkRequest(
  deps: OperationsDeps,
  { tenant, userId, asked }: AskedRequest,
  isTaken: boolean,
): Promise<Result<Terms>> {
  const owner = { tenantId: tenant.tenantId, userId };
  const payer = await findPayer(deps.users, tenant, owner, asked.requestTo);
  if (!payer.ok) {
    return payer;
  }
  const destination = await findDestination(deps.users, owner, asked, deps.clock());
  if (!destination.ok) {
    return destination;
  }
  const quote = await price(deps, tenant, asked, payer.value, destination.value);
  if (!quote.ok) {
    return quote;
  }
  return isTaken
    ? idTaken()
    : succeed({
        payer: toPayerTerms(payer.value),
        quote: quote.value,
        attributionLink: attributionLink(tenant, asked.correlationId),
      });
}

/** The correlation id belongs to something else. */
export function idTaken(): Result<never> {
  return refuse('ERROR_CORRELATION_ID_ALREADY_USED', undefined, ['correlationId']);
}

/** The amount that is asked for, in a currency that may be none. */
export function readAskedAmount({ recipientAmount, recipientCurrency }: RawRequestMoneyV2): AmountResult {
  return isLosslessNumber(recipientAmount) && typeof recipientCurrency === 'string'
    ? readAmount(recipientAmount.toString(), recipientCurrency)
    : { ok: false, fault: 'NOT_A_NUMBER' };
}

function toPayerTerms({ phoneNumber, country, contact }: Payer): Terms['payer'] {
  const { contactId, firstName, lastName } = contact ?? {};
  return { phoneNumber, country, contactId, firstName, lastName };
}

/** Corridor, currency and amount, in this order. */
async function price(
  { tenants }: OperationsDeps,
  tenant: Tenant,
  asked: RawRequestMoneyV2,
  { country: payerCountry }: Payer,
  { type, country, currency: methodCurrency }: Destination,
): Promise<Result<Quote>> {
  const { recipientCurrency: currency } = asked;
  const unsupported = refuse('ERROR_DESTINATION_COUNTRY_NOT_SUPPORTED');
  if (payerCountry === undefined || typeof country !== 'string') {
    return unsupported;
  }
  const corridor = { payerCountry, country, type };
  if (!(await hasRoute(tenants, corridor))) {
    return unsupported;
  }
  const isOurs = currency === tenant.defaultCurrency && currency === methodCurrency;
  if (typeof currency !== 'string' || !isCurrency(currency) || !isOurs) {
    return refuse('ERROR_INVALID_CURRENCY_CODE', undefined, ['recipientCurrency']);
  }
  const read = readAskedAmount(asked);
  if (!read.ok) {
    return refuse('ERROR_INVALID_AMOUNT_ERROR', undefined, ['recipientAmount']);
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
