import { iso31662 } from 'iso-3166';

const ADULT_YEARS = 18;
const TOO_OLD_YEARS = 100;
const DATE = /^\d{4}-\d{2}-\d{2}$/;
const DATE_TIME = /^(\d{4}-\d{2}-\d{2})T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:?\d{2})?$/;
const ISO_SUBDIVISION = /^[A-Z]{2}-[A-Z0-9]{1,3}$/;

const SUBDIVISIONS: ReadonlySet<string> = new Set(iso31662.map(({ code }) => code));

/** The calendar date that a `YYYY-MM-DD` or an ISO 8601 date-time names, as written; undefined when it is not real. */
export function readDate(value: unknown): string | undefined {
  if (typeof value !== 'string') {
    return undefined;
  }
  const day = DATE_TIME.exec(value)?.[1];
  if (day !== undefined && Number.isNaN(Date.parse(value))) {
    return undefined;
  }
  const text = day ?? value;
  return isDate(text) ? text : undefined;
}

/** Whether a text is a real calendar date as YYYY-MM-DD. */
export function isDate(text: string): boolean {
  const day = DATE.test(text) ? new Date(`${text}T00:00:00Z`) : undefined;
  return day !== undefined && !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text);
}

/**
 * Whether a person born on `date` (YYYY-MM-DD) is at least 18 and under 100 on the UTC day of `now`. A person born on 29
 * February has the birthday on 1 March in common years.
 */
export function isAdult(date: string, now: Date): boolean {
  const [year = 0, month = 0, day = 0] = date.split('-').map(Number);
  const had = (years: number) => now.getTime() >= Date.UTC(year + years, month - 1, day);
  return had(ADULT_YEARS) && !had(TOO_OLD_YEARS);
}

/**
 * Whether a state may belong to a country: an ISO 3166-2 code must be one of the country's; any other text counts as a name.
 */
export function isStateOf(state: string, country: string): boolean {
  return ISO_SUBDIVISION.test(state) ? state.startsWith(`${country}-`) && SUBDIVISIONS.has(state) : true;
}
