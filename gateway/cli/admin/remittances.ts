import type { Connection } from 'mongoose';
import type { AccountClock } from '../../../subgraphs/kernel/clock/account-clock.ts';
import type { RunTransaction } from '../../../subgraphs/kernel/database/transaction.ts';
import { createOperatorLog, type OperatorLog } from '../../../subgraphs/partners/operator-log/index.ts';
import { createOperatorLogModel } from '../../../subgraphs/partners/operator-log/model.ts';
import type { Tenants } from '../../../subgraphs/partners/tenants/service.ts';
import type { OperatorRemittances } from '../../../subgraphs/remittances/operator-remittances.ts';
import type { EventLog } from '../../../subgraphs/runtime/events/log.ts';
import type { WebhookQueue } from '../../../subgraphs/webhooks/queue.ts';
import { type Acts, createActs } from './acts.ts';

interface AdminRemittancesDeps {
  connection: Connection;
  tenants: Tenants;
  webhooks: WebhookQueue;
  events: EventLog;
  operatorLog: OperatorLog;
  transaction: RunTransaction;
  clock: () => Date;
  accountClock: AccountClock;
}

/** The acts of commands, and the log of what operators do. */
export function createOperatorActs(
  connection: Connection,
  clock: () => Date,
): { readonly acts: Acts; readonly operatorLog: OperatorLog } {
  const operatorLog = createOperatorLog({ model: createOperatorLogModel(connection), clock });
  return { acts: createActs(connection, operatorLog), operatorLog };
}

/**
 * Remittances for operators' commands. A running server does the work that follows. Their code is loaded by the first call,
 * because other commands start in half the time without it.
 */
export function createAdminRemittances(deps: AdminRemittancesDeps): OperatorRemittances {
  let loading: Promise<OperatorRemittances> | undefined;
  const load = () => {
    loading ??= import('../../../subgraphs/remittances/operator-remittances.ts').then(
      ({ createOperatorRemittances }) => createOperatorRemittances(deps),
    );
    return loading;
  };
  return {
    list: async (listing, page) => (await load()).list(listing, page),
    find: async (id) => (await load()).find(id),
    retry: async (act) => (await load()).retry(act),
    fail: async (act) => (await load()).fail(act),
  };
}
