import { beforeAll, describe, expect, test } from '@jest/globals';
import type { Deployment } from '../support/deployment.ts';
import { type Exchange, exchangeWith } from '../support/http.ts';
import { createMoneyRequest, moneyRequestBody, newReference, queryGraph } from '../support/money-requests.ts';
import { hasGoodSignature, headerOf } from '../support/receiver.ts';
import { useScene } from '../support/scene.ts';
import { KEYS, SECRETS } from '../support/seed.ts';
import type { Server } from '../support/server.ts';
import { presentCursor } from '../support/statuses.ts';
import type { Subscriber, Subscription } from '../support/subscriber.ts';
import { until } from '../support/until.ts';
import {
  changeDelivery,
  type DeliveryEvent,
  followDeliveries,
  listDeliveries,
  movesOf,
  REPLAY,
  SEND_TEST,
  type ShownDelivery,
  showDelivery,
} from '../support/webhook-graph.ts';

const ID = 'X-Webhook-Delivery-Id';
const REPLAY_ALL = `mutation ($input: ReplayWebhookDeliveriesInput!) { replayWebhookDeliveries(input: $input) {
  webhookReplay { id state } found userErrors { code }
} }`;

interface BulkReplay {
  readonly replayWebhookDeliveries: {
    readonly webhookReplay: { readonly id: string; readonly state: string } | null;
  };
}

