import type { RunTransaction } from '../../platform/database/transaction.ts';
import { fail, type Result, succeed } from '../../platform/errors/result.ts';
import type { Tenants } from '../../platform/tenants/service.ts';
import { WEBHOOK_EVENTS, type WebhookEvent } from '../../platform/tenants/webhook-events.ts';
import type { Deliveries } from '../../platform/webhooks/deliveries.ts';
import type { Delivery } from '../../platform/webhooks/present.ts';
import type { WebhookQueue } from '../../platform/webhooks/queue.ts';
import type { Scheme } from '../../platform/webhooks/sign.ts';

export interface SendTestDeps {
  tenants: Pick<Tenants, 'find'>;
  queue: WebhookQueue;
  deliveries: Pick<Deliveries, 'present'>;
  transaction: RunTransaction;
  clock: () => Date;
}

/** The name of an event that says nothing but that webhooks arrive. */
const TEST_EVENT = 'test';

/**
 * Sends an event to the partner's webhook URL as others are sent: signed, tried again, kept. Its data is
 * `{partnerId, test: true}`, whatever its name. It is sent even when the partner's events leave its name out.
 * @param event a name that webhooks have; `test` when absent
 * Failures: INVALID_REQUEST for an unknown name, WEBHOOK_NOT_CONFIGURED without a URL.
 */
export async function sendTest(
  deps: SendTestDeps,
  tenantId: string,
  event: string = TEST_EVENT,
): Promise<Result<Delivery>> {
  if (event !== TEST_EVENT && !isWebhookEvent(event)) {
    return fail('INVALID_REQUEST', `event must be one of ${[TEST_EVENT, ...WEBHOOK_EVENTS].join(', ')}`, [
      'event',
    ]);
  }
  const tenant = await deps.tenants.find(tenantId);
  if (!tenant?.webhookUrl) {
    return fail('WEBHOOK_NOT_CONFIGURED');
  }
  const createdAt = deps.clock();
  const envelope = { event, data: { partnerId: tenantId, test: true }, timestamp: createdAt.toISOString() };
  const delivery = {
    tenantId,
    event,
    scheme: schemeOf(event),
    url: tenant.webhookUrl,
    ...(tenant.webhookSecret === undefined ? {} : { secret: tenant.webhookSecret }),
    body: JSON.stringify(envelope),
    createdAt,
  };
  const [stored] = await deps.transaction((unit) => deps.queue.enqueue([delivery], unit));
  if (!stored) {
    throw new TypeError('One delivery is stored as one');
  }
  // As it was stored, whatever its first attempt has come to meanwhile.
  return succeed(deps.deliveries.present(stored));
}

function isWebhookEvent(name: string): name is WebhookEvent {
  return (WEBHOOK_EVENTS as readonly string[]).includes(name);
}

/** Document 3 signs its own event in its own way. */
function schemeOf(event: string): Scheme {
  return event === 'user.data_request' ? 'partner' : 'request_money';
}
