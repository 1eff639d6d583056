import type { AccountId } from '../../kernel/account.ts';
import { queueKey } from '../../kernel/database/transaction.ts';
import { fail, type Result, succeed } from '../../kernel/errors/result.ts';
import type { Principal } from '../../kernel/principal.ts';
import type { ApiKeys } from '../../partners/keys/service.ts';
import type { BlockUser } from '../commands/block-user.ts';
import type { UsersDeps } from '../deps.ts';
import { type Blocker, type BlockState, statusOf, type UserRecord } from '../user.ts';

type Deps = Pick<UsersDeps, 'users' | 'events' | 'transaction' | 'accountClock'>;
type Keys = { readonly apiKeys: Pick<ApiKeys, 'find'> };

/**
 * Blocks a user: no new links, no transfers. A blocked user keeps the time, the reason and the caller of the first block.
 * Fails with USER_NOT_FOUND.
 */
export async function blockUser(
  deps: Deps & Keys,
  principal: Principal,
  userId: string,
  { reason }: BlockUser,
): Promise<Result<UserRecord>> {
  const { accountId } = principal;
  const blockedBy = await blockerOf(deps, principal);
  return setBlock(deps, { accountId, userId }, (at) => ({
    blocked: true,
    blockedAt: at,
    ...(reason === undefined ? {} : { blockedReason: reason }),
    blockedBy,
  }));
}

/** The caller as the partner knows it: a key by its label, or else its first characters; a console session by its label. */
export async function blockerOf({ apiKeys }: Keys, { keyId, consoleSession }: Principal): Promise<Blocker> {
  if (consoleSession) {
    const { sessionId, label } = consoleSession;
    return { kind: 'CONSOLE_SESSION', id: sessionId, ...(label !== '' && { name: label }) };
  }
  const key = await apiKeys.find(keyId);
  return { kind: 'API_KEY', id: keyId, ...(key && { name: key.label || key.prefix }) };
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
