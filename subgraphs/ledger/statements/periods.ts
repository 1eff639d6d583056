const DAY_MS = 86_400_000;

/** The day of an instant in a time zone, `YYYY-MM-DD`. @param timeZone an IANA name @throws RangeError for an unknown zone */
export function dayIn(at: Date, timeZone: string): string {
  return dayFormat(timeZone).format(at);
}

/**
 * The first instant of a day in a time zone. Where clocks skip midnight, the day begins when they are set forward; a day that a zone
 * skips begins with the day after it.
 * @param day `YYYY-MM-DD`
 * @param timeZone an IANA name
 * @throws RangeError for an unknown zone
 */
export function startOfDay(day: string, timeZone: string): Date {
  const format = dayFormat(timeZone);
  const midnight = Date.parse(day);
  // No zone is a day away from UTC.
  let [before, start] = [midnight - DAY_MS, midnight + DAY_MS];
  while (start - before > 1) {
    const middle = Math.floor((before + start) / 2);
    if (format.format(middle) < day) {
      before = middle;
    } else {
      start = middle;
    }
  }
  return new Date(start);
}

/** The day that is so many days after another one. @param day `YYYY-MM-DD` @param days below 0: before it */
export function addDays(day: string, days: number): string {
  return new Date(Date.parse(day) + days * DAY_MS).toISOString().slice(0, 10);
}

/** The month of a day, `YYYY-MM`. */
export function monthOf(day: string): string {
  return day.slice(0, 7);
}

/** Formats instants as days in a time zone, `YYYY-MM-DD`: Swedish dates have the form of ISO 8601. @throws RangeError for an unknown zone */
export function dayFormat(timeZone: string): Intl.DateTimeFormat {
  return new Intl.DateTimeFormat('sv-SE', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' });
}
