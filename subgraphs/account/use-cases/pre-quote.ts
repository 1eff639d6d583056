import { isLosslessNumber, type LosslessNumber } from 'lossless-json';
import { z } from 'zod';
import { type Failure, fail, type Result, succeed } from '../../kernel/errors/result.ts';
import { bodyError, rejectLosslessNumber, requiredOr, string } from '../../kernel/json/schemas.ts';
import { AMOUNT_LIMIT, type AmountIssue, readAmount } from '../../kernel/money/amount.ts';
import { currencyOfCountry, isCountry, isCurrency } from '../../kernel/money/iso.ts';
import { PAYOUT_METHODS } from '../../kernel/money/payout-methods.ts';
import { quoteSending } from '../../kernel/money/quote.ts';
import { isRecord } from '../../kernel/objects.ts';
import type { Principal } from '../../kernel/principal.ts';
import type { RateLimits } from '../../partners/tenants/rate-limits.ts';
import type { Tenant, Tenants } from '../../partners/tenants/service.ts';
import type { PartnerLimiter, Quota } from '../../runtime/limits/partner-limiter.ts';
import type { RateLimit } from '../../runtime/limits/rate-limiter.ts';

/**
 * Document 3, "Limits": 30 calls a minute for each key, on all surfaces together, unless the partner has a limit of its own; all
 * its keys have a multiple of it. 0 means no limit.
 */
export function preQuoteLimitOf(own: RateLimits | undefined): RateLimit {
  return { name: 'pre-quote', limit: own?.preQuote ?? 30, windowSeconds: 60 };
}

const country = string().refine(isCountry, 'must be an ISO 3166-1 alpha-2 code');

/** The body of `POST /partner/pre-quote-lite` (decisions, section 4). */
export const preQuoteSchema = rejectLosslessNumber(
  z.object(
    {
      sourceCountry: country.describe('Country of the sender, ISO 3166-1 alpha-2.'),
      destinationCountry: country.describe('Country of the recipient, ISO 3166-1 alpha-2.'),
      destinationCurrency: string()
        .refine(isCurrency, 'must be an ISO 4217 code')
        .describe('Currency of the recipient, ISO 4217.'),
      payoutMethod: z.enum(PAYOUT_METHODS, {
        error: requiredOr(`must be one of ${PAYOUT_METHODS.join(', ')}`),
      }),
      amount: z.custom<LosslessNumber>(isLosslessNumber, { error: requiredOr('must be a number') }).meta({
        description: "The most that is sent, fee included, in the source country's currency.",
        type: 'number',
        exclusiveMinimum: 0,
        exclusiveMaximum: AMOUNT_LIMIT,
      }),
    },
    bodyError,
  ),
);

type Transfer = z.output<typeof preQuoteSchema>;

/** The price of a transfer. Amounts and the rate are decimal strings. */
interface PreQuote {
  /** The amount that is sent, in the source country's currency: the largest price of an operation that is at most the amount asked. */
  readonly send: string;
  /** The amount that arrives. An operation for it has the same fee and price. */
  readonly receive: string;
  /** Units of the destination currency for one of the source currency. */
  readonly rate: string;
  /** In the source country's currency; part of `send`. */
  readonly fee: string;
  readonly currency: { readonly source: string; readonly destination: string };
}

/** The limits that the call counted for; whole seconds after which to try again, with the failure RATE_LIMITED. */
export type PreQuoteResult = Result<PreQuote> & {
  readonly quotas: readonly Quota[];
  readonly retryAfterSeconds?: number;
};

export interface PreQuoteDeps {
  tenants: Pick<Tenants, 'find' | 'routes' | 'fxRate'>;
  limiter: PartnerLimiter;
}

/**
 * Prices a transfer without making it.
 * @param body the JSON value, numbers as LosslessNumber; undefined for what is not JSON
 * Failures: RATE_LIMITED, INVALID_REQUEST for each issue, ROUTE_NOT_AVAILABLE without a route or a rate,
 * RATE_STALE for a live call at a rate that is too old.
 */
