import { randomBytes } from 'node:crypto';
import { createBox } from '../kernel/crypto/box.ts';
import type { WebhookModels } from './model.ts';
import { createDeliveryOrder } from './order.ts';
import type { ReplayDeps } from './replay.ts';

/** Parts of a replay that sends deliveries to their stored URLs: no partner has an endpoint. */
export function replayParts(
  models: WebhookModels,
): Pick<ReplayDeps, 'models' | 'box' | 'tenants' | 'identify' | 'order'> {
  return {
    models,
    box: createBox(randomBytes(32)),
    tenants: { findStored: async () => undefined },
    identify: (accountId, url) => `${accountId} ${url}`,
    order: createDeliveryOrder({ models }),
  };
}
