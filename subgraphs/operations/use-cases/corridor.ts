import { fail, type Result, succeed } from '../../kernel/errors/result.ts';
import { invalid, issue } from '../../kernel/json/read-body.ts';
import { isChargeable } from '../../kernel/money/amount.ts';
import { currencyOfCountry } from '../../kernel/money/iso.ts';
import { type Quote, quote } from '../../kernel/money/quote.ts';
import { encodeSegment } from '../../kernel/percent-encode.ts';
import type { CurrentRate, Tenant, Tenants } from '../../partners/tenants/service.ts';
import type { PaymentMethodType } from '../../users/index.ts';

/** The payout type of routes for each type of payment method (decisions, section 2, "Payment method types"). */
const PAYOUT_TYPE_OF: Readonly<Record<PaymentMethodType, string>> = {
  DebitCard: 'card',
  CreditCard: 'card',
  UBN: 'bank_account',
  CashPickup: 'cash',
};

/** A way of money: source, destination and payout. */
interface GivenCorridor {
  /** ISO 3166-1 alpha-2 */
  payerCountry: string;
  /** The payout method's country, ISO 3166-1 alpha-2. */
  country: string;
  type: PaymentMethodType;
  /** ISO 4217; any when absent. */
  currency?: string;
}

/** A request for money to be priced. */
interface GivenRequest {
  /** ISO 3166-1 alpha-2 */
  payerCountry: string;
  /** A decimal string. */
  recipientAmount: string;
  /** ISO 4217 */
  recipientCurrency: string;
}

/** Whether a route leads from the payer's country to the payout method. Its smallest and largest amounts don't count. */
export async function hasRoute(
  tenants: Pick<Tenants, 'routesBetween'>,
  { payerCountry, country, type, currency }: GivenCorridor,
): Promise<boolean> {
  const routes = await tenants.routesBetween({ sourceCountry: payerCountry, destinationCountry: country });
  return routes.some(
    ({ payoutType, destinationCurrency }) =>
      payoutType === PAYOUT_TYPE_OF[type] && (currency === undefined || currency === destinationCurrency),
  );
}

/**
 * Prices a request for money at the tenant's fee; the payer pays in the currency of their country.
 * Failures: ERROR_DESTINATION_COUNTRY_NOT_SUPPORTED when that country has no currency, or no rate leads from it;
 * RATE_STALE when the rate is too old for a live call; ERROR_INVALID_AMOUNT_ERROR for an amount whose price, the fee aside, rounds
 * to 0, and for one that is too large with it.
 */
export async function priceRequest(
  tenants: Pick<Tenants, 'fxRate'>,
  tenant: Pick<Tenant, 'fee' | 'environment'>,
  given: GivenRequest,
): Promise<Result<Quote>> {
  return priceAt(await rateFor(tenants, given), tenant, given);
}

/** The rate at which a payer pays a request; undefined without one. */
export async function rateFor(
  tenants: Pick<Tenants, 'fxRate'>,
  { payerCountry, recipientCurrency }: Omit<GivenRequest, 'recipientAmount'>,
): Promise<CurrentRate | undefined> {
  const senderCurrency = currencyOfCountry(payerCountry);
  return senderCurrency === undefined ? undefined : tenants.fxRate(senderCurrency, recipientCurrency);
}

/** Prices a request at a rate of {@link rateFor}. Failures: those of {@link priceRequest} */
export function priceAt(
  current: CurrentRate | undefined,
  { fee, environment }: Pick<Tenant, 'fee' | 'environment'>,
  { payerCountry, recipientAmount, recipientCurrency }: GivenRequest,
): Result<Quote> {
  const senderCurrency = currencyOfCountry(payerCountry);
  if (senderCurrency === undefined || current === undefined) {
    return fail('ERROR_DESTINATION_COUNTRY_NOT_SUPPORTED');
  }
  if (environment === 'live' && current.isStale) {
    return fail('RATE_STALE');
  }
  const priced = quote({
    recipientAmount,
    recipientCurrency,
    senderCurrency,
    exchangeRate: current.rate,
    fee,
  });
  return isChargeable(priced.senderAmount) && isChargeable(priced.amount)
    ? succeed(priced)
    : fail('ERROR_INVALID_AMOUNT_ERROR', undefined, ['recipientAmount']);
}

/** Whether {@link priceRequest} failed because of the amount: for the payer it rounds to nothing, or is too much. */
export function isBadAmount(priced: Result<Quote>): boolean {
  return !priced.ok && priced.failures.some(({ code }) => code === 'ERROR_INVALID_AMOUNT_ERROR');
}

/** Whether {@link priceRequest} failed because the rate is too old. */
export function isStaleRate(priced: Result<Quote>): boolean {
  return !priced.ok && priced.failures.some(({ code }) => code === 'RATE_STALE');
}

/** The failure of {@link priceRequest} in document 2's codes: VALIDATION_FAILED at `amount`, RATE_STALE, or ROUTE_NOT_AVAILABLE. */
export function priceFailure(priced: Extract<Result<Quote>, { ok: false }>): Result<never> {
  if (isBadAmount(priced)) {
    const message = "converts to zero or exceeds the limit in the payer's currency";
    return invalid([issue(['amount'], message, 'VALIDATION_FAILED')]);
  }
  return isStaleRate(priced) ? priced : fail('ROUTE_NOT_AVAILABLE');
}

/**
 * Attribution and tracking URL of a request for money: attributionBaseUrl, `/`, correlation id (decisions, section 2),
 * which is any text and is therefore encoded as one segment of the path;
 * empty for a tenant without the base, as the links of document 2 are.
 */
export function attributionLink(
  { attributionBaseUrl }: Pick<Tenant, 'attributionBaseUrl'>,
  correlationId: string,
): string {
  return attributionBaseUrl === undefined ? '' : `${attributionBaseUrl}/${encodeSegment(correlationId)}`;
}
