import { isLosslessNumber } from 'lossless-json';
import type { ErrorCode } from '../../kernel/errors/catalogue.ts';
import { fail, type Result, succeed } from '../../kernel/errors/result.ts';
import { readAmount } from '../../kernel/money/amount.ts';
import { isCurrency } from '../../kernel/money/iso.ts';
import type { Quote } from '../../kernel/money/quote.ts';
import { isBlank } from '../../kernel/text.ts';
import {
  attributionLink,
  type Countries,
  hasRoute,
  isBadAmount,
  isStaleRate,
  type OperationsPort,
  priceByQuote,
  priceRequest,
  type QuoteIssue,
} from '../../operations/index.ts';
import type { Tenant, Tenants } from '../../partners/tenants/service.ts';
import {
  type ContactInput,
  contactChecks,
  expiryIssue,
  holderIssue,
  numberIssue,
  type PaymentMethodInput,
  type PaymentMethodType,
  REQUESTER_NAMES,
  type Registration,
  readMethodType,
  registrationChecks,
  requesterNameIssue,
  toContact,
  toPaymentMethod,
  toRegistration,
} from '../../users/index.ts';
import type { RequestMoneyFullCommand } from '../commands/request-money-full.ts';

/** An atomic call that has passed every check. */
export interface CheckedRequest {
  tenant: Tenant;
  registration: Registration;
  correlationId: string;
  contact: ContactInput;
  method: PaymentMethodInput;
  quote: Quote;
  /** The quote that has the price, to be used when the call is saved. */
  quoteId?: string;
  countries: Countries;
  reason?: string;
  attributionLink: string;
}

/** The dependencies of the checks. */
export interface CheckDeps {
  tenants: Pick<Tenants, 'routesBetween' | 'hasRoutesFrom' | 'fxRate'>;
  operations: Pick<OperationsPort, 'isIdTaken' | 'quotes'>;
}

/** A call that is being checked. */
interface CallUnderCheck extends RequestMoneyFullCommand {
  tenant: Tenant;
  now: Date;
}

/** One check: its part of the body, and the code of its issue. */
interface Check {
  readonly path: readonly string[];
  /**
   * Saving checks the same by a unique key, so this check is only needed after saving has failed, or when another check
   * fails.
   */
  readonly isMadeBySaving?: boolean;
  issue(call: CallUnderCheck, deps: CheckDeps): ErrorCode | undefined | Promise<ErrorCode | undefined>;
}

/**
 * The checks of the atomic call after the check of its shape, in the order in which the first failure wins (decisions,
 * section 2). A missing rate is reported right after the check of the amount, as v2 does; a rate that is too old, and a quote that
 * is not usable, are reported after all checks.
 */
