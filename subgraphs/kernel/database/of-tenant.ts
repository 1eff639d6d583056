import type { AccountId } from '../account.ts';

/**
 * The filter for documents of one tenant, whatever tenant the filter itself names. The tenant comes first: SecantusDB finds
 * nothing by two fields when one with a partial index stands before the tenant.
 */
export function ofTenant<Filter extends object>(
  accountId: AccountId,
  filter: Filter,
): Filter & { accountId: AccountId } {
  return Object.assign({ accountId }, filter, { accountId });
}
