import { z } from 'zod';
import { keysOf } from '../../kernel/objects.ts';

/** So that the limit of all keys together is an Int of GraphQL too. */
const MOST_CALLS = 100_000_000;

const calls = z.int().min(0, 'must be 0 or more').max(MOST_CALLS, `must be at most ${MOST_CALLS}`).optional();

/**
 * A partner's own limits: the most calls of one of its keys in 60 seconds; 0 for no limit. Absent ones are those of all
 * partners.
 */
export const rateLimitsSchema = z.strictObject({
  /** `/v1/user/…` */
  remittance: calls,
  /** `/v1/request-money…` */
  requestMoney: calls,
  /** `/partner/…` */
  partner: calls,
  /** `/graphql` and `/exports` */
  graphql: calls,
  /** `POST /partner/pre-quote-lite` and `preQuoteLite`, besides those of their surface. */
  preQuote: calls,
});

/** A partner's own limits of calls by one key in 60 seconds; see {@link rateLimitsSchema}. */
export type RateLimits = Readonly<z.output<typeof rateLimitsSchema>>;

/** The names of the limits. */
export const RATE_LIMITS = keysOf(rateLimitsSchema.shape);
