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
  type OperationsPort,
  priceRequest,
} from '../../operations/index.ts';
import type { Tenant, Tenants } from '../../partners/tenants/service.ts';
import {
  type ContactInput,
  contactChecks,
  holderIssue,
  methodIssue,
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
  countries: Countries;
  reason?: string;
  attributionLink: string;
}

/** The dependencies of the checks. */
export interface CheckDeps {
  tenants: Pick<Tenants, 'routesBetween' | 'hasRoutesFrom' | 'fxRate'>;
  operations: Pick<OperationsPort, 'isIdTaken'>;
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
 * section 2). A missing rate is reported right after the check of the amount, as v2 does.
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
      amountOf(call) === undefined || isBadAmount(await priceOf(call, tenants))
        ? 'ERROR_INVALID_AMOUNT_ERROR'
        : undefined,
  },
  {
    path: ['request', 'destinationPaymentMethod', 'country'],
    issue: async (call, { tenants }) => {
      const isServed = await hasRoute(tenants, { ...corridorOf(call), currency: String(currencyOf(call)) });
      return isServed && (await priceOf(call, tenants)).ok
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
    issue: ({ request, now }) => methodIssue(request.destinationPaymentMethod, now),
  },
];

/**
 * Makes all checks, one after the other. Failures: the codes of {@link CHECKS}. @param isRetry whether saving has found an
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
  const quote = await priceOf(call, deps.tenants);
  return quote.ok ? succeed(toChecked(call, quote.value)) : quote;
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
    ...(request.reason === undefined ? {} : { reason: request.reason }),
    attributionLink: attributionLink(tenant, correlationId),
  };
}

function typeOf({ request }: CallUnderCheck): PaymentMethodType | undefined {
  return readMethodType(request.destinationPaymentMethod);
}

/** The cast: the checks have found that the method has a type. */
function corridorOf(call: CallUnderCheck) {
  const { requestTo, destinationPaymentMethod } = call.request;
  return {
    payerCountry: String(requestTo.countryCode),
    country: String(destinationPaymentMethod.country),
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
  const isShared =
    currency === call.tenant.defaultCurrency && currency === (destinationPaymentMethod.currency ?? implied);
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

/** Call it only after the check of the amount. */
function priceOf(call: CallUnderCheck, tenants: CheckDeps['tenants']): Promise<Result<Quote>> {
  return priceRequest(tenants, call.tenant, {
    payerCountry: String(call.request.requestTo.countryCode),
    recipientAmount: String(amountOf(call)),
    recipientCurrency: String(currencyOf(call)),
  });
}
