import type { Quota } from './partner-limiter.ts';

/**
 * The header fields `RateLimit-Policy` and `RateLimit` of the limits that a call counts for, as lists of RFC 9651
 * (draft-ietf-httpapi-ratelimit-headers-11): `q` calls in any `w` seconds, of which `r` are left within the next `t` seconds.
 * A call without a limit has neither.
 */
export function quotaHeaders(quotas: readonly Quota[]): Record<string, string> {
  if (quotas.length === 0) {
    return {};
  }
  const policies = quotas.map(
    ({ limit: { name, limit, windowSeconds } }) => `"${name}";q=${limit};w=${windowSeconds}`,
  );
  const left = quotas.flatMap(({ limit: { name }, left: known }) =>
    known ? [`"${name}";r=${known.remaining};t=${known.resetSeconds}`] : [],
  );
  return { 'ratelimit-policy': policies.join(', '), ratelimit: left.join(', ') };
}
