/**
 * A letter first: `Intl` also takes offsets such as +01:00, which databases understand differently. It takes names such as
 * `SystemV/PST8`, too, which IANA has withdrawn and databases do not know.
 */
const NAME = /^(?!SystemV\/)[A-Za-z][\w+/-]{0,63}$/i;

/** The usual name of an IANA time zone, such as `America/Mexico_City`; undefined if there is no such zone. */
export function timeZoneNamed(name: string): string | undefined {
  if (!NAME.test(name)) {
    return undefined;
  }
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone;
  } catch (error) {
    if (error instanceof RangeError) {
      return undefined;
    }
    throw error;
  }
}
