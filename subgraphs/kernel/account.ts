/** The environment of a key: a key that begins with `raas_live_` is live, every other one sandbox. */
export type Environment = (typeof ENVIRONMENTS)[number];
export const ENVIRONMENTS = ['sandbox', 'live'] as const;

/**
 * Id of an account: a partner in one environment, such as `acme/sandbox` (decisions, section 8, "Two environments"). All records
 * of a partner belong to an account, and every read and write is limited to one. It is not on the wire: there, `partnerId` and
 * `tenantId` are the partner's id, {@link tenantOf}.
 */
export type AccountId = `${string}/${Environment}`;

/** The account of a partner in an environment. */
export function accountOf(tenantId: string, environment: Environment): AccountId {
  return `${tenantId}/${environment}`;
}

/** The accounts of partners in all environments. */
export function accountsOf(tenantIds: readonly string[]): AccountId[] {
  return tenantIds.flatMap((tenantId) => ENVIRONMENTS.map((environment) => accountOf(tenantId, environment)));
}

/** The id of the account's partner. */
export function tenantOf(accountId: AccountId): string {
  return accountId.slice(0, accountId.lastIndexOf('/'));
}

/** The environment of the account. */
export function environmentOf(accountId: AccountId): Environment {
  return accountId.endsWith('/live') ? 'live' : 'sandbox';
}

/** The partner and the environment of an account, as records of several accounts name them. */
export function partsOf(accountId: AccountId): {
  readonly tenantId: string;
  readonly environment: Environment;
} {
  return { tenantId: tenantOf(accountId), environment: environmentOf(accountId) };
}
