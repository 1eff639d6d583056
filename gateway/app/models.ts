import type { Connection } from 'mongoose';
import { createSampleModel } from '../../subgraphs/account/operators/samples.ts';
import { fingerprintsOf } from '../../subgraphs/kernel/crypto/key-check.ts';
import { createUniqueValueModel } from '../../subgraphs/kernel/database/unique-values.ts';
import { createSettlementModels } from '../../subgraphs/ledger/settlement/model.ts';
import { createStatementModels } from '../../subgraphs/ledger/statements/model.ts';
import { createLedgerModels } from '../../subgraphs/ledger/store/model.ts';
import { createLinkModels } from '../../subgraphs/links/store/model.ts';
import { createOperationalModels } from '../../subgraphs/operational-events/model.ts';
import { createOperationModels } from '../../subgraphs/operations/store/model.ts';
import { createApprovalModel } from '../../subgraphs/partners/approvals/model.ts';
import { createBrowserTokenModel } from '../../subgraphs/partners/keys/browser-token-model.ts';
import { createConsoleSessionModel } from '../../subgraphs/partners/keys/console-session-model.ts';
import { createApiKeyModel } from '../../subgraphs/partners/keys/model.ts';
import { createUsedTokenModel } from '../../subgraphs/partners/keys/used-tokens.ts';
import { createOperatorLogModel } from '../../subgraphs/partners/operator-log/model.ts';
import { createRequestLogModel } from '../../subgraphs/partners/request-log/model.ts';
import { createSandboxModel } from '../../subgraphs/partners/sandboxes/model.ts';
import { createWebhookEndpointModel } from '../../subgraphs/partners/tenants/endpoint-model.ts';
import { createTenantModels } from '../../subgraphs/partners/tenants/model.ts';
import { createRemittanceModel } from '../../subgraphs/remittances/store/model.ts';
import { createMoneyRequestModels } from '../../subgraphs/request-money/store/model.ts';
import { createEventModels } from '../../subgraphs/runtime/events/model.ts';
import { createAlarmModel } from '../../subgraphs/runtime/jobs/model.ts';
import { createLeaseModel } from '../../subgraphs/runtime/leases/model.ts';
import { createRateLimitModel } from '../../subgraphs/runtime/limits/model.ts';
import { createMigrationModel } from '../../subgraphs/runtime/migrations/model.ts';
import { createProcessModel } from '../../subgraphs/runtime/processes/model.ts';
import { createUsersModels } from '../../subgraphs/users/store/model.ts';
import { createBulkReplayModel } from '../../subgraphs/webhooks/bulk-replay-model.ts';
import { createEndpointStateModel } from '../../subgraphs/webhooks/endpoint-state.ts';
import { createWebhookModels } from '../../subgraphs/webhooks/model.ts';
import { createOrderModel } from '../../subgraphs/webhooks/order-model.ts';
import { createDeliveryTotalsModel } from '../../subgraphs/webhooks/totals.ts';

// Not by the ports of the slices: commands load no GraphQL.
const FACTORIES: readonly ((connection: Connection) => unknown)[] = [
  createAlarmModel,
  createApiKeyModel,
  createApprovalModel,
  createBrowserTokenModel,
  createBulkReplayModel,
  createConsoleSessionModel,
  createDeliveryTotalsModel,
  createEndpointStateModel,
  createEventModels,
  createLeaseModel,
  createLedgerModels,
  createLinkModels,
  createMigrationModel,
  createMoneyRequestModels,
  createOperationModels,
  createOperationalModels,
  createOperatorLogModel,
  createOrderModel,
  createProcessModel,
  createRateLimitModel,
  createRemittanceModel,
  createRequestLogModel,
  createSampleModel,
  createSandboxModel,
  createStatementModels,
  createSettlementModels,
  createTenantModels,
  createUniqueValueModel,
  createUsedTokenModel,
  createUsersModels,
  createWebhookEndpointModel,
  createWebhookModels,
  fingerprintsOf,
];

/** Registers every model of the product on a connection, for code that only creates or inspects indexes. */
export function createModels(connection: Connection): void {
  for (const create of FACTORIES) {
    create(connection);
  }
}
