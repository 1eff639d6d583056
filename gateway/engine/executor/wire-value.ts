function hasToJson(value: object): value is { toJSON(): unknown } {
  return 'toJSON' in value && typeof value.toJSON === 'function';
}

/**
 * The JSON value of a leaf. A subgraph in this process may give what its scalars serialize to, a `Date` for
 * instance; everything that leaves the executor (references, responses) holds what HTTP would have carried.
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
