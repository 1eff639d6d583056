import { newId } from '../../kernel/database/ids.ts';
import { fail, type Result, succeed } from '../../kernel/errors/result.ts';
import type { Principal } from '../../kernel/principal.ts';
import type { CreateQuoteCommand } from '../commands/create-quote.ts';
import type { OperationsDeps } from '../deps.ts';
import { QUOTE_KEPT_MS, type QuoteDocument } from '../store/quotes.ts';
import { priceAt, priceFailure, rateFor } from './corridor.ts';

/**
 * Locks rate and fee of a request for money for some seconds. Failures: CORRIDOR_UNRESOLVABLE without a source country;
 * ROUTE_NOT_AVAILABLE without a route in the currency, or a rate; RATE_STALE; VALIDATION_FAILED for an amount that converts to
 * zero for the payer, or to too much.
 */
export async function createQuote(
  { tenants, quotes, transaction, clock, accountClock }: OperationsDeps,
  { accountId }: Principal,
  { amount, currency, expiresInSeconds, destinationCountry, ...given }: CreateQuoteCommand,
): Promise<Result<QuoteDocument>> {
  const tenant = await tenants.find(accountId);
  const sourceCountry = given.sourceCountry ?? tenant?.sourceCountry;
  if (!tenant || sourceCountry === undefined) {
    return fail('CORRIDOR_UNRESOLVABLE');
  }
  const routes = await tenants.routesBetween({ sourceCountry, destinationCountry });
  if (!routes.some(({ destinationCurrency }) => destinationCurrency === currency)) {
    return fail('ROUTE_NOT_AVAILABLE');
  }
  const request = { payerCountry: sourceCountry, recipientAmount: amount, recipientCurrency: currency };
  const rate = await rateFor(tenants, request);
  const priced = priceAt(rate, tenant, request);
  if (!priced.ok) {
    return priceFailure(priced);
  }
  const lifeMs = expiresInSeconds * 1_000;
  const createdAt = accountClock(accountId);
  const quote: QuoteDocument = {
    _id: newId('qt_'),
    accountId,
    sourceCountry,
    destinationCountry,
    ...priced.value,
    ...(rate?.asOf && { rateAsOf: rate.asOf }),
    createdAt,
    expiresAt: new Date(createdAt.getTime() + lifeMs),
    removedAt: new Date(clock().getTime() + lifeMs + QUOTE_KEPT_MS),
  };
  // An account's quotes that come at once are written together.
  await transaction((unit) => quotes.insert(quote, unit), `quotes|${accountId}`, 'shared');
  return succeed(quote);
}