describe('The API of webhooks', () => {
  const scene = useScene();
  let deployment: Deployment;
  let server: Server;
  let exchange: Exchange;
  let socket: Subscriber;
  beforeAll(async () => {
    deployment = await scene.deploy({
      env: {
        WEBHOOK_SWEEP_SECONDS: '1',
        WEBHOOK_RETRY_SECONDS: '0',
        WEBHOOK_MAX_ATTEMPTS: '2',
        // Some attempts are held while the test looks at them.
        WEBHOOK_TIMEOUT_SECONDS: '60',
      },
    });
    server = await deployment.start();
    exchange = exchangeWith(server.url);
    socket = await scene.subscriber({ url: server.url, connectionParams: { 'X-API-Key': KEYS.acme } });
  });

  const received = (id: string) =>
    deployment.receiver.webhooks.filter((webhook) => headerOf(webhook, ID) === id);
  const untilStatus = async (id: string, status: string): Promise<ShownDelivery> => {
    let shown: ShownDelivery | null = null;
    await until(`${id} is ${status}`, async () => {
      shown = await showDelivery(exchange, id);
      return shown?.status === status;
    });
    return shown as unknown as ShownDelivery;
  };
  const eventsOf = (live: Subscription<DeliveryEvent>, id: string) =>
    live.events.filter(({ webhookDeliveryChanged: { delivery } }) => delivery?.id === id);
  /** The webhook of one money request, by the list. */
  const deliveryOf = async (referenceId: string): Promise<ShownDelivery> => {
    const { nodes } = await listDeliveries(exchange, { first: 100 });
    const found = nodes.find(({ body }) => body.includes(`"referenceId":"${referenceId}"`));
    if (!found) {
      throw new Error(`No webhook of ${referenceId} is listed`);
    }
    return found;
  };

  test('a dead-lettered webhook is seen, sent again with the same id and bytes, and followed live', async () => {
    const referenceId = newReference();
    deployment.receiver.answer(({ text }) => (text.includes(referenceId) ? 500 : 204));
    const after = await presentCursor(socket, exchange);
    const live = followDeliveries(socket, { after });
    const dead = followDeliveries(socket, { after, status: 'DEAD_LETTERED' });
    await createMoneyRequest(exchange, moneyRequestBody(referenceId));
    const { id } = await deliveryOf(referenceId);
    const deadLettered = await untilStatus(id, 'DEAD_LETTERED');
    expect(deadLettered).toMatchObject({
      event: 'operation_created',
      attempt: 2,
      lastError: 'http_status',
      lastStatusCode: 500,
      url: `${deployment.receiver.url}/hook`,
      finishedAt: expect.any(String),
      attempts: [
        {
          number: 1,
          statusCode: 500,
          errorClass: 'http_status',
          timing: { firstByteMs: expect.any(Number) },
          headers: expect.arrayContaining([
            `X-Webhook-Delivery-Id: ${id}`,
            expect.stringMatching(/^X-Webhook-Signature: t=\d+,v1=\*{4}$/),
          ]),
        },
        { number: 2, statusCode: 500, errorClass: 'http_status' },
      ],
    });

    deployment.receiver.answer(() => 204);
    expect(await changeDelivery(exchange, REPLAY, { id })).toMatchObject({
      webhookDelivery: { id, attempt: 0, lastError: null, finishedAt: null },
      userErrors: [],
    });
    const delivered = await untilStatus(id, 'DELIVERED');
    expect(delivered).toMatchObject({ attempt: 1, lastStatusCode: 204, attempts: [{}, {}, { number: 3 }] });
    expect(received(id)).toHaveLength(3);
    expect(new Set(received(id).map(({ text }) => text))).toEqual(new Set([delivered.body]));
    expect(received(id).every((webhook) => hasGoodSignature(webhook, SECRETS.acme!))).toBe(true);

    await until('four events', () => eventsOf(live, id).length === 4);
    const events = eventsOf(live, id);
    expect(movesOf(events)).toEqual([
      [id, null, 'PENDING'],
      [id, 'PENDING', 'DEAD_LETTERED'],
      [id, 'DEAD_LETTERED', 'PENDING'],
      [id, 'PENDING', 'DELIVERED'],
    ]);
    const buriedEvent = events[1]?.webhookDeliveryChanged;
    expect(buriedEvent?.statusDetails).toBe('http_status');
    expect(movesOf(await dead.take(1))).toEqual([[id, 'PENDING', 'DEAD_LETTERED']]);
    live.stop();
    dead.stop();

    const resumed = followDeliveries(socket, { after: buriedEvent?.cursor ?? '' });
    expect(movesOf(await resumed.take(2))).toEqual(movesOf(events.slice(2)));
    resumed.stop();
  });

  test('all that match are counted, then sent again in the background', async () => {
    const references = [newReference(), newReference(), newReference()];
    deployment.receiver.answer(({ text }) => (references.some((one) => text.includes(one)) ? 500 : 204));
    for (const referenceId of references) {
      await createMoneyRequest(exchange, moneyRequestBody(referenceId));
    }
    const ids = await Promise.all(references.map(async (one) => (await deliveryOf(one)).id));
    const dead = await Promise.all(ids.map((id) => untilStatus(id, 'DEAD_LETTERED')));
    deployment.receiver.answer(() => 204);
    const gte = dead.map(({ createdAt }) => createdAt).toSorted()[0];
    const filter = { endpointId: 'first', event: 'operation_created', createdAt: { gte } };
    const replay = async (input: object) =>
      (await queryGraph<BulkReplay>(exchange, REPLAY_ALL, { input })).data?.replayWebhookDeliveries;
    expect(await replay({ ...filter, dryRun: true })).toEqual({
      ...{ webhookReplay: null, found: 3, userErrors: [] },
    });
    expect(await replay({ ...filter, endpointId: 'we_none' })).toMatchObject({
      userErrors: [{ code: 'WEBHOOK_ENDPOINT_NOT_FOUND' }],
    });
    const started = await replay(filter);
    expect(started).toMatchObject({ webhookReplay: { state: 'RUNNING' }, found: 3, userErrors: [] });
    const delivered = await Promise.all(ids.map((id) => untilStatus(id, 'DELIVERED')));
    expect(delivered.map(({ attempt, attempts }) => [attempt, attempts.length])).toEqual(
      ids.map(() => [1, 3]),
    );
    const query = `{ webhookReplay(id: "${started?.webhookReplay?.id}") { state found replayed skipped } }`;
    expect((await queryGraph(exchange, query)).data).toEqual({
      webhookReplay: { state: 'DONE', found: 3, replayed: 3, skipped: 0 },
    });
    const withoutAdmin = await queryGraph(exchange, REPLAY_ALL, { input: {} }, KEYS.acmeLive);
    expect(withoutAdmin.errors?.[0]?.extensions?.code).toBe('FORBIDDEN');
  });

  test('one that waits, or is being tried, is not sent beside itself', async () => {
    const referenceId = newReference();
    let release: () => void = () => undefined;
    const held = new Promise<number>((resolve) => {
      release = () => resolve(204);
    });
    deployment.receiver.answer(() => held);
    await createMoneyRequest(exchange, moneyRequestBody(referenceId));
    const { id } = await deliveryOf(referenceId);
    await until('the attempt', () => received(id).length === 1);
    expect(await changeDelivery(exchange, REPLAY, { id })).toMatchObject({
      webhookDelivery: null,
      userErrors: [{ code: 'WEBHOOK_DELIVERY_NOT_REPLAYABLE' }],
    });
    release();
    deployment.receiver.answer(() => 204);
    await untilStatus(id, 'DELIVERED');
    expect(received(id)).toHaveLength(1);
  });

  test('a test webhook arrives, signed, and is kept like others', async () => {
    const sent = await changeDelivery(exchange, SEND_TEST);
    expect(sent).toMatchObject({ webhookDelivery: { event: 'test', status: 'PENDING' }, userErrors: [] });
    const { id } = (sent as { webhookDelivery: ShownDelivery }).webhookDelivery;
    await untilStatus(id, 'DELIVERED');
    const [webhook] = received(id);
    expect(JSON.parse(webhook?.text ?? '')).toEqual({
      event: 'test',
      data: { partnerId: 'acme', test: true },
      timestamp: expect.any(String),
    });
    expect(hasGoodSignature(webhook!, SECRETS.acme!)).toBe(true);

    const named = await changeDelivery(exchange, SEND_TEST, { event: 'operation_updated' });
    expect(named).toMatchObject({ webhookDelivery: { event: 'operation_updated' } });
    expect(await changeDelivery(exchange, SEND_TEST, { event: 'nothing' })).toMatchObject({
      userErrors: [{ code: 'INVALID_REQUEST', path: ['event'] }],
    });
  });

  test('other tenants see nothing of it, and missing scopes are FORBIDDEN', async () => {
    const referenceId = newReference();
    await createMoneyRequest(exchange, moneyRequestBody(referenceId));
    const { id, nodeId } = await deliveryOf(referenceId);
    await untilStatus(id, 'DELIVERED');
    const other = await scene.subscriber({
      url: server.url,
      connectionParams: { 'X-API-Key': KEYS.globex },
    });
    const theirs = followDeliveries(other, { after: await presentCursor(other, exchange, KEYS.globex) });
    const { totalCount } = await listDeliveries(exchange, {}, KEYS.globex);

    expect(await showDelivery(exchange, id, KEYS.globex)).toBeNull();
    const listed = await listDeliveries(exchange, { first: 100 }, KEYS.globex);
    expect(listed.nodes.filter((one) => one.id === id)).toEqual([]);
    expect(listed.totalCount).toBe(totalCount);
    const node = 'query ($id: ID!) { node(id: $id) { nodeId ... on WebhookDelivery { id } } }';
    expect((await queryGraph(exchange, node, { id: nodeId })).data).toEqual({ node: { nodeId, id } });
    expect(await queryGraph(exchange, node, { id: nodeId }, KEYS.globex)).toEqual({
      status: 200,
      data: { node: null },
    });
    const unknown = { webhookDelivery: null, userErrors: [{ code: 'WEBHOOK_DELIVERY_NOT_FOUND' }] };
    expect(await changeDelivery(exchange, REPLAY, { id }, KEYS.globex)).toMatchObject(unknown);
    expect(await changeDelivery(exchange, REPLAY, { id: 'nobody' })).toMatchObject(unknown);

    for (const key of [KEYS.acmeLive, KEYS.acmeWithoutPartner, KEYS.acmeBare]) {
      expect(await changeDelivery(exchange, REPLAY, { id }, key)).toBe('FORBIDDEN');
      expect(await changeDelivery(exchange, SEND_TEST, {}, key)).toBe('FORBIDDEN');
    }
    expect(await showDelivery(exchange, id, KEYS.acmeLive)).toBeNull();
    expect(await showDelivery(exchange, id, KEYS.acmeWithoutPartner)).toBeNull();

    // An event of its own, later than all of these, proves that the subscription was listening all the while.
    const own = await changeDelivery(exchange, SEND_TEST, undefined, KEYS.globex);
    const ownId = (own as { webhookDelivery: ShownDelivery }).webhookDelivery.id;
    await until('its own events', () => eventsOf(theirs, ownId).length === 2);
    expect(eventsOf(theirs, id)).toEqual([]);
  });
});
