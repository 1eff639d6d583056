/** The longest wait that a receiver can request. */
export const LONGEST_RETRY_AFTER_MS = 12 * 3_600_000;

const SECONDS = /^\d{1,10}$/;
/** `Sun, 06 Nov 1994 08:49:37 GMT`, the form of RFC 9110 that senders must use. */
const HTTP_DATE = /^(Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/;

/**
 * The wait that an answer requests by its `Retry-After` (RFC 9110, section 10.2.3), milliseconds from `now`: seconds or a
 * date, 12 hours at most. Undefined for no header, an unreadable one, and a past date.
 */
export function readRetryAfter(value: string | undefined, now: number): number | undefined {
  const text = value?.trim() ?? '';
  const ms = SECONDS.test(text)
    ? Number(text) * 1000
    : HTTP_DATE.test(text)
      ? Date.parse(text) - now
      : Number.NaN;
  return ms > 0 ? Math.min(ms, LONGEST_RETRY_AFTER_MS) : undefined;
}
