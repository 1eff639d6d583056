/** The queries of the benchmark, by name. */
export const QUERIES = {
  /** Three subgraphs, three fetches, about 6 kB. */
  list: `{
  operations(first: 20) {
    id status amount currency
    user { id firstName cipStatus links { id status } }
  }
}`,
  /** Four subgraphs, six fetches, about 80 kB. */
  deep: `query Deep {
  operations(first: 20) {
    id status amount currency
    user {
      id firstName lastName cipStatus
      links {
        id status lastUsedAt
        moneyRequests {
          referenceId status amount currency reason expiresAt
          user { id firstName cipStatus }
          operation { id status amount }
        }
      }
    }
  }
}`,
} as const;

export type QueryName = keyof typeof QUERIES;

export const QUERY_NAMES = Object.keys(QUERIES) as readonly QueryName[];
