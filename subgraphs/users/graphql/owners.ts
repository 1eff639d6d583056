import type { Principal } from '../../kernel/principal.ts';
import type { UserService } from '../service.ts';
import { toUser, type User } from './user.type.ts';

/** A record of a user: a contact or a payout method. */
interface Owned {
  readonly userId: string;
}

/**
 * Finds the users whose records these are. When one is wanted, the users of all of them are read together.
 * @returns finds the user of a record @throws when there is none: users are never removed
 */
export function ownersOf(
  records: readonly Owned[],
  users: Pick<UserService, 'findByIds'>,
  principal: Principal,
): (record: Owned) => Promise<User> {
  let found: ReturnType<UserService['findByIds']> | undefined;
  return async ({ userId }) => {
    found ??= users.findByIds(principal, [...new Set(records.map((record) => record.userId))]);
    const user = (await found).get(userId);
    if (user === undefined) {
      throw new Error(`There is no user ${userId}, who has records`);
    }
    return toUser(user);
  };
}
