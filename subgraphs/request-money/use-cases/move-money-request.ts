import type { ClientSession } from 'mongoose';
import type { Tenant } from '../../platform/tenants/service.ts';
import type { MoneyRequestWriting } from '../deps.ts';
import type { MoneyRequest } from '../store/model.ts';
import { logEntry, updatedEvents } from './partner-events.ts';
import { publish } from './publish-events.ts';

/**
 * Saves a move of a money request with its events and webhooks, in the caller's transaction, which has read `before`.
 * @param after the money request behind the move, one version later
 * @returns the ids of the deliveries: wake the webhooks with them once the transaction is committed
 */
export async function moveMoneyRequest(
  deps: MoneyRequestWriting,
  tenant: Tenant,
  { before, after }: { before: MoneyRequest; after: MoneyRequest },
  session: ClientSession,
): Promise<string[]> {
  if (!(await deps.moneyRequests.move(after, { version: before.version }, session))) {
    throw new Error(`Request ${before.requestId} changed within the transaction that read it`);
  }
  const moves = [logEntry(after, before.status)];
  return publish(deps, tenant, updatedEvents(after, before.status), after.updatedAt, session, moves);
}
