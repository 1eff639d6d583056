/** Most levels of a custom scalar, or of the extensions of an error: fewer than the stack has for writing them. */
const MOST_LEVELS = 500;

/** Whether objects and lists in a value are nested more than 500 levels. */
export function hasTooManyLevels(value: unknown, left = MOST_LEVELS): boolean {
  return (
    typeof value === 'object' &&
    value !== null &&
    (left === 0 || Object.values(value).some((item) => hasTooManyLevels(item, left - 1)))
  );
}
