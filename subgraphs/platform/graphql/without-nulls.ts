/** A GraphQL input as a REST body has it: null for "not given" is absence there, at every depth. */
export function withoutNulls(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return value;
  }
  const given = Object.entries(value).filter(([, child]) => child !== null && child !== undefined);
  return Object.fromEntries(given.map(([key, child]) => [key, withoutNulls(child)]));
}
