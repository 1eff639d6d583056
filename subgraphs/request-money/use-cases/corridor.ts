import { fail, type Result, succeed } from '../../kernel/errors/result.ts';
import { isWithin } from '../../kernel/money/amount.ts';
import { currencyOfCountry, isCountry, isCurrency } from '../../kernel/money/iso.ts';
import type { Quote } from '../../kernel/money/quote.ts';
import { priceByQuote, priceFailure, priceRequest, type QuoteIssue } from '../../operations/index.ts';
import type { Corridor, Route, Tenant } from '../../partners/tenants/service.ts';
import type { CreateCommand } from '../commands/create-request-money.ts';
import type { RequestMoneyDeps } from '../deps.ts';
import type { MoneyRequest, ResolvedCorridor, Warning } from '../store/model.ts';

/** The corridor and its hints. */
export interface RoutedCorridor {
  resolved: ResolvedCorridor;
  warnings: Warning[];
}

/**
 * Derives source and destination of the money. Failure: CORRIDOR_UNRESOLVABLE for a country or currency that does not exist,
 * and for a tenant without a source.
 */
export function deriveCorridor(
  sourceCountry: string | undefined,
  { currency, requestData }: CreateCommand,
): Result<Corridor & { sourceCurrency: string }> {
  const { country } = requestData.address;
  const sourceCurrency = sourceCountry === undefined ? undefined : currencyOfCountry(sourceCountry);
  if (
    sourceCountry === undefined ||
    sourceCurrency === undefined ||
    !isCountry(country) ||
    !isCurrency(currency)
  ) {
    return fail('CORRIDOR_UNRESOLVABLE');
  }
  return succeed({
    sourceCountry,
    sourceCurrency,
    destinationCountry: country,
    destinationCurrency: currency,
  });
}

/**
 * Picks the route of a money request among those of its corridor (decisions, section 3, "Corridor").
 * Failures: ROUTE_NOT_AVAILABLE, PAYOUT_METHOD_UNSUPPORTED, STATE_NOT_MAPPED.
 */
export function chooseRoute(
  corridor: Corridor & { sourceCurrency: string },
  routes: readonly Route[],
  { amount, requestData }: CreateCommand,
): Result<RoutedCorridor> {
  if (routes.length === 0) {
    return fail('ROUTE_NOT_AVAILABLE');
  }
  const route = routes.find(({ payoutType }) => payoutType === requestData.payoutMethod);
  if (!route) {
    return fail('PAYOUT_METHOD_UNSUPPORTED');
  }
  const stateCode = mapState(route, requestData.address.state);
  if (route.states && stateCode === undefined) {
    return fail('STATE_NOT_MAPPED');
  }
  const resolved: ResolvedCorridor = {
    sourceCountry: corridor.sourceCountry,
    destinationCountry: corridor.destinationCountry,
    sourceCurrency: corridor.sourceCurrency,
    destinationCurrency: corridor.destinationCurrency,
    payoutType: requestData.payoutMethod,
    payerCode: route.payerCode,
    ...(stateCode === undefined ? {} : { stateCode }),
  };
  return succeed({ resolved, warnings: findWarnings(route, amount) });
}

/** The payer's price at today's rate. Failures: those of {@link priceRequest}. */
export function priceMoneyRequest(
  tenants: Pick<RequestMoneyDeps['tenants'], 'fxRate'>,
  tenant: Tenant,
  { amount, currency, resolved }: Pick<MoneyRequest, 'amount' | 'currency' | 'resolved'>,
): Promise<Result<Quote>> {
  const request = {
    payerCountry: resolved.sourceCountry,
    recipientAmount: amount,
    recipientCurrency: currency,
  };
  return priceRequest(tenants, tenant, request);
}

/** The validation error of a create whose quote is not usable. */
const QUOTE_ISSUE: QuoteIssue = { code: 'VALIDATION_FAILED', path: ['quoteId'] };

/**
 * Prices a create: by its quote, or at today's rate to find out whether it has a price. Failures: VALIDATION_FAILED for a quote that
 * is not usable, and those of {@link priceFailure}.
 * @returns the locked price; undefined without a quote
 */
export async function priceCreate(
  { tenants, operations, accountClock }: Pick<RequestMoneyDeps, 'tenants' | 'operations' | 'accountClock'>,
  tenant: Tenant,
  { amount, currency, quoteId }: CreateCommand,
  resolved: ResolvedCorridor,
): Promise<Result<Quote | undefined>> {
  if (quoteId !== undefined) {
    const { accountId } = tenant;
    const { sourceCountry, destinationCountry } = resolved;
    const request = { accountId, quoteId, sourceCountry, destinationCountry, at: accountClock(accountId) };
    const asked = { recipientAmount: amount, recipientCurrency: currency };
    return priceByQuote(operations.quotes, { ...request, ...asked }, QUOTE_ISSUE);
  }
  const priced = await priceMoneyRequest(tenants, tenant, { amount, currency, resolved });
  return priced.ok ? succeed(undefined) : priceFailure(priced);
}

function mapState({ states }: Route, state: string | undefined): string | undefined {
  return states && state !== undefined && Object.hasOwn(states, state) ? states[state] : undefined;
}

function findWarnings({ minAmount, maxAmount }: Route, amount: string): Warning[] {
  if (isWithin(amount, { min: minAmount, max: maxAmount })) {
    return [];
  }
  return [{ code: 'ROUTE_NOT_OFFERABLE', message: 'The route may not be offered to payers at this amount.' }];
}
