import type { Connection } from 'mongoose';
import type { AccountId } from '../../subgraphs/kernel/account.ts';
import type { AccountClocks } from '../../subgraphs/kernel/clock/account-clock.ts';
import type { DatabaseClock } from '../../subgraphs/kernel/clock/database-clock.ts';
import type { Config } from '../../subgraphs/kernel/config/load.ts';
import type { Box } from '../../subgraphs/kernel/crypto/box.ts';
import { withAnyOf } from '../../subgraphs/kernel/database/any-of.ts';
import { findPlain } from '../../subgraphs/kernel/database/plain-reads.ts';
import type { RunTransaction } from '../../subgraphs/kernel/database/transaction.ts';
import type { Logger } from '../../subgraphs/kernel/log/log.ts';
import { checkJournal } from '../../subgraphs/ledger/audit.ts';
import { createLedgerModels } from '../../subgraphs/ledger/store/model.ts';
import { operationRules } from '../../subgraphs/operations/audit.ts';
import { MONEY_REQUEST_STATUS_OF } from '../../subgraphs/operations/index.ts';
import { createOperationModels } from '../../subgraphs/operations/store/model.ts';
import { createSandboxModel } from '../../subgraphs/partners/sandboxes/model.ts';
import { createTenantModels, unknownPartner } from '../../subgraphs/partners/tenants/model.ts';
import { createRemittanceModel, type RemittanceDocument } from '../../subgraphs/remittances/store/model.ts';
import { mayHaveMoved } from '../../subgraphs/request-money/index.ts';
import {
  createMoneyRequestModels,
  type MoneyRequestDocument,
} from '../../subgraphs/request-money/store/model.ts';
import { type AuditProgress, type Check, runAudit } from '../../subgraphs/runtime/audit/audit.ts';
import { checkFigures } from '../../subgraphs/runtime/audit/figures.ts';
import { checkRecords, type PastEvents, type RecordRules } from '../../subgraphs/runtime/audit/records.ts';
import { createEventModels } from '../../subgraphs/runtime/events/model.ts';
import {
  createWebhookModels,
  DELIVERY_STATUSES,
  type DeliveryDocument,
} from '../../subgraphs/webhooks/model.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Most violations of a run that are logged. */
const MOST_LOGGED = 100;
/** Later than any event. */
const NEVER = new Date(8.64e15);

/** The audit of the records of all partners: the rules that hold between them at any time. */
export interface Audit {
  /**
   * Runs all checks. @param options.days only records that changed in so many days; default: all
   * @throws OperatorError for an account that does not exist
   */
  run(
    options: { readonly days?: number | undefined; readonly accountId?: AccountId | undefined },
    signal: AbortSignal,
  ): AsyncIterable<AuditProgress>;
  /** Audits the last day, and logs and counts violations. */
  runDaily(signal: AbortSignal): Promise<void>;
  /** Violations that {@link runDaily} has found in this process, by check. */
  violations(): Readonly<Record<string, number>>;
}

interface AuditDeps {
  readonly connection: Connection;
  readonly config: Pick<Config, 'EVENT_RETENTION_DAYS' | 'WEBHOOK_RETENTION_DAYS' | 'EVENT_LOG_PARTITIONS'>;
  readonly box: Box;
  readonly clock: Pick<DatabaseClock, 'now'>;
  readonly clocks: Pick<AccountClocks, 'accountClock' | 'aheadMs'>;
  readonly transaction: RunTransaction;
  readonly log: Pick<Logger, 'error'>;
}

export function createAudit(deps: AuditDeps): Audit {
  const { connection, clock, clocks, log } = deps;
  const { tenants } = createTenantModels(connection);
  const checks = checksOf(deps);
  const sandboxes = createSandboxModel(connection);
  const counts = new Map(checks.map(({ name }) => [name, 0]));
  const run: Audit['run'] = async function* ({ days, accountId }, signal) {
    const found = await tenants
      .find(accountId ? { _id: accountId } : {})
      .sort({ _id: 1 })
      .select('_id')
      .lean();
    if (accountId !== undefined && found.length === 0) {
      throw unknownPartner(accountId);
    }
    const accountIds = found.map(({ _id }) => _id);
    const startedAt = clock.now();
    const rangeOf = (id: AccountId) => {
      const before = clocks.accountClock(id);
      return { from: new Date(days === undefined ? 0 : before.getTime() - days * DAY_MS), before };
    };
    for await (const progress of runAudit(checks, accountIds, rangeOf, signal)) {
      // A reset removes records one kind after the other.
      const isReset =
        progress.violations.length > 0 &&
        (await sandboxes.exists({
          _id: progress.accountId,
          $or: [{ 'reset.state': 'RUNNING' }, { 'reset.finishedAt': { $gte: startedAt } }],
        }));
      yield isReset ? { ...progress, violations: [] } : progress;
    }
  };
  return {
    run,
    violations: () => Object.fromEntries(counts),
    runDaily: async (signal) => {
      let logged = 0;
      for await (const { check, violations } of run({ days: 1 }, signal)) {
        counts.set(check, (counts.get(check) ?? 0) + violations.length);
        for (const violation of violations.slice(0, MOST_LOGGED - logged)) {
          logged += 1;
          log.error(violation, 'audit.violation');
        }
      }
    },
  };
}

