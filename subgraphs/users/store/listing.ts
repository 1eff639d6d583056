import type { QueryFilter } from 'mongoose';
import type { Order } from '../../graph/paginate.ts';
import type { AccountId } from '../../kernel/account.ts';
import { ofAccount } from '../../kernel/database/of-account.ts';
import type { CipStatus, PersonKey } from '../user.ts';
import type { UserDocument } from './model.ts';

/** Which users to list; all given conditions must hold. */
export interface UserFilter {
  readonly createdAt?: { $gt?: Date; $lt?: Date } | undefined;
  readonly referenceId?: string | undefined;
  readonly cipStatus?: readonly CipStatus[] | undefined;
  readonly blocked?: boolean | undefined;
}

/** A list of users: which, and in what order. Each combination has an index (model.ts). */
export interface Listing {
  readonly filter: UserFilter;
  /** The keys that they must be registered with. */
  readonly keys: readonly PersonKey[];
  readonly order: Order;
}

/** The query of a filter. */
export function toStoredFilter(
  accountId: AccountId,
  { createdAt, referenceId, cipStatus, blocked }: UserFilter,
): QueryFilter<UserDocument> & { accountId: AccountId } {
  return ofAccount(accountId, {
    ...(createdAt === undefined ? {} : { createdAt }),
    ...(referenceId === undefined ? {} : { referenceId }),
    ...(cipStatus === undefined ? {} : { cipStatus: { $in: [...new Set(cipStatus)] } }),
    ...(blocked === undefined ? {} : { blocked }),
  });
}
