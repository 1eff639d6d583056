import type { AccountId } from '../../kernel/account.ts';
import { queueKey } from '../../kernel/database/transaction.ts';
import { fail, type Result, succeed } from '../../kernel/errors/result.ts';
import type { Principal } from '../../kernel/principal.ts';
import type { BlockUser } from '../commands/block-user.ts';
import type { UsersDeps } from '../deps.ts';
import { type BlockState, statusOf, type UserRecord } from '../user.ts';

type Deps = Pick<UsersDeps, 'users' | 'events' | 'transaction' | 'accountClock'>;

/**
 * Blocks a user: no new links, no transfers. A blocked user keeps the time and the reason of the first block. Fails with
 * USER_NOT_FOUND.
 */
export function blockUser(
  deps: Deps,
  { accountId }: Principal,
  userId: string,
  { reason }: BlockUser,
): Promise<Result<UserRecord>> {
  return setBlock(deps, { accountId, userId }, (at) => ({
    blocked: true,
    blockedAt: at,
    ...(reason === undefined ? {} : { blockedReason: reason }),
  }));
}

/** Unblocks a user; nothing changes when the user is not blocked. Fails with USER_NOT_FOUND, USER_ERASED. */
export function unblockUser(
  deps: Deps,
  { accountId }: Principal,
  userId: string,
): Promise<Result<UserRecord>> {
  return setBlock(deps, { accountId, userId }, () => ({ blocked: false }));
}

/** It takes the user's turn: against many transactions that hold the user, it would lose one conflict after another. */
async function setBlock(
  { users, events, transaction, accountClock }: Deps,
  { accountId, userId }: { accountId: AccountId; userId: string },
  stateAt: (at: Date) => BlockState,
): Promise<Result<UserRecord>> {
  return transaction(
    async (unit): Promise<Result<UserRecord>> => {
      const user = await users.find(accountId, userId, unit);
      if (!user) {
        return fail('USER_NOT_FOUND');
      }
      const at = accountClock(accountId);
      const state = stateAt(at);
      if (user.erasureRequestedAt && !state.blocked) {
        return fail('USER_ERASED');
      }
      if (user.blocked === state.blocked) {
        return succeed(user);
      }
      const after = users.setBlock(user, state, at, unit);
      events.append(
        [
          {
            accountId,
            entity: 'user',
            entityId: userId,
            version: after.version ?? 1,
            type: after.blocked ? 'user.blocked' : 'user.unblocked',
            previousStatus: statusOf(user),
            status: statusOf(after),
            occurredAt: at,
          },
        ],
        unit,
      );
      return succeed(after);
    },
    queueKey(accountId, { userId }),
  );
}