export async function preQuote(
  { tenants, limiter }: PreQuoteDeps,
  principal: Principal,
  body: unknown,
): Promise<PreQuoteResult> {
  const tenant = await tenants.find(principal.accountId);
  const verdict = await limiter.take(preQuoteLimitOf(tenant?.rateLimits), principal);
  const { quotas } = verdict;
  if (!verdict.allowed) {
    return { ...fail('RATE_LIMITED'), quotas, retryAfterSeconds: verdict.retryAfterSeconds };
  }
  return { ...(await quote(tenants, tenant, body)), quotas };
}

async function quote(
  tenants: PreQuoteDeps['tenants'],
  tenant: Tenant | undefined,
  body: unknown,
): Promise<Result<PreQuote>> {
  const parsed = preQuoteSchema.safeParse(body);
  const amount = amountOf(body);
  const issues = [
    ...(parsed.success ? [] : parsed.error.issues.map(({ path, message }) => invalid(path, message))),
    ...(amount && !amount.ok ? [invalid(['amount'], AMOUNT_MESSAGES[amount.issue])] : []),
  ];
  if (!parsed.success || !amount?.ok || issues.length > 0) {
    return { ok: false, failures: issues };
  }
  return tenant ? price(tenants, tenant, parsed.data, amount.amount) : fail('ROUTE_NOT_AVAILABLE');
}

async function price(
  tenants: PreQuoteDeps['tenants'],
  { fee, environment }: Tenant,
  { sourceCountry, destinationCountry, destinationCurrency, payoutMethod }: Transfer,
  amount: string,
): Promise<Result<PreQuote>> {
  const routes = await tenants.routes({ sourceCountry, destinationCountry, destinationCurrency });
  const source = currencyOfCountry(sourceCountry);
  const current = source && (await tenants.fxRate(source, destinationCurrency));
  if (!current || !routes.some(({ payoutType }) => payoutType === payoutMethod)) {
    return fail('ROUTE_NOT_AVAILABLE');
  }
  if (environment === 'live' && current.isStale) {
    return fail('RATE_STALE');
  }
  const quoted = quoteSending({
    amount,
    senderCurrency: source,
    recipientCurrency: destinationCurrency,
    exchangeRate: current.rate,
    fee,
  });
  if (!quoted) {
    return { ok: false, failures: [invalid(['amount'], 'must leave more than 0 for the recipient')] };
  }
  if (!readAmount(quoted.receive, destinationCurrency).ok) {
    const message = `must leave less than ${AMOUNT_LIMIT} for the recipient`;
    return { ok: false, failures: [invalid(['amount'], message)] };
  }
  const { send, fee: taken, receive } = quoted;
  return succeed({
    send,
    receive,
    rate: current.rate,
    fee: taken,
    currency: { source, destination: destinationCurrency },
  });
}

/**
 * The amount, checked by its own rules even when other parts are wrong; undefined when it is no number, which the schema
 * reports.
 */
function amountOf(body: unknown) {
  const { amount, sourceCountry } = isRecord(body) ? body : {};
  const currency = typeof sourceCountry === 'string' ? currencyOfCountry(sourceCountry) : undefined;
  return isLosslessNumber(amount) ? readAmount(amount.toString(), currency ?? '') : undefined;
}

const AMOUNT_MESSAGES: Readonly<Record<AmountIssue, string>> = {
  NOT_A_NUMBER: 'must be a number',
  NOT_POSITIVE: 'must be greater than 0',
  TOO_LARGE: `must be less than ${AMOUNT_LIMIT}`,
  TOO_MANY_DECIMALS: "must have at most the decimals of the source country's currency",
  LOSES_DIGITS: 'must have no more digits than a JSON number keeps',
};

function invalid(path: readonly PropertyKey[], message: string): Failure {
  const names = path.map(String);
  return {
    code: 'INVALID_REQUEST',
    message: [names.join('.'), message].filter(Boolean).join(' '),
    path: names,
  };
}