function checksOf(deps: AuditDeps): Check[] {
  const { connection, config, box, transaction, clocks } = deps;
  const { operations } = createOperationModels(connection);
  const { moneyRequests } = createMoneyRequestModels(connection);
  const events = createEventModels(connection);
  const past = pastEventsOf(deps);
  const counted = { events, transaction, partitions: config.EVENT_LOG_PARTITIONS };
  return [
    checkRecords(past, operationRules(connection)),
    checkRecords(past, moneyRequestRules(connection)),
    checkRecords<RemittanceDocument>(past, {
      ...{ name: 'remittances', model: createRemittanceModel(connection), entity: 'remittance' },
      time: 'updatedAt',
      idOf: ({ correlationId }) => correlationId,
    }),
    checkRecords<DeliveryDocument>(past, {
      ...{ name: 'deliveries', model: createWebhookModels(connection).deliveries, entity: 'webhookDelivery' },
      time: 'createdAt',
      filter: { status: { $in: [...DELIVERY_STATUSES] } },
      idOf: ({ _id }) => _id,
    }),
    checkFigures({
      ...counted,
      ...{ name: 'operationFigures', entity: 'operation', model: operations },
      ...{ amount: 'recipientAmount', currency: 'recipientCurrency', completed: 'Completed' },
    }),
    checkFigures({
      ...counted,
      ...{ name: 'moneyRequestFigures', entity: 'requestMoney', model: moneyRequests },
      ...{ amount: 'amount', currency: 'currency', completed: 'completed' },
    }),
    checkJournal(createLedgerModels(connection), box, (accountId) => clocks.aheadMs(accountId) > 0),
  ];
}

function pastEventsOf({ connection, config, clocks }: AuditDeps): PastEvents {
  const { deliveries } = createWebhookModels(connection);
  const keptMs = Math.min(config.EVENT_RETENTION_DAYS, config.WEBHOOK_RETENTION_DAYS) * DAY_MS - HOUR_MS;
  return {
    events: createEventModels(connection).events,
    // Events of a sandbox whose clock is ahead are older than its time says.
    keptSince: (accountId) =>
      clocks.aheadMs(accountId) > 0 ? NEVER : new Date(clocks.accountClock(accountId).getTime() - keptMs),
    findDeliveries: async (accountId, ids) => {
      const its = { _id: { $in: [...ids] }, accountId };
      const found = await findPlain(deliveries, its, { projection: { _id: 1 } });
      return new Set(found.map(({ _id }) => _id));
    },
  };
}

/** The rules of money requests for audits: their moves are of the table, and the status is that of the fulfilling operation. */
function moneyRequestRules(connection: Connection): RecordRules<MoneyRequestDocument> {
  const { operations } = createOperationModels(connection);
  return {
    ...{ name: 'moneyRequests', model: createMoneyRequestModels(connection).moneyRequests },
    ...{ entity: 'requestMoney', time: 'updatedAt' },
    idOf: ({ referenceId }) => referenceId,
    isLegal: mayHaveMoved,
    judge: async (accountId, found) => {
      const ids = found.flatMap(({ operationId }) => operationId ?? []);
      const fulfilling = await findPlain(
        operations,
        withAnyOf(operations, { accountId }, 'operationId', ids),
        { projection: { operationId: 1, status: 1 } },
      );
      const statusOf = new Map(fulfilling.map(({ operationId, status }) => [operationId, status]));
      return new Map(
        found.map(({ referenceId, operationId, status }) => {
          const its = operationId === undefined ? undefined : statusOf.get(operationId);
          const agrees =
            operationId === undefined
              ? status !== 'processing' && status !== 'completed'
              : its !== undefined && MONEY_REQUEST_STATUS_OF[its] === status;
          const operation = operationId === undefined ? 'none' : `${operationId}, ${its ?? 'missing'}`;
          return [referenceId, agrees ? [] : [`It is ${status}, and its operation is ${operation}`]];
        }),
      );
    },
  };
}
