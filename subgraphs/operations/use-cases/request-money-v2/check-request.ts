import { isLosslessNumber } from 'lossless-json';
import { fail, type Result, succeed } from '../../../kernel/errors/result.ts';
import { type AmountResult, readAmount } from '../../../kernel/money/amount.ts';
import { isCurrency } from '../../../kernel/money/iso.ts';
import type { Tenant } from '../../../partners/tenants/service.ts';
import type { RequestMoneyV2Command } from '../../commands/request-money-v2.ts';
import type { OperationsDeps } from '../../deps.ts';
import { correlationIdTaken } from '../../errors.ts';
import type { Terms } from '../../store/reservations.ts';
import { attributionLink, hasRoute, isStaleRate, priceRequest } from '../corridor.ts';
import { findPayer, type Payer } from '../payer.ts';
import { priceByQuote, type QuoteIssue } from '../quoted-price.ts';
import type { KnownRequest } from './known-request.ts';
import { type Destination, findDestination } from './payout-method.ts';

/** The terms that the checks have found. */
export type PricedTerms = Omit<Terms, 'paymentMethodId' | 'reason'>;

/** The validation error of a request whose quote is not usable. */
export const QUOTE_ISSUE: QuoteIssue = { code: 'ERROR_REQUEST_MONEY_FULL', path: ['quoteId'] };

/**
 * Makes the checks that call no provider. The first one that fails decides: payer, payout method, corridor, currency, amount,
 * correlation id, quote.
 * @param isTaken whether the correlation id is taken: that is answered last, but before the quote
 * Failures: those of {@link findPayer} and {@link findDestination}, ERROR_DESTINATION_COUNTRY_NOT_SUPPORTED,
 * ERROR_INVALID_CURRENCY_CODE, ERROR_INVALID_AMOUNT_ERROR, RATE_STALE, ERROR_CORRELATION_ID_ALREADY_USED, ERROR_REQUEST_MONEY_FULL
 * for a quote that is not usable.
 */
export async function checkRequest(
  deps: OperationsDeps,
  { tenant, userId, command }: KnownRequest,
  isTaken: boolean,
): Promise<Result<PricedTerms>> {
  const owner = { accountId: tenant.accountId, userId };
  const payer = await findPayer(deps.users, tenant, owner, command.requestTo);
  if (!payer.ok) {
    return payer;
  }
  const destination = await findDestination(deps.users, owner, command, deps.accountClock(tenant.accountId));
  if (!destination.ok) {
    return destination;
  }
  const { quoteId, ...unquoted } = command;
  const priced = await price(deps, tenant, isTaken ? unquoted : command, payer.value, destination.value);
  // A call with a quote needs no rate of today.
  if (isTaken && (priced.ok || (quoteId !== undefined && isStaleRate(priced)))) {
    return correlationIdTaken();
  }
  if (!priced.ok) {
    return priced;
  }
  return succeed({
    payer: toPayerTerms(payer.value),
    ...priced.value,
    attributionLink: attributionLink(tenant, command.correlationId),
  });
}

/** The requested amount. Its currency is not checked here: it may be any text. */
export function readRequestedAmount({
  recipientAmount,
  recipientCurrency,
}: RequestMoneyV2Command): AmountResult {
  return isLosslessNumber(recipientAmount) && typeof recipientCurrency === 'string'
    ? readAmount(recipientAmount.toString(), recipientCurrency)
    : { ok: false, issue: 'NOT_A_NUMBER' };
}

function toPayerTerms({ phoneNumber, country, contact }: Payer): Terms['payer'] {
  const { contactId, firstName, lastName } = contact ?? {};
  return { phoneNumber, country, contactId, firstName, lastName };
}

/** The price and the countries of a request. Corridor, currency, amount and quote are checked in this order. */
async function price(
  { tenants, quotes, accountClock }: OperationsDeps,
  tenant: Tenant,
  command: RequestMoneyV2Command,
  { country: payerCountry }: Payer,
  { type, country, currency: methodCurrency }: Destination,
): Promise<Result<Required<Pick<Terms, 'quote' | 'countries'>>>> {
  const { recipientCurrency: currency } = command;
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
  const read = readRequestedAmount(command);
  if (!read.ok) {
    return fail('ERROR_INVALID_AMOUNT_ERROR', undefined, ['recipientAmount']);
  }
  if (!(await hasRoute(tenants, { ...corridor, currency }))) {
    return unsupported;
  }
  const { quoteId } = command;
  const { accountId } = tenant;
  const countries = { sourceCountry: payerCountry, destinationCountry: country };
  const wanted = { recipientAmount: read.amount, recipientCurrency: currency };
  const quote = await (quoteId === undefined
    ? priceRequest(tenants, tenant, { payerCountry, ...wanted })
    : priceByQuote(
        quotes,
        { accountId, quoteId, ...countries, ...wanted, at: accountClock(accountId) },
        QUOTE_ISSUE,
      ));
  return quote.ok ? succeed({ quote: quote.value, countries }) : quote;
}
