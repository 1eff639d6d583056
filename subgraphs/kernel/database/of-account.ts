import type { AccountId } from '../account.ts';

/**
 * The filter for documents of one account, even when the filter itself names another one. The account comes first: SecantusDB
 * finds nothing by two fields when one with a partial index stands before the account.
 */
export function ofAccount<Filter extends object>(
  accountId: AccountId,
  filter: Filter,
): Filter & { accountId: AccountId } {
  return Object.assign({ accountId }, filter, { accountId });
}