export const CHECKS: readonly Check[] = [
  { path: [], issue: ({ tenant }) => (tenant.country ? undefined : 'ERROR_TENANT_NOT_FOUND') },
  {
    path: ['requester', 'countryCode'],
    issue: ({ requester, now }) => registrationChecks.country(requester, now),
  },
  {
    path: ['request', 'requestTo', 'countryCode'],
    issue: ({ request, tenant }) => contactChecks.country(request.requestTo, tenant),
  },
  {
    path: ['requester', 'countryCode'],
    issue: ({ requester, tenant }) =>
      tenant.countries.includes(String(requester.countryCode)) ? undefined : 'ERROR_COUNTRY_NOT_SUPPORTED',
  },
  // Payers may also live where routes begin: otherwise the seed of decisions, section 1, would have no payers.
  {
    path: ['request', 'requestTo', 'countryCode'],
    issue: async ({ request: { requestTo }, tenant }, { tenants }) =>
      tenant.countries.includes(String(requestTo.countryCode)) ||
      (await tenants.hasRoutesFrom(String(requestTo.countryCode)))
        ? undefined
        : 'ERROR_COUNTRY_NOT_SUPPORTED',
  },
  {
    path: ['request', 'requestTo', 'phoneNumber'],
    issue: ({ request, tenant }) => contactChecks.dialCode(request.requestTo, tenant),
  },
  {
    path: ['request', 'destinationPaymentMethod', 'type'],
    issue: (call) => (typeOf(call) ? undefined : 'ERROR_PAYMENT_METHOD_NOT_FOUND'),
  },
  {
    path: ['request', 'destinationPaymentMethod', 'country'],
    issue: async (call, { tenants }) =>
      (await hasRoute(tenants, corridorOf(call))) ? undefined : 'ERROR_DESTINATION_COUNTRY_NOT_SUPPORTED',
  },
  {
    path: ['request', 'recipientCurrency'],
    issue: (call) => (currencyOf(call) === undefined ? 'ERROR_INVALID_CURRENCY_CODE' : undefined),
  },
  {
    path: ['request', 'recipientAmount'],
    // The next check reports a missing rate.
    issue: async (call, { tenants }) =>
      amountOf(call) === undefined || (!isQuoted(call) && isBadAmount(await priceOf(call, tenants)))
        ? 'ERROR_INVALID_AMOUNT_ERROR'
        : undefined,
  },
  {
    path: ['request', 'destinationPaymentMethod', 'country'],
    issue: async (call, { tenants }) => {
      const isServed = await hasRoute(tenants, { ...corridorOf(call), currency: String(currencyOf(call)) });
      return isServed && (isQuoted(call) || hasRate(await priceOf(call, tenants)))
        ? undefined
        : 'ERROR_DESTINATION_COUNTRY_NOT_SUPPORTED';
    },
  },
  {
    path: ['request', 'correlationId'],
    issue: ({ request: { correlationId: id } }) =>
      typeof id === 'string' && !isBlank(id) ? undefined : 'ERROR_CORRELATION_ID_REQUIRED',
  },
  {
    path: ['request', 'correlationId'],
    isMadeBySaving: true,
    issue: async ({ tenant, request }, { operations }) =>
      (await operations.isIdTaken(tenant.accountId, String(request.correlationId)))
        ? 'ERROR_CORRELATION_ID_ALREADY_USED'
        : undefined,
  },
  ...REQUESTER_NAMES.map(
    (field): Check => ({
      path: ['requester', field],
      issue: ({ requester }) => requesterNameIssue(requester, field),
    }),
  ),
  ...(['firstName', 'lastName'] as const).map(
    (field): Check => ({
      path: ['request', 'requestTo', field],
      issue: ({ request, tenant }) => contactChecks[field](request.requestTo, tenant),
    }),
  ),
  {
    path: ['request', 'destinationPaymentMethod', 'nameOnCard'],
    issue: ({ request }) => holderIssue(request.destinationPaymentMethod),
  },
  { path: ['requester', 'dob'], issue: ({ requester, now }) => registrationChecks.birthDate(requester, now) },
  {
    path: ['requester', 'phoneNumber'],
    issue: ({ requester, now }) => registrationChecks.phone(requester, now),
  },
  {
    path: ['request', 'requestTo', 'phoneNumber'],
    issue: ({ request, tenant }) => contactChecks.phone(request.requestTo, tenant),
  },
  {
    path: ['request', 'destinationPaymentMethod', 'number'],
    issue: ({ request }) => numberIssue(request.destinationPaymentMethod),
  },
  {
    path: ['request', 'destinationPaymentMethod', 'expirationDate'],
    issue: ({ request, now }) => expiryIssue(request.destinationPaymentMethod, now),
  },
];

/** The validation error of a call whose quote is not usable. */
export const QUOTE_ISSUE: QuoteIssue = { code: 'ERROR_REQUEST_MONEY_FULL', path: ['request', 'quoteId'] };

/**
 * Makes all checks, one after the other. Failures: the codes of {@link CHECKS}, RATE_STALE, and ERROR_REQUEST_MONEY_FULL for a quote
 * that is not usable. @param isRetry whether saving has found an
 * existing key
 */
export async function checkRequest(
  deps: CheckDeps,
  tenant: Tenant,
  command: RequestMoneyFullCommand,
  now: Date,
  isRetry: boolean,
): Promise<Result<CheckedRequest>> {
  const call: CallUnderCheck = { ...command, tenant, now };
  const left = isRetry ? CHECKS : CHECKS.filter(({ isMadeBySaving }) => !isMadeBySaving);
  const failed = await findFailed(left, call, deps);
  if (failed) {
    const { path, code } = (left === CHECKS ? undefined : await findFailed(CHECKS, call, deps)) ?? failed;
    return fail(code, undefined, path);
  }
  const quote = await (isQuoted(call) ? quotedPriceOf(call, deps) : priceOf(call, deps.tenants));
  if (quote.ok) {
    return succeed(toChecked(call, quote.value));
  }
  // A call that comes again has used its quote itself: its correlation id is reported.
  const first = left === CHECKS ? undefined : await findFailed(CHECKS, call, deps);
  return first ? fail(first.code, undefined, first.path) : quote;
}

