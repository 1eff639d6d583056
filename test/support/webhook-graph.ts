import type { Exchange } from './http.ts';
import { queryGraph } from './money-requests.ts';
import type { Subscriber, Subscription } from './subscriber.ts';

/** A webhook as GraphQL shows it, all of it. */
export interface ShownDelivery {
  readonly id: string;
  readonly nodeId: string;
  readonly event: string;
  readonly status: string;
  readonly attempt: number;
  readonly lastError: string | null;
  readonly lastStatusCode: number | null;
  readonly finishedAt: string | null;
  readonly url: string;
  readonly body: string;
  readonly createdAt: string;
  readonly attempts: readonly { number: number; statusCode: number | null; errorClass: string | null }[];
}

const DELIVERY = `id nodeId event status attempt nextAttemptAt createdAt finishedAt lastError lastStatusCode url body
  attempts { number at ms statusCode errorClass answer headers timing { reused dnsMs connectMs tlsMs firstByteMs } }`;

interface Page {
  readonly totalCount: number;
  readonly nodes: readonly ShownDelivery[];
  readonly pageInfo: { readonly endCursor: string | null; readonly hasNextPage: boolean };
}

const LIST = `query ($where: WebhookDeliveryWhereInput, $sortBy: WebhookDeliverySortInput, $first: Int, $after: String) {
  webhookDeliveries(where: $where, sortBy: $sortBy, first: $first, after: $after) {
    totalCount nodes { ${DELIVERY} } pageInfo { endCursor hasNextPage }
  }
}`;

/** @throws when the list is rejected */
export async function listDeliveries(
  exchange: Exchange,
  variables: Record<string, unknown> = {},
  key?: string,
): Promise<Page> {
  const answer = await queryGraph<{ webhookDeliveries: Page }>(exchange, LIST, variables, key);
  if (!answer.data || answer.errors) {
    throw new Error(JSON.stringify(answer));
  }
  return answer.data.webhookDeliveries;
}

export async function showDelivery(
  exchange: Exchange,
  id: string,
  key?: string,
): Promise<ShownDelivery | null> {
  const query = `query ($id: ID!) { webhookDelivery(id: $id) { ${DELIVERY} } }`;
  const answer = await queryGraph<{ webhookDelivery: ShownDelivery | null }>(exchange, query, { id }, key);
  return answer.data?.webhookDelivery ?? null;
}

export const REPLAY = `mutation ($input: ReplayWebhookDeliveryInput!) {
  replayWebhookDelivery(input: $input) { webhookDelivery { ${DELIVERY} } userErrors { code message path } }
}`;
export const SEND_TEST = `mutation ($input: SendTestWebhookInput) {
  sendTestWebhook(input: $input) { webhookDelivery { ${DELIVERY} } userErrors { code message path } }
}`;

interface DeliveryPayload {
  readonly webhookDelivery: ShownDelivery | null;
  readonly userErrors: readonly { code: string; path: readonly string[] | null }[];
}

/** The payload of one of the mutations above, or the code of the error. */
export async function changeDelivery(
  exchange: Exchange,
  mutation: string,
  input?: Record<string, unknown>,
  key?: string,
): Promise<DeliveryPayload | string | undefined> {
  const answer = await queryGraph<Record<string, DeliveryPayload>>(exchange, mutation, { input }, key);
  return answer.errors?.[0]?.extensions?.code ?? Object.values(answer.data ?? {})[0];
}

export interface DeliveryEvent {
  readonly webhookDeliveryChanged: {
    readonly cursor: string;
    readonly previousStatus: string | null;
    readonly status: string;
    readonly statusDetails: string | null;
    readonly delivery: { readonly id: string } | null;
  };
}

const FOLLOW = `subscription ($status: WebhookDeliveryStatus, $after: String) {
  webhookDeliveryChanged(status: $status, after: $after) {
    cursor occurredAt previousStatus status statusDetails delivery { id event status attempts { number } }
  }
}`;

export function followDeliveries(
  socket: Subscriber,
  variables: { status?: string; after?: string } = {},
): Subscription<DeliveryEvent> {
  return socket.subscribe<DeliveryEvent>(FOLLOW, variables);
}

/** Before, after and whose, of each event. */
export function movesOf(events: readonly DeliveryEvent[]): unknown[] {
  return events.map(({ webhookDeliveryChanged: { previousStatus, status, delivery } }) => [
    delivery?.id,
    previousStatus,
    status,
  ]);
}
