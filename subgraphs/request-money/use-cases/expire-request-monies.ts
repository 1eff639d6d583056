import { isOutage } from '../../platform/database/outage.ts';
import type { Logger } from '../../platform/log/log.ts';
import type { RequestMoneyDeps } from '../deps.ts';
import { expire } from './update-status.ts';

const BATCH = 100;

/**
 * Cancels every pending ask whose time is over, oldest first, until none is left (decisions, section 3: within 60 s).
 * Safe to run twice at once: an ask that moved meanwhile is left alone. One that cannot be cancelled is logged and does not
 * keep those behind it waiting.
 * @throws when the store is away
 * @returns how many it cancelled
 */
export async function expireDueMoneyRequests(
  deps: RequestMoneyDeps & { log: Logger },
  signal: AbortSignal,
): Promise<number> {
  let expired = 0;
  while (!signal.aborted) {
    const due = await deps.moneyRequests.findExpired(deps.clock(), BATCH);
    let moved = 0;
    for (const moneyRequest of due) {
      moved += (await expireOne(deps, moneyRequest)) ? 1 : 0;
      if (signal.aborted) {
        break;
      }
    }
    expired += moved;
    if (due.length < BATCH || moved === 0) {
      break;
    }
  }
  if (expired > 0) {
    deps.log.info({ expired }, 'requestMoney.expired');
  }
  return expired;
}

async function expireOne(
  deps: RequestMoneyDeps & { log: Logger },
  moneyRequest: Parameters<typeof expire>[1],
): Promise<boolean> {
  try {
    return await expire(deps, moneyRequest);
  } catch (error) {
    if (isOutage(error)) {
      throw error;
    }
    const { tenantId, referenceId } = moneyRequest;
    deps.log.error({ tenantId, referenceId, err: error }, 'requestMoney.expiry failed');
    return false;
  }
}
