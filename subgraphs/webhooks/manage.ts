import type { Connection } from 'mongoose';
import type { AccountId } from '../kernel/account.ts';
import type { AccountClocks } from '../kernel/clock/account-clock.ts';
import type { BlindIndex } from '../kernel/crypto/blind-index.ts';
import type { Box } from '../kernel/crypto/box.ts';
import type { RunTransaction } from '../kernel/database/transaction.ts';
import type { Tenants } from '../partners/tenants/service.ts';
import { createLeases } from '../runtime/leases/leases.ts';
import { type BulkReplays, createBulkReplays } from './bulk-replay.ts';
import { createDeliveries, type Deliveries } from './deliveries.ts';
import type { DeliveryEvents } from './delivery-events.ts';
import { createEndpoints, type Endpoints } from './endpoints.ts';
import { createFailures, type Failures } from './failures.ts';
import type { WebhookModels } from './model.ts';
import { createDeliveryOrder } from './order.ts';
import { identifyEndpoint } from './queue.ts';
import { createSigningKeys } from './signing-key.ts';

/** Partners' and operators' reads and changes of webhooks. It sends nothing. */
export interface WebhookManagement {
  readonly deliveries: Deliveries;
  /** The health of endpoints, and their pauses. */
  readonly endpoints: Endpoints;
  /** Failures that operational events report. */
  readonly failures: Failures;
  /** Sends many deliveries again; the caller runs its `work` every few seconds. */
  readonly replays: BulkReplays;
}

interface WebhookManagementDeps {
  connection: Connection;
  models: WebhookModels;
  tenants: Pick<Tenants, 'find' | 'findStored'>;
  box: Box;
  blindIndex: BlindIndex;
  events: DeliveryEvents;
  transaction: RunTransaction;
  clock: () => Date;
  clocks: AccountClocks;
  isClockRight: () => boolean;
  /** Makes this process try deliveries that are due again. */
  wake(ids: readonly string[]): void;
  /** Makes this process read the state of endpoints at once. */
  onEndpointChange(): void;
}

export function createWebhookManagement(deps: WebhookManagementDeps): WebhookManagement {
  const { connection, models, blindIndex, clock, isClockRight, onEndpointChange: onChange } = deps;
  const identify = (accountId: AccountId, url: string) => identifyEndpoint(blindIndex, accountId, url);
  const signingKeyOf = createSigningKeys(blindIndex);
  const common = { ...deps, identify, signingKeyOf, order: createDeliveryOrder({ models }) };
  return {
    deliveries: createDeliveries(common),
    endpoints: createEndpoints({
      states: models.endpointStates,
      ...{ identify, signingKeyOf, clock, onChange },
    }),
    failures: createFailures(models),
    replays: createBulkReplays({
      ...common,
      replays: models.replays,
      leases: createLeases({ connection, clock, isClockRight }),
    }),
  };
}
