import type { ClientSession } from 'mongoose';
import type { Tenant } from '../../platform/tenants/service.ts';
import type { RequestMoneyDeps } from '../deps.ts';
import { publish } from '../use-cases/notify.ts';
import { logEntry, updatedEvents } from './events.ts';
import type { MoneyRequest } from './model.ts';

/** What writing moves of asks stands on. */
export type MoneyRequestWriting = Pick<RequestMoneyDeps, 'moneyRequests' | 'events' | 'webhooks'>;

/**
 * Writes a move of an ask with its events and webhooks, in the caller's transaction, which has read `before`.
 * @param after the ask as it stands then, one version later
 * @returns the ids of the deliveries, to be nudged once the transaction is committed
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
