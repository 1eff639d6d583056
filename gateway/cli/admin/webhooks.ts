import type { Connection } from 'mongoose';
import { createBlindIndex } from '../../../subgraphs/platform/crypto/blind-index.ts';
import { deriveKey } from '../../../subgraphs/platform/crypto/box.ts';
import type { Keyring } from '../../../subgraphs/platform/crypto/keyring.ts';
import { createEventLog } from '../../../subgraphs/platform/events/log.ts';
import { createEventModels } from '../../../subgraphs/platform/events/model.ts';
import type { Logger } from '../../../subgraphs/platform/log/log.ts';
import type { Tenants } from '../../../subgraphs/platform/tenants/service.ts';
import {
  createPartnerEndpoints,
  type PartnerEndpoints,
} from '../../../subgraphs/platform/webhooks/partner-endpoints.ts';
import { createWebhooks, type Webhooks } from '../../../subgraphs/platform/webhooks/webhooks.ts';

/** Webhooks as operators act on them: nothing is sent from here, a running server does that. */
export interface AdminWebhooks extends Pick<Webhooks, 'deliveries' | 'replays'> {
  readonly endpoints: PartnerEndpoints;
}

interface AdminWebhooksDeps {
  connection: Connection;
  log: Logger;
  keyring: Keyring;
  pepper: string;
  tenants: Tenants;
}

export function createAdminWebhooks(deps: AdminWebhooksDeps): AdminWebhooks {
  const { connection, log, keyring, pepper, tenants } = deps;
  const webhooks = createWebhooks({
    connection,
    log,
    box: keyring.box('webhooks'),
    blindIndex: createBlindIndex(deriveKey(Buffer.from(pepper), 'blind-index')),
    events: createEventLog({ model: createEventModels(connection).events, wake: () => undefined }),
    // What an attempt goes by: none is made here.
    config: { timeoutSeconds: 10, retrySeconds: [], maxAttempts: 1, wake: false, allowedCidrs: [] },
  });
  const { deliveries, replays } = webhooks;
  return {
    deliveries,
    replays,
    endpoints: createPartnerEndpoints({ ...webhooks, tenants, clock: () => new Date() }),
  };
}
