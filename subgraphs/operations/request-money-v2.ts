import { isLosslessNumber } from 'lossless-json';
import type { ClientSession } from 'mongoose';
import { type Result, refuse, succeed } from '../platform/errors/refusal.ts';
import { readAmount } from '../platform/money/amount.ts';
import { isCurrency } from '../platform/money/iso.ts';
import type { Quote } from '../platform/money/quote.ts';
import type { Principal } from '../platform/principal.ts';
import type { Tenant } from '../platform/tenants/service.ts';
import { isDuplicateKey } from '../platform/transaction.ts';
import { askPayer } from './ask-payer.ts';
import { attributionLink, hasRoute, priceRequest } from './corridor.ts';
import type { OperationsDeps } from './deps.ts';
import type { OperationDocument } from './model.ts';
import { isIdTaken, reserveId } from './operation-ids.ts';
import { findPayer, type Payer } from './payer.ts';
import { type Destination, findDestination, type Payout, verifyDestination } from './payout-method.ts';
import { request } from './request.ts';
import { type RawRequestMoneyV2, readRequestMoneyV2 } from './request-money-v2-body.ts';

/** A request may lose the race for another unique key than its id (contact, payment method) this often. */
const RACES = 4;

/** A request for money by v2 as it came in. */
export interface RequestMoneyV2Request {
  /** The user who asks: document 1's userToken. */
  userId: string;
  /** The JSON value of the body, numbers as LosslessNumber; undefined when the body was not JSON. */
  body: unknown;
}

/** A request that has passed every check of ours. */
interface Checked {
  tenant: Tenant;
  userId: string;
  asked: RawRequestMoneyV2;
  payer: Payer;
  destination: Destination;
  quote: Quote;
}

/**
 * Request-money v2 (document 1; decisions, section 2, "v2"): creates the operation directly. The path decides first (an
 * unknown user is told whatever the body is), then the first failing check wins: body, blocked user, payer, payout
 * method, corridor, currency, amount, correlation id. Providers are asked last, when all that we know ourselves is good;
 * whoever repeats a call repeats their idempotency keys.
 * Refusals: ERROR_SUBSCRIBER_NOT_FOUND, ERROR_REQUEST_MONEY_FULL, ERROR_CORRELATION_ID_REQUIRED,
 * ERROR_INVALID_OPERATION, ERROR_TENANT_NOT_FOUND, those of {@link findPayer} and {@link findDestination},
 * ERROR_DESTINATION_COUNTRY_NOT_SUPPORTED, ERROR_INVALID_CURRENCY_CODE, ERROR_INVALID_AMOUNT_ERROR,
 * ERROR_CORRELATION_ID_ALREADY_USED, those of {@link verifyDestination} and of the funding provider.
 */
export async function requestMoneyV2(
  deps: OperationsDeps,
  principal: Principal,
  { userId, body }: RequestMoneyV2Request,
): Promise<Result<OperationDocument>> {
  const user = await deps.users.standing(principal.tenantId, userId);
  if (!user) {
    return refuse('ERROR_SUBSCRIBER_NOT_FOUND');
  }
  const read = readRequestMoneyV2(body);
  if (!read.ok) {
    return read;
  }
  if (user.blocked) {
    return refuse('ERROR_INVALID_OPERATION', 'The user is blocked.');
  }
  const checked = await check(deps, principal, user.userId, read.value);
  if (!checked.ok) {
    return checked;
  }
  const approved = await askProviders(deps, principal, checked.value);
  return approved.ok ? store(deps, checked.value, approved.value) : approved;
}

async function check(
  deps: OperationsDeps,
  { tenantId }: Principal,
  userId: string,
  asked: RawRequestMoneyV2,
): Promise<Result<Checked>> {
  const tenant = await deps.tenants.find(tenantId);
  if (!tenant) {
    return refuse('ERROR_TENANT_NOT_FOUND');
  }
  const owner = { tenantId, userId };
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
  if (await isIdTaken(deps.models.operationIds, tenantId, asked.correlationId)) {
    return refuse('ERROR_CORRELATION_ID_ALREADY_USED', undefined, ['correlationId']);
  }
  return succeed({
    tenant,
    userId,
    asked,
    payer: payer.value,
    destination: destination.value,
    quote: quote.value,
  });
}

