import type { UnitOfWork } from '../../kernel/database/unit-of-work.ts';
import type { UsersDeps } from '../deps.ts';
import type { IdentityCheck, RecordedCheck } from '../port.ts';
import type { CipState, UserRecord } from '../user.ts';

/**
 * Records the state of an identity check. A `verified` stays, with its source, after any later report, unless that
 * `overrides`. Undefined when the account has no such user, or has erased it.
 */
export async function recordIdentityCheck(
  { users }: Pick<UsersDeps, 'users'>,
  check: IdentityCheck,
  unit: UnitOfWork,
): Promise<RecordedCheck | undefined> {
  const user = await users.find(check.accountId, check.userId, unit);
  if (!user || user.erasureRequestedAt) {
    return undefined;
  }
  const before = user.cipStatus;
  if (before === 'verified' && !check.overrides) {
    return { before, state: stateOf(user) };
  }
  const state = nextState(user, check);
  users.setCipState(check, state, unit);
  return { before, state };
}

/** {@link UsersPort.saveIdentityCheck} */
export function saveIdentityCheck(
  { users }: Pick<UsersDeps, 'users'>,
  check: Omit<IdentityCheck, 'overrides'>,
  unit: UnitOfWork,
): void {
  users.setCipState(check, nextState({ cipStatus: 'pending' }, check), unit, 'verified');
}

function nextState(
  user: Pick<UserRecord, 'cipStatus' | 'cipVerifiedAt'>,
  { status, provider, result, at }: IdentityCheck,
): CipState {
  const verifiedSince = user.cipStatus === 'verified' ? user.cipVerifiedAt : undefined;
  return {
    cipStatus: status,
    ...(provider === undefined ? {} : { cipProvider: provider }),
    ...(status === 'verified' ? { cipVerifiedAt: verifiedSince ?? at } : {}),
    ...(result === undefined ? {} : { cipResult: result }),
  };
}

function stateOf({ cipStatus, cipProvider, cipVerifiedAt, cipResult }: UserRecord): CipState {
  return {
    cipStatus,
    ...(cipProvider === undefined ? {} : { cipProvider }),
    ...(cipVerifiedAt === undefined ? {} : { cipVerifiedAt }),
    ...(cipResult === undefined ? {} : { cipResult }),
  };
}
