import type { Exchange } from './http.ts';
import { createMoneyRequest, moneyRequestBody, newReference, queryGraph } from './money-requests.ts';
import { KEYS } from './seed.ts';
import type { Subscriber, Subscription } from './subscriber.ts';
import { until } from './until.ts';

/** An event of `requestMoneyStatusChanged` as {@link followStatuses} selects it. */
export interface StatusEvent {
  readonly requestMoneyStatusChanged: {
    readonly cursor: string;
    readonly occurredAt: string;
    readonly previousStatus: string | null;
    readonly status: string;
    readonly statusDetails: string | null;
    readonly requestMoney: {
      readonly referenceId: string;
      readonly user: { readonly firstName: string };
      readonly operation: { readonly status: string } | null;
    };
  };
}

const STATUS_CHANGED = `subscription ($referenceId: String, $after: String) {
  requestMoneyStatusChanged(referenceId: $referenceId, after: $after) {
    cursor occurredAt previousStatus status statusDetails
    requestMoney { referenceId user { firstName } operation { status } }
  }
}`;

/** Follows the statuses of one money request, or of all of a tenant; its fields come from three subgraphs. */
export function followStatuses(
  socket: Subscriber,
  variables: { referenceId?: string; after?: string } = {},
): Subscription<StatusEvent> {
  return socket.subscribe<StatusEvent>(STATUS_CHANGED, variables);
}

/** Previous and new status of each. */
export function statusesOf(events: readonly StatusEvent[]): [string | null, string][] {
  return events.map(({ requestMoneyStatusChanged: event }) => [event.previousStatus, event.status]);
}

export function cursorOf(event: StatusEvent | undefined): string {
  return String(event?.requestMoneyStatusChanged.cursor);
}

/**
 * A cursor of about now. A subscription without one begins at a moment that its client does not know; with this one
 * a test knows from where on it must receive everything.
 */
export async function presentCursor(
  socket: Subscriber,
  exchange: Exchange,
  key: string = KEYS.acme,
): Promise<string> {
  const probe = followStatuses(socket);
  await until('an event of a probe', async () => {
    await createMoneyRequest(exchange, cashBody(newReference()), { key });
    return probe.events.length > 0;
  });
  probe.stop();
  return cursorOf(probe.events[0]);
}

/** The newest cursor of the account. A subscription after it gets every later event, and earlier ones that have no number yet. */
export async function latestEventCursor(exchange: Exchange, key: string = KEYS.acme): Promise<string> {
  const { data } = await queryGraph<{ latestEventCursor: string }>(
    exchange,
    '{ latestEventCursor }',
    {},
    key,
  );
  return String(data?.latestEventCursor);
}

/** A money request that every tenant with the feature can make. */
export function cashBody(referenceId: string, name = { firstName: 'Luz', lastName: 'Paz' }) {
  const { requestData } = moneyRequestBody(referenceId);
  const cash = { payoutMethod: 'cash', cash: { provider: 'OXXO' }, userReferenceId: 'probe', name };
  return moneyRequestBody(referenceId, { requestData: { ...requestData, ...cash } });
}
