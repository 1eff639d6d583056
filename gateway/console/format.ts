// Formats numbers, money and times for people, only with Intl.

/** Languages of the console. */
export const LANGUAGES = ['en', 'es'] as const;
export type Language = (typeof LANGUAGES)[number];
/** Zones in which times are shown. */
export type Zone = 'local' | 'utc';

const MINUTES = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const;
const SECONDS = { year: 'numeric', month: 'short', day: '2-digit', ...MINUTES, second: '2-digit' } as const;

/** An amount as the graph gives it: exact decimal digits, never a float. */
export interface Amount {
  readonly amount: string;
  readonly currency: string;
}

/**
 * Formats exactly: Intl reads the digits of the text. It gives some currencies, such as COP, fewer decimals than ISO 4217 does: an amount
 * keeps its own. The currency is a code, as there are many dollars.
 */
export function formatMoney({ amount, currency }: Amount, language: Language): string {
  const style = { style: 'currency', currency, currencyDisplay: 'code' } as const;
  const { maximumFractionDigits: usual = 0 } = new Intl.NumberFormat(language, style).resolvedOptions();
  const decimals = Math.max(usual, amount.split('.')[1]?.length ?? 0);
  const format = new Intl.NumberFormat(language, { ...style, minimumFractionDigits: decimals });
  return format.format(amount as Intl.StringNumericLiteral);
}

export function formatNumber(value: number, language: Language): string {
  return new Intl.NumberFormat(language).format(value);
}

/** Shares above it are not rounded up: 99.96 % is not 100 %. */
const ALMOST_ALL = 0.999;

/** @param share 0 to 1. All is 100 % only when it is all. */
export function formatShare(share: number, language: Language): string {
  const format = new Intl.NumberFormat(language, { style: 'percent', maximumFractionDigits: 1 });
  return format.format(share < 1 ? Math.min(share, ALMOST_ALL) : share);
}

/** An instant to the second, or to the millisecond, with its zone. @param iso RFC 3339 */
export function formatTime(iso: string, language: Language, zone: Zone, isExact = false): string {
  const format: Intl.DateTimeFormatOptions = {
    ...SECONDS,
    ...(isExact && { fractionalSecondDigits: 3 }),
    ...(zone === 'utc' && { timeZoneName: 'short' }),
  };
  return inZone(iso, format, language, zone);
}

/** An instant to the second in a zone of its own, which it names. @param iso RFC 3339 @param timeZone an IANA name */
export function formatTimeIn(iso: string, language: Language, timeZone: string): string {
  const format = { ...SECONDS, timeZoneName: 'short', timeZone } as const;
  return new Intl.DateTimeFormat(language, format).format(new Date(iso));
}

/** The day of an instant, with its weekday. @param iso RFC 3339 */
export function formatDate(iso: string, language: Language, zone: Zone): string {
  const format = { weekday: 'long', year: 'numeric', month: 'long', day: 'numeric' } as const;
  return inZone(iso, format, language, zone);
}

/** The time of day of an instant, to the millisecond. @param iso RFC 3339 */
export function formatClock(iso: string, language: Language, zone: Zone): string {
  const format = { ...MINUTES, second: '2-digit', fractionalSecondDigits: 3 } as const;
  return inZone(iso, format, language, zone);
}

/** A number in few characters: `1.2K`. */
export function formatShort(value: number, language: Language): string {
  return new Intl.NumberFormat(language, { notation: 'compact', maximumFractionDigits: 1 }).format(value);
}

/** The lengths of periods that charts show. */
type PeriodLength = 'MINUTE' | 'HOUR' | 'DAY';

const LABELS: Readonly<Record<PeriodLength, Intl.DateTimeFormatOptions>> = {
  MINUTE: MINUTES,
  HOUR: { hour: '2-digit', hourCycle: 'h23' },
  DAY: { month: 'short', day: 'numeric' },
};

/** The beginning of a period, as short as an axis needs it. @param iso RFC 3339 */
export function formatPeriod(iso: string, by: PeriodLength, language: Language, zone: Zone): string {
  return inZone(iso, LABELS[by], language, zone);
}

/** The beginning of a period with all that names it. @param iso RFC 3339 */
export function namePeriod(iso: string, by: PeriodLength, language: Language, zone: Zone): string {
  const day = { weekday: 'short', month: 'short', day: 'numeric' } as const;
  return inZone(iso, by === 'DAY' ? day : { ...day, ...MINUTES }, language, zone);
}

function inZone(iso: string, format: Intl.DateTimeFormatOptions, language: Language, zone: Zone): string {
  const options = { ...format, ...(zone === 'utc' && { timeZone: 'UTC' }) };
  return new Intl.DateTimeFormat(language, options).format(new Date(iso));
}

/** Milliseconds as people say them: `85 ms`, `2.4 s`, `3 min`, `5 h`, `2 d`. */
export function formatDuration(ms: number, language: Language): string {
  const [value, unit] = inUnit(ms);
  return new Intl.NumberFormat(language, {
    style: 'unit',
    unit,
    unitDisplay: 'narrow',
    maximumFractionDigits: value < 10 && unit !== 'millisecond' ? 1 : 0,
  }).format(value);
}

function inUnit(ms: number): [value: number, unit: string] {
  const units = [
    ['day', 86_400_000],
    ['hour', 3_600_000],
    ['minute', 60_000],
    ['second', 1_000],
  ] as const;
  const [unit, length] = units.find(([, one]) => ms >= one) ?? ['millisecond', 1];
  return [ms / length, unit];
}

/** The value of `<input type="datetime-local">` for an instant; empty for none. */
export function toInputTime(iso: string | undefined, zone: Zone): string {
  if (iso === undefined || Number.isNaN(Date.parse(iso))) {
    return '';
  }
  const time = new Date(iso);
  const shown = zone === 'utc' ? time : new Date(time.getTime() - time.getTimezoneOffset() * 60_000);
  return shown.toISOString().slice(0, 16);
}

/** The instant of an input's value; undefined for none. */
export function fromInputTime(value: string, zone: Zone): string | undefined {
  const time = new Date(zone === 'utc' ? `${value}Z` : value);
  return value === '' || Number.isNaN(time.getTime()) ? undefined : time.toISOString();
}
