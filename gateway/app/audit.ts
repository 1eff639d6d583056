import type { Connection } from 'mongoose';
import { type AccountId, tenantOf } from '../../subgraphs/kernel/account.ts';
import type { AccountClocks } from '../../subgraphs/kernel/clock/account-clock.ts';
import type { Config } from '../../subgraphs/kernel/config/load.ts';
import type { Box } from '../../subgraphs/kernel/crypto/box.ts';
import { withAnyOf } from '../../subgraphs/kernel/database/any-of.ts';
import { findPlain } from '../../subgraphs/kernel/database/plain-reads.ts';
import type { RunTransaction } from '../../subgraphs/kernel/database/transaction.ts';
import { OperatorError } from '../../subgraphs/kernel/errors/operator-error.ts';
import type { Logger } from '../../subgraphs/kernel/log/log.ts';
import { checkJournal } from '../../subgraphs/ledger/audit.ts';
import { createLedgerModels } from '../../subgraphs/ledger/store/model.ts';
import { checkOperations } from '../../subgraphs/operations/audit.ts';
import { createOperationModels } from '../../subgraphs/operations/store/model.ts';
import { createSandboxModel } from '../../subgraphs/partners/sandboxes/model.ts';
import { createTenantModels } from '../../subgraphs/partners/tenants/model.ts';
import { createRemittanceModel, type RemittanceDocument } from '../../subgraphs/remittances/store/model.ts';
import { checkMoneyRequests } from '../../subgraphs/request-money/audit.ts';
import { createMoneyRequestModels } from '../../subgraphs/request-money/store/model.ts';
import {
  type AuditProgress,
  type Check,
  checkRecords,
  runAudit,
} from '../../subgraphs/runtime/audit/audit.ts';
import { checkFigures } from '../../subgraphs/runtime/audit/figures.ts';
import { compareWithEvents, type StateRules } from '../../subgraphs/runtime/audit/states.ts';
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

/** Records of this process that audits examined, and violations, by check. */
type AuditCounts = Readonly<Record<string, { readonly examined: number; readonly violations: number }>>;

/** The audit of the records of all partners: the rules that hold between them at any time. */
export interface Audit {
  /** Runs all checks. @param options.days only records that changed in so many days; default: all */
  run(
    options: { readonly days?: number | undefined; readonly accountId?: AccountId | undefined },
    signal: AbortSignal,
  ): AsyncIterable<AuditProgress>;
  /** Audits the last day, and logs and counts violations. */
  runDaily(signal: AbortSignal): Promise<void>;
  counts(): AuditCounts;
}

interface AuditDeps {
  readonly connection: Connection;
  readonly config: Pick<Config, 'EVENT_RETENTION_DAYS' | 'WEBHOOK_RETENTION_DAYS' | 'EVENT_LOG_PARTITIONS'>;
  readonly box: Box;
  readonly clocks: Pick<AccountClocks, 'accountClock' | 'aheadMs'>;
  readonly transaction: RunTransaction;
  readonly log: Pick<Logger, 'error'>;
}

export function createAudit(deps: AuditDeps): Audit {
  const { connection, clocks, log } = deps;
  const { tenants } = createTenantModels(connection);
  const checks = checksOf(deps);
  const sandboxes = createSandboxModel(connection);
  const counts = new Map(checks.map(({ name }) => [name, { examined: 0, violations: 0 }]));
  const run: Audit['run'] = async function* ({ days, accountId }, signal) {
    const found = await tenants
      .find(accountId ? { _id: accountId } : {})
      .sort({ _id: 1 })
      .select('_id')
      .lean();
    if (accountId !== undefined && found.length === 0) {
      throw new OperatorError(`There is no partner ${tenantOf(accountId)}`);
    }
    const accountIds = found.map(({ _id }) => _id);
    const startedAt = new Date();
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
    counts: () => Object.fromEntries(counts),
    runDaily: async (signal) => {
      let logged = 0;
      for await (const { check, examined, violations } of run({ days: 1 }, signal)) {
        const count = counts.get(check) ?? { examined: 0, violations: 0 };
        counts.set(check, {
          examined: count.examined + examined,
          violations: count.violations + violations.length,
        });
        for (const violation of violations.slice(0, MOST_LOGGED - logged)) {
          logged += 1;
          log.error(violation, 'audit.violation');
        }
      }
    },
  };
}

function checksOf({ connection, config, box, clocks, transaction }: AuditDeps): Check[] {
  const { operations } = createOperationModels(connection);
  const { moneyRequests } = createMoneyRequestModels(connection);
  const { deliveries } = createWebhookModels(connection);
  const keptMs = Math.min(config.EVENT_RETENTION_DAYS, config.WEBHOOK_RETENTION_DAYS) * DAY_MS - HOUR_MS;
  const events = createEventModels(connection);
  const counted = { events, transaction, partitions: config.EVENT_LOG_PARTITIONS };
  const rules: Omit<StateRules, 'entity'> = {
    events: events.events,
    // Events of a sandbox whose clock is ahead are older than its time says.
    keptSince: (accountId) =>
      new Date(clocks.aheadMs(accountId) > 0 ? 8.64e15 : clocks.accountClock(accountId).getTime() - keptMs),
    findDeliveries: async (accountId, ids) => {
      const found = await findPlain(
        deliveries,
        { _id: { $in: [...ids] }, accountId },
        { projection: { _id: 1 } },
      );
      return new Set(found.map(({ _id }) => _id));
    },
  };
  return [
    checkOperations(connection, rules),
    checkMoneyRequests(connection, {
      ...rules,
      findOperations: async (accountId, ids) => {
        const found = await findPlain(operations, withAnyOf(operations, { accountId }, 'operationId', ids), {
          projection: { operationId: 1, status: 1 },
        });
        return new Map(found.map((operation) => [operation.operationId, operation]));
      },
    }),
    checkRecords<RemittanceDocument>({
      name: 'remittances',
      model: createRemittanceModel(connection),
      time: 'updatedAt',
      labelOf: ({ correlationId }) => correlationId,
      judge: async (accountId, found) => {
        const states = found.map(({ correlationId: id, version, status, updatedAt: changedAt }) => ({
          ...{ id, version, status, changedAt },
        }));
        const texts = await compareWithEvents({ ...rules, entity: 'remittance' }, accountId, states);
        return new Map(found.map(({ _id, correlationId }) => [_id, texts.get(correlationId) ?? []]));
      },
    }),
    checkRecords<DeliveryDocument>({
      name: 'deliveries',
      model: deliveries,
      time: 'createdAt',
      filter: { status: { $in: [...DELIVERY_STATUSES] } },
      labelOf: ({ _id }) => _id,
      judge: (accountId, found) => {
        const states = found.map(({ _id: id, version, status, createdAt: changedAt }) => ({
          ...{ id, version, status, changedAt },
        }));
        return compareWithEvents({ ...rules, entity: 'webhookDelivery' }, accountId, states);
      },
    }),
    checkFigures({
      ...counted,
      ...{ name: 'operationFigures', entity: 'operation', model: operations },
      ...{ amount: 'recipientAmount', currency: 'recipientCurrency' },
    }),
    checkFigures({
      ...counted,
      ...{ name: 'moneyRequestFigures', entity: 'requestMoney', model: moneyRequests },
      ...{ amount: 'amount', currency: 'currency' },
    }),
    checkJournal(createLedgerModels(connection), box),
  ];
}
