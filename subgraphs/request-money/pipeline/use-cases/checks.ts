import { isLosslessNumber } from 'lossless-json';
import {
  attributionLink,
  hasRoute,
  isBadAmount,
  type OperationsPort,
  priceRequest,
} from '../../../operations/index.ts';
import type { ErrorCode } from '../../../platform/errors/catalogue.ts';
import { fail, type Result, succeed } from '../../../platform/errors/result.ts';
import { readAmount } from '../../../platform/money/amount.ts';
import { isCurrency } from '../../../platform/money/iso.ts';
import type { Quote } from '../../../platform/money/quote.ts';
import type { Tenant, Tenants } from '../../../platform/tenants/service.ts';
import {
  type ContactInput,
  contactChecks,
  methodIssue,
  type PaymentMethodInput,
  type PaymentMethodType,
  type Registration,
  readMethodType,
  registrationChecks,
  toContact,
  toPaymentMethod,
  toRegistration,
} from '../../../users/index.ts';
import type { RawRequestMoneyFull } from '../commands/request-money-full.ts';

/** An atomic call that has passed every check. */
export interface CheckedRequest {
  tenant: Tenant;
  registration: Registration;
  correlationId: string;
  contact: ContactInput;
  method: PaymentMethodInput;
  quote: Quote;
  reason?: string;
  attributionLink: string;
}

/** What the checks ask others. */
export interface CheckDeps {
  tenants: Pick<Tenants, 'routesBetween' | 'hasRoutesFrom' | 'fxRate'>;
  operations: Pick<OperationsPort, 'isIdTaken'>;
}

/** A call under check. */
interface Asked extends RawRequestMoneyFull {
  tenant: Tenant;
  now: Date;
}

/** One check: what it is about in the body, and the code of what is wrong. */
interface Check {
  readonly path: readonly string[];
  issue(asked: Asked, deps: CheckDeps): ErrorCode | undefined | Promise<ErrorCode | undefined>;
}

/**
 * The checks of the atomic call behind that of its shape, in the order in which the first failing one wins (decisions,
 * section 2). A rate that is missing is told where the amount has just been found good, as v2 does.
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
  // Payers may besides live where routes begin, or the seed of decisions, section 1, had none.
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
    issue: (asked) => (typeOf(asked) ? undefined : 'ERROR_PAYMENT_METHOD_NOT_FOUND'),
  },
  {
    path: ['request', 'destinationPaymentMethod', 'country'],
    issue: async (asked, { tenants }) =>
      (await hasRoute(tenants, corridorOf(asked))) ? undefined : 'ERROR_DESTINATION_COUNTRY_NOT_SUPPORTED',
  },
  {
    path: ['request', 'recipientCurrency'],
    issue: (asked) => (currencyOf(asked) === undefined ? 'ERROR_INVALID_CURRENCY_CODE' : undefined),
  },
  {
    path: ['request', 'recipientAmount'],
    // A rate that is missing is told by the next check.
    issue: async (asked, { tenants }) =>
      amountOf(asked) === undefined || isBadAmount(await priceOf(asked, tenants))
        ? 'ERROR_INVALID_AMOUNT_ERROR'
        : undefined,
  },
  {
    path: ['request', 'destinationPaymentMethod', 'country'],
    issue: async (asked, { tenants }) => {
      const isServed = await hasRoute(tenants, { ...corridorOf(asked), currency: String(currencyOf(asked)) });
      return isServed && (await priceOf(asked, tenants)).ok
        ? undefined
        : 'ERROR_DESTINATION_COUNTRY_NOT_SUPPORTED';
    },
  },
  {
    path: ['request', 'correlationId'],
    issue: ({ request: { correlationId: id } }) =>
      typeof id === 'string' && id !== '' ? undefined : 'ERROR_CORRELATION_ID_REQUIRED',
  },
  {
    path: ['request', 'correlationId'],
    issue: async ({ tenant, request }, { operations }) =>
      (await operations.isIdTaken(tenant.tenantId, String(request.correlationId)))
        ? 'ERROR_CORRELATION_ID_ALREADY_USED'
        : undefined,
  },
  { path: ['requester'], issue: ({ requester, now }) => registrationChecks.names(requester, now) },
  {
    path: ['request', 'requestTo'],
    issue: ({ request, tenant }) => contactChecks.names(request.requestTo, tenant),
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
    issue: ({ request, now }) => methodIssue(request.destinationPaymentMethod, now),
  },
];

/**
 * Makes every check, one after the other.
 * Refusals: ERROR_REQUEST_MONEY_FULL never, that is the shape's; the codes of {@link CHECKS}.
 */
export async function checkRequest(
  deps: CheckDeps,
  tenant: Tenant,
  raw: RawRequestMoneyFull,
  now: Date,
): Promise<Result<CheckedRequest>> {
  const asked: Asked = { ...raw, tenant, now };
  for (const { path, issue } of CHECKS) {
    const code = await issue(asked, deps);
    if (code !== undefined) {
      return fail(code, undefined, path);
    }
  }
  const quote = await priceOf(asked, deps.tenants);
  return quote.ok ? succeed(toChecked(asked, quote.value)) : quote;
}

function toChecked(asked: Asked, quote: Quote): CheckedRequest {
  const { tenant, requester, request } = asked;
  const correlationId = String(request.correlationId);
  return {
    tenant,
    registration: toRegistration(requester),
    correlationId,
    contact: toContact(request.requestTo),
    method: toPaymentMethod(request.destinationPaymentMethod, quote.recipientCurrency),
    quote,
    ...(request.reason === undefined ? {} : { reason: request.reason }),
    attributionLink: attributionLink(tenant, correlationId),
  };
}

function typeOf({ request }: Asked): PaymentMethodType | undefined {
  return readMethodType(request.destinationPaymentMethod);
}

/** Only behind the check of the type. */
function corridorOf(asked: Asked) {
  const { requestTo, destinationPaymentMethod } = asked.request;
  return {
    payerCountry: String(requestTo.countryCode),
    country: String(destinationPaymentMethod.country),
    type: typeOf(asked) as PaymentMethodType,
  };
}

/** The one currency of request, tenant and payment method; a pickup of cash need not name it. */
function currencyOf(asked: Asked): string | undefined {
  const { recipientCurrency: currency, destinationPaymentMethod } = asked.request;
  const implied = typeOf(asked) === 'CashPickup' ? currency : undefined;
  const isShared =
    currency === asked.tenant.defaultCurrency && currency === (destinationPaymentMethod.currency ?? implied);
  return typeof currency === 'string' && isCurrency(currency) && isShared ? currency : undefined;
}

/** Only behind the check of the currency. */
function amountOf(asked: Asked): string | undefined {
  const { recipientAmount } = asked.request;
  const read = isLosslessNumber(recipientAmount)
    ? readAmount(recipientAmount.toString(), String(currencyOf(asked)))
    : undefined;
  return read?.ok ? read.amount : undefined;
}

/** Only behind the check of the amount. */
function priceOf(asked: Asked, tenants: CheckDeps['tenants']): Promise<Result<Quote>> {
  return priceRequest(tenants, asked.tenant, {
    payerCountry: String(asked.request.requestTo.countryCode),
    recipientAmount: String(amountOf(asked)),
    recipientCurrency: String(currencyOf(asked)),
  });
}
