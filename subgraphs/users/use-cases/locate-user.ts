import type { UsersDeps } from '../deps.ts';
import type { UsersPort } from '../port.ts';

/** {@link UsersPort.locate} */
export async function locateUser(
  { users }: Pick<UsersDeps, 'users'>,
  tenantId: string,
  userId: string,
): ReturnType<UsersPort['locate']> {
  const owner = await users.tenantOf(userId);
  if (owner === undefined) {
    return 'unknown';
  }
  return owner === tenantId ? 'own' : 'foreign';
}
