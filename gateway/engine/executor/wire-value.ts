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
