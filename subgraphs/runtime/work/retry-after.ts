/** The longest wait that a receiver can request. */
export const LONGEST_RETRY_AFTER_MS = 12 * 3_600_000;

const SECONDS = /^\d+$/;
/** `Sun, 06 Nov 1994 08:49:37 GMT`, the form of RFC 9110 that senders must use. */
const IMF_FIXDATE =
  /^[A-Z][a-z]{2}, (?<day>\d{2}) (?<month>[A-Z][a-z]{2}) (?<year>\d{4}) (?<time>\d{2}:\d{2}:\d{2}) GMT$/;
/** `Sunday, 06-Nov-94 08:49:37 GMT`, obsolete: RFC 850. */
const RFC_850 =
  /^[A-Z][a-z]{5,8}, (?<day>\d{2})-(?<month>[A-Z][a-z]{2})-(?<year>\d{2}) (?<time>\d{2}:\d{2}:\d{2}) GMT$/;
/** `Sun Nov  6 08:49:37 1994`, obsolete: asctime of C. */
const ASCTIME =
  /^[A-Z][a-z]{2} (?<month>[A-Z][a-z]{2}) (?<day>[ \d]\d) (?<time>\d{2}:\d{2}:\d{2}) (?<year>\d{4})$/;

/**
 * The wait that an answer requests by its `Retry-After` (RFC 9110, sections 5.6.7 and 10.2.3), milliseconds from `now`: any
 * number of seconds, or a date in one of the three forms; 12 hours at most. Undefined for no header, an unreadable one, and
 * a past date.
 */
export function readRetryAfter(value: string | undefined, now: number): number | undefined {
  const text = value?.trim() ?? '';
  const ms = SECONDS.test(text) ? Number(text) * 1000 : readDate(text, now) - now;
  return ms > 0 ? Math.min(ms, LONGEST_RETRY_AFTER_MS) : undefined;
}

/** Milliseconds since 1970; NaN for a text that is no date. */
function readDate(text: string, now: number): number {
  const {
    day = '',
    month,
    year = '',
    time,
  } = [IMF_FIXDATE, RFC_850, ASCTIME].map((form) => form.exec(text)?.groups).find(Boolean) ?? {};
  const fullYear = year.length === 2 ? expandYear(Number(year), now) : year;
  return Date.parse(`${day.trim()} ${month} ${fullYear} ${time} GMT`);
}

/** A year of two digits that would be more than 50 years ahead is of the century before (RFC 9110, section 5.6.7). */
function expandYear(digits: number, now: number): number {
  const year = new Date(now).getUTCFullYear();
  const inThisCentury = year - (year % 100) + digits;
  return inThisCentury > year + 50 ? inThisCentury - 100 : inThisCentury;
}
