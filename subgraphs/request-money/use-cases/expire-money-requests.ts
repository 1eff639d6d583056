import type { Expired } from '../../kernel/clock/account-clock.ts';
import { isOutage } from '../../kernel/database/outage.ts';
import type { Logger } from '../../kernel/log/log.ts';
import type { RequestMoneyDeps } from '../deps.ts';
import type { MoneyRequest } from '../store/model.ts';
import { applyStatusUpdate } from './apply-status-update.ts';

const BATCH = 100;

/**
 * Cancels every pending money request that has expired, oldest first, until none is left (decisions, section 3: within
 * 60 s). Safe to run twice at once: a money request that moved meanwhile is left alone. One that cannot be cancelled is
 * tried once in a run and logged, and those behind it go on, however many they are.
 * @throws when the database cannot be reached
 * @returns how many it cancelled
 */
export async function expireDueMoneyRequests(
  deps: RequestMoneyDeps & { log: Logger },
  signal: AbortSignal,
): Promise<number> {
  let count = 0;
  for (const expired of deps.listExpired()) {
    count += await expireAll(deps, expired, signal);
  }
  if (count > 0) {
    deps.log.info({ expired: count }, 'request_money.expired');
  }
  return count;
}

async function expireAll(
  deps: RequestMoneyDeps & { log: Logger },
  which: Expired,
  signal: AbortSignal,
): Promise<number> {
  let expired = 0;
  let left = 0;
  let hasMore = true;
  while (hasMore && !signal.aborted) {
    // Those that were left are still the oldest. One that another run has moved counts too: the next run, 20 s later, finds
    // what is skipped for it.
    const due = await deps.moneyRequests.findExpired(which, { skip: left, limit: BATCH });
    for (const moneyRequest of due) {
      if (signal.aborted) {
        break;
      }
      if (await expireOne(deps, moneyRequest)) {
        expired += 1;
      } else {
        left += 1;
      }
    }
    hasMore = due.length === BATCH;
  }
  return expired;
}

async function expireOne(
  deps: RequestMoneyDeps & { log: Logger },
  expired: Pick<MoneyRequest, 'accountId' | 'referenceId'>,
): Promise<boolean> {
  try {
    return await expire(deps, expired);
  } catch (error) {
    if (isOutage(error)) {
      throw error;
    }
    const { accountId, referenceId } = expired;
    deps.log.error({ accountId, referenceId, err: error }, 'request_money.expiry_failed');
    return false;
  }
}

/** Cancels a money request unless it has moved on; false when it had. */
async function expire(
  deps: RequestMoneyDeps,
  { accountId, referenceId }: Pick<MoneyRequest, 'accountId' | 'referenceId'>,
): Promise<boolean> {
  const tenant = await deps.tenants.find(accountId);
  if (!tenant) {
    return false;
  }
  const update = { referenceId, status: 'cancelled', statusDetails: 'Expired' } as const;
  const isOverdue = ({ status, expiresAt }: MoneyRequest) =>
    status === 'pending' && expiresAt <= deps.accountClock(accountId);
  return (await applyStatusUpdate(deps, tenant, update, isOverdue)).ok;
}
