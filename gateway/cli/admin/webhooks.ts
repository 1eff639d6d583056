import type { Connection } from 'mongoose';
import type { AccountClocks } from '../../../subgraphs/kernel/clock/account-clock.ts';
import { createBlindIndex } from '../../../subgraphs/kernel/crypto/blind-index.ts';
import { deriveKey } from '../../../subgraphs/kernel/crypto/box.ts';
import type { Keyring } from '../../../subgraphs/kernel/crypto/keyring.ts';
import type { RunTransaction } from '../../../subgraphs/kernel/database/transaction.ts';
import type { Tenants } from '../../../subgraphs/partners/tenants/service.ts';
import type { EventLog } from '../../../subgraphs/runtime/events/log.ts';
import { createWebhookManagement, type WebhookManagement } from '../../../subgraphs/webhooks/manage.ts';
import { createWebhookModels } from '../../../subgraphs/webhooks/model.ts';
import { createDeliveryOrder } from '../../../subgraphs/webhooks/order.ts';
import {
  createPartnerEndpoints,
  type PartnerEndpoints,
} from '../../../subgraphs/webhooks/partner-endpoints.ts';
import { createWebhookQueue, type WebhookQueue } from '../../../subgraphs/webhooks/queue.ts';

/** Webhooks for operators' commands. They send nothing themselves: a running server does. */
export interface AdminWebhooks extends Pick<WebhookManagement, 'deliveries' | 'replays'> {
  readonly endpoints: PartnerEndpoints;
  /** Stores webhooks that a running server sends. */
  readonly queue: WebhookQueue;
}

interface AdminWebhooksDeps {
  connection: Connection;
  keyring: Keyring;
  pepper: string;
  tenants: Tenants;
  events: EventLog;
  clock: () => Date;
  clocks: AccountClocks;
  transaction: RunTransaction;
}

export function createAdminWebhooks(deps: AdminWebhooksDeps): AdminWebhooks {
  const { connection, keyring, pepper, tenants, events, clock, clocks, transaction } = deps;
  const common = {
    models: createWebhookModels(connection),
    box: keyring.box('webhooks'),
    blindIndex: createBlindIndex(deriveKey(Buffer.from(pepper), 'blind-index')),
    events,
    clock,
    clocks,
  };
  const management = createWebhookManagement({
    ...common,
    connection,
    tenants,
    transaction,
    // It takes no leases: workers do what a command stores.
    isClockRight: () => true,
    wake: () => undefined,
    onEndpointChange: () => undefined,
  });
  const { deliveries, replays } = management;
  return {
    deliveries,
    replays,
    endpoints: createPartnerEndpoints({ ...management, tenants, clock }),
    queue: createWebhookQueue({
      ...common,
      order: createDeliveryOrder(common),
      traceparent: () => undefined,
      admit: (delivery) => delivery,
    }),
  };
}
