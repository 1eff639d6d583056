import type { Connection } from 'mongoose';
import { createBlindIndex } from '../../../subgraphs/kernel/crypto/blind-index.ts';
import { deriveKey } from '../../../subgraphs/kernel/crypto/box.ts';
import type { Keyring } from '../../../subgraphs/kernel/crypto/keyring.ts';
import { createTransactions } from '../../../subgraphs/kernel/database/transaction.ts';
import type { Tenants } from '../../../subgraphs/partners/tenants/service.ts';
import { createEventLog } from '../../../subgraphs/runtime/events/log.ts';
import { createEventModels } from '../../../subgraphs/runtime/events/model.ts';
import { createWebhookManagement, type WebhookManagement } from '../../../subgraphs/webhooks/manage.ts';
import { createWebhookModels } from '../../../subgraphs/webhooks/model.ts';
import {
  createPartnerEndpoints,
  type PartnerEndpoints,
} from '../../../subgraphs/webhooks/partner-endpoints.ts';

/** Webhooks for operators' commands. They send nothing themselves: a running server does. */
export interface AdminWebhooks extends Pick<WebhookManagement, 'deliveries' | 'replays'> {
  readonly endpoints: PartnerEndpoints;
}

interface AdminWebhooksDeps {
  connection: Connection;
  keyring: Keyring;
  pepper: string;
  tenants: Tenants;
  clock: () => Date;
}

export function createAdminWebhooks(deps: AdminWebhooksDeps): AdminWebhooks {
  const { connection, keyring, pepper, tenants, clock } = deps;
  const management = createWebhookManagement({
    connection,
    models: createWebhookModels(connection),
    box: keyring.box('webhooks'),
    blindIndex: createBlindIndex(deriveKey(Buffer.from(pepper), 'blind-index')),
    events: createEventLog({ model: createEventModels(connection).events, wake: () => undefined }),
    transaction: createTransactions(connection),
    clock,
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
  };
}
