import type { Connection } from 'mongoose';
import type { RunTransaction } from '../../../subgraphs/kernel/database/transaction.ts';
import { createOperatorLog, type OperatorLog } from '../../../subgraphs/partners/operator-log/index.ts';
import { createOperatorLogModel } from '../../../subgraphs/partners/operator-log/model.ts';
import type { Tenants } from '../../../subgraphs/partners/tenants/service.ts';
import {
  createOperatorRemittances,
  type OperatorRemittances,
} from '../../../subgraphs/remittances/operator-remittances.ts';
import { createEventLog } from '../../../subgraphs/runtime/events/log.ts';
import { createEventModels } from '../../../subgraphs/runtime/events/model.ts';
import type { WebhookQueue } from '../../../subgraphs/webhooks/queue.ts';
import { type Acts, createActs } from './acts.ts';

interface AdminRemittancesDeps {
  connection: Connection;
  tenants: Tenants;
  webhooks: WebhookQueue;
  operatorLog: OperatorLog;
  transaction: RunTransaction;
  clock: () => Date;
}

/** The acts of commands, and the log of what operators do. */
export function createOperatorActs(
  connection: Connection,
  clock: () => Date,
): { readonly acts: Acts; readonly operatorLog: OperatorLog } {
  const operatorLog = createOperatorLog({ model: createOperatorLogModel(connection), clock });
  return { acts: createActs(connection, operatorLog), operatorLog };
}

/** Remittances for operators' commands. A running server does the work that follows. */
export function createAdminRemittances(deps: AdminRemittancesDeps): OperatorRemittances {
  const events = createEventLog({
    model: createEventModels(deps.connection).events,
    wake: () => undefined,
  });
  return createOperatorRemittances({ ...deps, events });
}
