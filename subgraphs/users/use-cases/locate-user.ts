import { type AccountId, environmentOf } from '../../kernel/account.ts';
import type { UsersDeps } from '../deps.ts';
import type { UsersPort } from '../port.ts';

/** {@link UsersPort.locate} */
export async function locateUser(
  { users }: Pick<UsersDeps, 'users'>,
  accountId: AccountId,
  userId: string,
): ReturnType<UsersPort['locate']> {
  const owner = await users.accountOf(userId);
  if (owner === undefined) {
    return 'unknown';
  }
  if (owner === accountId) {
    return 'own';
  }
  // An id of the other environment answers like an unknown one (decisions, section 8).
  return environmentOf(owner) === environmentOf(accountId) ? 'foreign' : 'unknown';
}
