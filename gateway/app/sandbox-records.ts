import type { Connection, Model } from 'mongoose';
import type { AccountId } from '../../subgraphs/kernel/account.ts';
import { toDocument } from '../../subgraphs/kernel/database/document.ts';
import { createUniqueValueModel } from '../../subgraphs/kernel/database/unique-values.ts';
import type { UnitOfWork } from '../../subgraphs/kernel/database/unit-of-work.ts';
import { createSettlementModels } from '../../subgraphs/ledger/settlement/model.ts';
import { createStatementModels } from '../../subgraphs/ledger/statements/model.ts';
import { createLedgerModels } from '../../subgraphs/ledger/store/model.ts';
import { createLinkModels } from '../../subgraphs/links/store/model.ts';
import { createOperationalModels } from '../../subgraphs/operational-events/model.ts';
import { createOperationModels } from '../../subgraphs/operations/store/model.ts';
import { createRequestLogModel } from '../../subgraphs/partners/request-log/model.ts';
import type { ResetSource } from '../../subgraphs/partners/sandboxes/resets.ts';
import { createRemittanceModel } from '../../subgraphs/remittances/store/model.ts';
import { createMoneyRequestModels } from '../../subgraphs/request-money/store/model.ts';
import { createEventModels } from '../../subgraphs/runtime/events/model.ts';
import { createUsersModels } from '../../subgraphs/users/store/model.ts';
import { createBulkReplayModel } from '../../subgraphs/webhooks/bulk-replay-model.ts';
import { createWebhookModels, type WebhookModels } from '../../subgraphs/webhooks/model.ts';
import { createDeliveryTotalsModel } from '../../subgraphs/webhooks/totals.ts';

/** Collections that have records of accounts and that no reset touches, with the reason. */
export const KEPT_AT_RESET: Readonly<Record<string, string>> = {
  apiKeys: 'keys',
  browserTokens: 'keys',
  consoleSessions: 'keys',
  approvals: 'requests about keys and configuration, which stay',
  webhookEndpoints: 'configuration',
  operationalConditions: 'the events that were sent about what is configured: they are not sent again',
  webhookEndpointStates: 'the state of what is configured: a paused endpoint stays paused',
};

/** The records of all slices that a reset removes, in this order. Not by their ports: they are few lines for each. */
export function createResetSources(connection: Connection): ResetSource[] {
  const events = createEventModels(connection);
  const webhooks = createWebhookModels(connection);
  const operations = createOperationModels(connection);
  const ledger = createLedgerModels(connection);
  const { statements, closings } = createStatementModels(connection);
  const settlement = createSettlementModels(connection);
  const money = createMoneyRequestModels(connection);
  const links = createLinkModels(connection);
  const users = createUsersModels(connection);
  return [
    // Before the records: a record of the same id, made later, begins with version 1 again. Those without a number are left
    // to the next round: the sequencer is about to number them.
    recordsOf(events.events, { seq: { $exists: true } }),
    // Behind the events: those that are numbered meanwhile may count records that are gone. The last round removes that.
    namedRecordsOf(events.figures),
    deliveriesOf(webhooks),
    recordsOf(createBulkReplayModel(connection)),
    recordsOf(createDeliveryTotalsModel(connection)),
    recordsOf(createRemittanceModel(connection)),
    recordsOf(operations.reservations),
    recordsOf(operations.quotes),
    recordsOf(operations.operations),
    recordsOf(operations.history),
    recordsOf(ledger.entries),
    // Behind the entries: those that are sealed meanwhile make ends again. The last round removes these.
    recordsOf(ledger.days),
    removing(ledger.heads, (accountId) => ({ _id: accountId })),
    recordsOf(statements),
    removing(closings, (accountId) => ({ _id: accountId })),
    recordsOf(settlement.files),
    recordsOf(settlement.rows),
    removing(settlement.turns, (accountId) => ({ _id: accountId })),
    recordsOf(settlement.discrepancies),
    recordsOf(money.moneyRequests),
    namedRecordsOf(money.idempotency),
    recordsOf(links.links),
    recordsOf(links.activities),
    recordsOf(links.images),
    recordsOf(links.tickets),
    recordsOf(links.dataRequests),
    recordsOf(users.paymentMethods),
    recordsOf(users.contacts),
    recordsOf(users.users),
    namedRecordsOf(createUniqueValueModel(connection)),
    recordsOf(createOperationalModels(connection).notices),
    recordsOf(createRequestLogModel(connection)),
  ];
}

/** Documents with the field `accountId`. */
function recordsOf<T extends { accountId: AccountId }>(model: Model<T>, condition: object = {}): ResetSource {
  return removing(model, (accountId) => ({ accountId, ...condition }));
}

/** Documents whose ids begin with the account. */
function namedRecordsOf<T>(model: Model<T>): ResetSource {
  // The character after `|` is `}`.
  return removing(model, (accountId) => ({ _id: { $gte: `${accountId}|`, $lt: `${accountId}}` } }));
}

/** Deliveries with their attempts, and the orders that they stand in. */
function deliveriesOf({ deliveries, attempts, orders }: WebhookModels): ResetSource {
  return {
    collections: [deliveries, attempts, orders].map(({ collection }) => collection.name),
    count: (accountId) => deliveries.countDocuments({ accountId }).exec(),
    remove: async (accountId, most, { session }) => {
      const found = await deliveries
        .find({ accountId })
        .limit(most)
        .select({ order: 1 })
        .session(session)
        .lean<{ _id: string; order?: string }[]>();
      const ids = found.map(({ _id }) => _id);
      const inOrder = [...new Set(found.flatMap(({ order }) => order ?? []))];
      await attempts.deleteMany({ accountId, deliveryId: { $in: ids } }, { session });
      await orders.deleteMany({ _id: { $in: inOrder } }, { session });
      await deliveries.deleteMany({ _id: { $in: ids }, accountId }, { session });
      return found.length;
    },
  };
}

function removing<T>(
  { collection }: Pick<Model<T>, 'collection'>,
  filterOf: (accountId: AccountId) => object,
): ResetSource {
  return {
    collections: [collection.name],
    count: (accountId) => collection.countDocuments(toDocument(filterOf(accountId))),
    remove: async (accountId, most, { session }: UnitOfWork) => {
      const filter = toDocument(filterOf(accountId));
      const found = await collection.find(filter, { session, projection: { _id: 1 }, limit: most }).toArray();
      await collection.deleteMany({ _id: { $in: found.map(({ _id }) => _id) }, ...filter }, { session });
      return found.length;
    },
  };
}
