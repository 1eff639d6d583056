import type { AccountId } from '../../kernel/account.ts';
import type { AccountClock } from '../../kernel/clock/account-clock.ts';
import type { RunTransaction } from '../../kernel/database/transaction.ts';
import { fail, type Result, succeed } from '../../kernel/errors/result.ts';
import { TEST, TEST_NAMES, webhookEventNamed } from '../../webhook-events/catalogue.ts';
import { CONTRACTS } from '../../webhook-events/contracts.ts';
import { bodiesOf } from '../../webhook-events/versions.ts';
import type { Deliveries } from '../../webhooks/deliveries.ts';
import { FIRST_ENDPOINT, type PartnerEndpoints } from '../../webhooks/partner-endpoints.ts';
import type { Delivery } from '../../webhooks/present.ts';
import type { WebhookQueue } from '../../webhooks/queue.ts';

interface SendTestDeps {
  endpoints: Pick<PartnerEndpoints, 'receiver'>;
  queue: WebhookQueue;
  deliveries: Pick<Deliveries, 'present'>;
  transaction: RunTransaction;
  accountClock: AccountClock;
}

/** Event and endpoint of the test. */
export interface TestEvent {
  /** An event's name; `test` when absent. */
  readonly event?: string | null | undefined;
  /** Id of the endpoint; the first when absent. */
  readonly endpointId?: string | null | undefined;
}

/**
 * Sends an event to one of the partner's endpoints like any other: signed, retried and stored. Its data is that of
 * {@link TEST}, whatever its name. It is sent even when the endpoint's events do not include the name. Failures: INVALID_REQUEST
 * for an unknown name, WEBHOOK_NOT_CONFIGURED when the first endpoint has no URL, WEBHOOK_ENDPOINT_NOT_FOUND for another
 * unknown endpoint.
 */
export async function sendTest(
  deps: SendTestDeps,
  accountId: AccountId,
  test: TestEvent,
): Promise<Result<Delivery>> {
  const event = test.event ?? TEST.name;
  const endpointId = test.endpointId ?? FIRST_ENDPOINT;
  const described = TEST_NAMES.includes(event) ? webhookEventNamed(event) : undefined;
  if (!described) {
    return fail('INVALID_REQUEST', `event must be one of ${TEST_NAMES.join(', ')}`, ['event']);
  }
  const receiver = await deps.endpoints.receiver(accountId, endpointId);
  if (!receiver.ok) {
    return endpointId === FIRST_ENDPOINT ? fail('WEBHOOK_NOT_CONFIGURED') : receiver;
  }
  const { eventVersion, ...target } = receiver.value;
  const createdAt = deps.accountClock(accountId);
  const delivery = {
    accountId,
    event,
    scheme: CONTRACTS[described.document].scheme,
    ...target,
    body: bodiesOf(TEST, { event, data: TEST.data(accountId) }, createdAt)(eventVersion),
    createdAt,
  };
  const [stored] = await deps.transaction((unit) => deps.queue.enqueue([delivery], unit));
  if (!stored) {
    throw new TypeError('One delivery is stored as one');
  }
  // The delivery as it was stored, whatever its first attempt has done meanwhile.
  return succeed(await deps.deliveries.present(stored));
}
