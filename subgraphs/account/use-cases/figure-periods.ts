/** A range of time in milliseconds: from the first, before the second. Both are whole hours in UTC. */
export interface FigurePeriod {
  readonly from: number;
  readonly before: number;
}

/** The length of the periods of a series. */
export type PeriodLength = 'hour' | 'day';

const HOUR_MS = 3_600_000;

/** The whole hours that have any part of a range. */
export function wholeHours(from: Date, to: Date): FigurePeriod {
  return {
    from: Math.floor(from.getTime() / HOUR_MS) * HOUR_MS,
    before: Math.ceil(to.getTime() / HOUR_MS) * HOUR_MS,
  };
}

/**
 * Divides a range into hours, or into the days of a time zone, oldest first. The first and the last day may be cut by the range, and a
 * day on which clocks change has 23 or 25 hours. Where the zone's offset is no whole hour, a day begins with the first whole hour after
 * midnight.
 * @param timeZone an IANA name
 */
export function dividePeriod(
  { from, before }: FigurePeriod,
  length: PeriodLength,
  timeZone: string,
): FigurePeriod[] {
  const dayOf = dayIn(timeZone);
  const periods: FigurePeriod[] = [];
  let start = from;
  let day = length === 'day' ? dayOf(from) : '';
  for (let hour = from + HOUR_MS; hour < before; hour += HOUR_MS) {
    const next = length === 'day' ? dayOf(hour) : '';
    if (length === 'hour' || next !== day) {
      periods.push({ from: start, before: hour });
      start = hour;
      day = next;
    }
  }
  return start < before ? [...periods, { from: start, before }] : periods;
}

/** Names the day of a time in a zone. */
function dayIn(timeZone: string): (at: number) => string {
  const format = new Intl.DateTimeFormat('en', {
    timeZone,
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
  });
  return (at) => format.format(at);
}
