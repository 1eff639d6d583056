/**
 * How long a process may use an older configuration. A read that a change overtakes still answers those who wait for it, and
 * is not kept; without `ignoreFetchAbort` they would get an error.
 */
export const FRESH = { max: 10_000, ttl: 2_000, ignoreFetchAbort: true } as const;