/** Corridor, currency and amount, in this order. */
async function price(
  { tenants }: OperationsDeps,
  tenant: Tenant,
  { recipientAmount, recipientCurrency: currency }: RawRequestMoneyV2,
  { country: payerCountry }: Payer,
  { type, country, currency: methodCurrency }: Destination,
): Promise<Result<Quote>> {
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
  const read = isLosslessNumber(recipientAmount)
    ? readAmount(recipientAmount.toString(), currency)
    : undefined;
  if (!read?.ok) {
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

/** The payout method first, then the payer: nobody is asked for money that could not be paid out. */
async function askProviders(
  { providers }: OperationsDeps,
  { environment }: Principal,
  { tenant: { tenantId }, asked, payer, destination, quote }: Checked,
): Promise<Result<Payout>> {
  const call = (step: 'PAYMENT_METHOD' | 'REQUEST_MONEY') => ({
    idempotencyKey: `${tenantId}:${asked.correlationId}:${step}`,
    tenantId,
    environment,
  });
  const verified = await verifyDestination(
    providers,
    destination,
    quote.recipientCurrency,
    call('PAYMENT_METHOD'),
  );
  if (!verified.ok) {
    return verified;
  }
  const { phoneNumber, contact } = payer;
  const answer = await askPayer(
    providers.funding,
    { tenantId, operationId: asked.correlationId, payer: { ...contact, phoneNumber }, quote },
    call('REQUEST_MONEY'),
  );
  switch (answer.kind) {
    case 'accepted':
      return verified;
    case 'refused':
      return refuse(answer.code, answer.reason);
    case 'unavailable':
      return refuse('ERROR_INTERNAL_SERVER_ERROR');
  }
}

async function store(
  deps: OperationsDeps,
  checked: Checked,
  payout: Payout,
): Promise<Result<OperationDocument>> {
  const { tenantId } = checked.tenant;
  const { correlationId } = checked.asked;
  for (let race = 1; ; race += 1) {
    try {
      const stored = await deps.transaction((session) => storeWithin(deps, checked, payout, session));
      deps.events.nudge();
      return succeed(stored);
    } catch (error) {
      if (!isDuplicateKey(error)) {
        throw error;
      }
      if (await isIdTaken(deps.models.operationIds, tenantId, correlationId)) {
        return refuse('ERROR_CORRELATION_ID_ALREADY_USED', undefined, ['correlationId']);
      }
      // Somebody else made the same contact or payment method first: the next time it is found.
      if (race === RACES) {
        throw error;
      }
    }
  }
}

async function storeWithin(
  deps: OperationsDeps,
  { tenant, userId, asked, payer, quote }: Checked,
  payout: Payout,
  session: ClientSession,
): Promise<OperationDocument> {
  const { tenantId } = tenant;
  const { correlationId: operationId, reason } = asked;
  const at = deps.clock();
  await reserveId(deps.models.operationIds, tenantId, operationId, session);
  const { phoneNumber, country } = payer;
  const contact =
    payer.contact ??
    (await deps.users.keepContact(
      {
        tenantId,
        userId,
        contact: { phoneNumber, ...(country !== undefined && { countryCode: country }) },
        at,
      },
      session,
    ));
  const { paymentMethodId } =
    'method' in payout
      ? await deps.users.keepPaymentMethod({ tenantId, userId, method: payout.method, at }, session)
      : payout;
  return request(
    deps,
    {
      tenantId,
      operationId,
      userId,
      contactId: contact.contactId,
      paymentMethodId,
      quote,
      ...(reason !== undefined && { reason }),
      attributionLink: attributionLink(tenant, operationId),
      at,
    },
    session,
  );
}
