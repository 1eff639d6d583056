function hasToJson(value: object): value is { toJSON(): unknown } {
  return 'toJSON' in value && typeof value.toJSON === 'function';
}

/**
 * Converts a leaf to its JSON value. A subgraph in this process may return a JavaScript value, such as a `Date`. Everything
 * that leaves the executor (references, responses) has the form that HTTP would have carried.
 */
export function wireValue(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) {
    return value;
  }
  if (Array.isArray(value)) {
    return value.some((item) => typeof item === 'object') ? value.map(wireValue) : value;
  }
  return hasToJson(value) ? value.toJSON() : value;
}

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