interface FailedCheck extends Check {
  readonly code: ErrorCode;
}

async function findFailed(
  checks: readonly Check[],
  call: CallUnderCheck,
  deps: CheckDeps,
): Promise<FailedCheck | undefined> {
  for (const check of checks) {
    const code = await check.issue(call, deps);
    if (code !== undefined) {
      return { ...check, code };
    }
  }
  return undefined;
}

function toChecked(call: CallUnderCheck, quote: Quote): CheckedRequest {
  const { tenant, requester, request } = call;
  const correlationId = String(request.correlationId);
  return {
    tenant,
    registration: toRegistration(requester),
    correlationId,
    contact: toContact(request.requestTo),
    method: toPaymentMethod(request.destinationPaymentMethod, quote.recipientCurrency),
    quote,
    countries: countriesOf(call),
    ...(request.quoteId === undefined ? {} : { quoteId: request.quoteId }),
    ...(request.reason === undefined ? {} : { reason: request.reason }),
    attributionLink: attributionLink(tenant, correlationId),
  };
}

function typeOf({ request }: CallUnderCheck): PaymentMethodType | undefined {
  return readMethodType(request.destinationPaymentMethod);
}

/** A country that is no text is one without a route. The cast: the checks have found that the method has a type. */
function corridorOf(call: CallUnderCheck) {
  const { requestTo, destinationPaymentMethod } = call.request;
  const { country } = destinationPaymentMethod;
  return {
    payerCountry: String(requestTo.countryCode),
    country: typeof country === 'string' ? country : '',
    type: typeOf(call) as PaymentMethodType,
  };
}

function countriesOf(call: CallUnderCheck): Countries {
  const { payerCountry: sourceCountry, country: destinationCountry } = corridorOf(call);
  return { sourceCountry, destinationCountry };
}

/** The one currency of request, tenant and payment method; a cash pickup need not name it. */
function currencyOf(call: CallUnderCheck): string | undefined {
  const { recipientCurrency: currency, destinationPaymentMethod } = call.request;
  const implied = typeOf(call) === 'CashPickup' ? currency : undefined;
  const { currency: own = implied } = destinationPaymentMethod;
  const isShared = currency === call.tenant.defaultCurrency && currency === own;
  return typeof currency === 'string' && isCurrency(currency) && isShared ? currency : undefined;
}

/** Call it only after the check of the currency. */
function amountOf(call: CallUnderCheck): string | undefined {
  const { recipientAmount } = call.request;
  const read = isLosslessNumber(recipientAmount)
    ? readAmount(recipientAmount.toString(), String(currencyOf(call)))
    : undefined;
  return read?.ok ? read.amount : undefined;
}

function isQuoted({ request }: CallUnderCheck): boolean {
  return request.quoteId !== undefined;
}

/** Whether the currencies have a rate, even one that is too old. */
function hasRate(priced: Result<Quote>): boolean {
  return priced.ok || isStaleRate(priced);
}

/** Call it only after all checks. */
function quotedPriceOf(call: CallUnderCheck, { operations }: CheckDeps): Promise<Result<Quote>> {
  const request = {
    accountId: call.tenant.accountId,
    quoteId: String(call.request.quoteId),
    ...countriesOf(call),
    recipientAmount: String(amountOf(call)),
    recipientCurrency: String(currencyOf(call)),
    at: call.now,
  };
  return priceByQuote(operations.quotes, request, QUOTE_ISSUE);
}

/** Call it only after the check of the amount. */
function priceOf(call: CallUnderCheck, tenants: CheckDeps['tenants']): Promise<Result<Quote>> {
  return priceRequest(tenants, call.tenant, {
    payerCountry: String(call.request.requestTo.countryCode),
    recipientAmount: String(amountOf(call)),
    recipientCurrency: String(currencyOf(call)),
  });
}
