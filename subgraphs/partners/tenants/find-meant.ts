import {
  type AccountId,
  accountOf,
  type Environment,
  environmentOf,
  tenantOf,
} from '../../kernel/account.ts';
import { fail, type Result, succeed } from '../../kernel/errors/result.ts';
import type { Tenant, Tenants } from './service.ts';

/** The partner of a record, as a call of the platform's back end names it. */
export interface NamedPartner {
  readonly partnerId: string;
  readonly environment?: Environment | undefined;
}

/** The name of an account, by which {@link findMeant} finds exactly this one. */
export function nameOf(accountId: AccountId): Required<NamedPartner> {
  return { partnerId: tenantOf(accountId), environment: environmentOf(accountId) };
}

/**
 * Whether a call of the platform's back end about a record of any partner means this account: one of the environment that it names, and
 * that the deployment serves.
 */
export function isMeant(
  { environments }: Pick<Tenants, 'environments'>,
  accountId: AccountId,
  environment = environmentOf(accountId),
): boolean {
  return environment === environmentOf(accountId) && environments.includes(environment);
}

/**
 * Finds the account that a call of the platform's back end means: in the environment that it names, else in the only one that
 * has the record, else in the first one that the deployment serves (decisions, section 8, "Internal calls"). Undefined for an
 * unknown partner. Failure: AMBIGUOUS_ENVIRONMENT when both have the record.
 * @param having the accounts among some that have the record
 */
export async function findMeant(
  { environments, find }: Pick<Tenants, 'environments' | 'find'>,
  { partnerId, environment }: NamedPartner,
  having: (accountIds: readonly AccountId[]) => Promise<readonly AccountId[]>,
): Promise<Result<Tenant | undefined>> {
  const meant = environments.filter((one) => environment === undefined || one === environment);
  const accounts = meant.map((one) => accountOf(partnerId, one));
  const [first = accounts[0], second] = accounts.length > 1 ? await having(accounts) : accounts;
  if (second !== undefined) {
    return fail('AMBIGUOUS_ENVIRONMENT');
  }
  return succeed(first && (await find(first)));
}
