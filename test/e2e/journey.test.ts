import { beforeAll, describe, expect, test } from '@jest/globals';
import type { Deployment } from '../support/deployment.ts';
import { exchangeWith } from '../support/http.ts';
import {
  createMoneyRequest,
  lookUp,
  moneyRequestBody,
  newReference,
  queryGraph,
  updateStatus,
} from '../support/money-requests.ts';
import { hasGoodSignature, headerOf, type ReceivedWebhook, signatureOf } from '../support/receiver.ts';
import { useScene } from '../support/scene.ts';
import { KEYS, SECRETS } from '../support/seed.ts';
import { ARRANGEMENTS, type Server } from '../support/server.ts';
import type { StatusEvent } from '../support/statuses.ts';
import { cursorOf, followStatuses, presentCursor, statusesOf } from '../support/statuses.ts';
import { until } from '../support/until.ts';

const params = { 'X-API-Key': KEYS.acme };

const FROM_ALL_SUBGRAPHS = `query ($referenceId: String!) {
  requestMoney(referenceId: $referenceId) {
    referenceId
    amount { amount currency }
    operation { id status recipientReferenceId user { firstName } requestMoney { referenceId } }
    user { firstName lastName links { nodes { id flow user { referenceId } } } operations { totalCount } }
  }
}`;

const CREATE_LINK = `mutation ($input: CreateLinkInput!) {
  createLink(input: $input) { link { id } userErrors { code message path } }
}`;

describe.each(ARRANGEMENTS)('Arrangement %s', (arrangement) => {
  const scene = useScene();
  let deployment: Deployment;
  let server: Server;
  beforeAll(async () => {
    deployment = await scene.deploy({ arrangement });
    server = await deployment.start();
  });

  /** The webhooks of one money request, in the order of their events' names as they are expected. */
  async function webhooksOf(referenceId: string, events: readonly string[]): Promise<ReceivedWebhook[]> {
    const find = (event: string) =>
      deployment.receiver.webhooks.find(
        (webhook) =>
          headerOf(webhook, 'X-Webhook-Event') === event &&
          webhook.text.includes(`"referenceId":"${referenceId}"`),
      );
    await until(`webhooks ${events.join(', ')}`, () => events.every(find));
    return events.map((event) => find(event)!);
  }

  describe('A money request on its whole way', () => {
    test('create, lookup, federated read, live statuses, signed webhooks; and on after a restart', async () => {
      const exchange = exchangeWith(server.url);
      const referenceId = newReference();
      const socket = await scene.subscriber({ url: server.url, connectionParams: params });
      const live = followStatuses(socket, { referenceId, after: await presentCursor(socket, exchange) });
      const linked = await queryGraph<{ createLink: { link: { id: string } } }>(exchange, CREATE_LINK, {
        input: {
          flow: 'TRANSFER',
          referenceId: 'u-77',
          userData: { name: { firstName: 'Ana', lastName: 'Ruiz' } },
        },
      });
      const linkId = linked.data?.createLink.link.id;

      const created = await createMoneyRequest(exchange, moneyRequestBody(referenceId));
      expect(created.status).toBe(201);
      const found = await lookUp(exchange, referenceId);
      expect(found.status).toBe(200);
      expect(JSON.parse(found.text)).toMatchObject(JSON.parse(created.text));
      expect(statusesOf(await live.take(1))).toEqual([[null, 'PENDING']]);

      await updateStatus(exchange, { referenceId, status: 'processing' });
      await live.take(2);
      const graph = await queryGraph<{ requestMoney: Record<string, unknown> }>(
        exchange,
        FROM_ALL_SUBGRAPHS,
        {
          referenceId,
        },
      );
      expect(graph).toEqual({
        status: 200,
        data: {
          requestMoney: {
            referenceId,
            amount: { amount: '1500.5', currency: 'MXN' },
            operation: {
              id: expect.stringMatching(/^op_/),
              status: 'FUNDING',
              recipientReferenceId: 'u-77',
              user: { firstName: 'Ana' },
              requestMoney: { referenceId },
            },
            user: {
              firstName: 'Ana',
              lastName: 'Ruiz',
              links: { nodes: [{ id: linkId, flow: 'TRANSFER', user: { referenceId: 'u-77' } }] },
              operations: { totalCount: 1 },
            },
          },
        },
      });

      await updateStatus(exchange, { referenceId, status: 'completed' });
      const events = await live.take(3);
      expect(statusesOf(events)).toEqual([
        [null, 'PENDING'],
        ['PENDING', 'PROCESSING'],
        ['PROCESSING', 'COMPLETED'],
      ]);
      expect(events[2]?.requestMoneyStatusChanged).toMatchObject({
        statusDetails: 'Funded',
        requestMoney: { referenceId, user: { firstName: 'Ana' }, operation: { status: 'COMPLETED' } },
      });

      const [first, ...updates] = await webhooksOf(referenceId, ['operation_created', 'operation_updated']);
      for (const webhook of [first!, ...updates]) {
        expect(hasGoodSignature(webhook, SECRETS.acme!)).toBe(true);
      }
      expect(first!.rawHeaders.map(([name]) => name)).toEqual(
        expect.arrayContaining([
          'Content-Type',
          'X-Webhook-Event',
          'X-Webhook-Delivery-Id',
          'X-Webhook-Signature',
        ]),
      );
      expect(hasGoodSignature({ ...first!, body: Buffer.from(`${first!.text} `) }, SECRETS.acme!)).toBe(
        false,
      );

      await resumeAcrossRestart(referenceId, events);
    });
  });

  /** A cursor that one process gave is good in the next: first what was missed, then what happens live. */
  async function resumeAcrossRestart(referenceId: string, events: readonly StatusEvent[]): Promise<void> {
    const same = await scene.subscriber({ url: server.url, connectionParams: params });
    const again = followStatuses(same, { referenceId, after: cursorOf(events[0]) });
    expect(statusesOf(await again.take(2))).toEqual(statusesOf(events.slice(1)));

    const missed = newReference();
    await createMoneyRequest(exchangeWith(server.url), moneyRequestBody(missed));
    expect(await server.kill('SIGTERM')).toEqual({ code: 0, signal: null });
    server = await deployment.start();
    const exchange = exchangeWith(server.url);
    const socket = await scene.subscriber({ url: server.url, connectionParams: params });
    const resumed = followStatuses(socket, { after: cursorOf(events[1]) });
    await resumed.take(2);
    await updateStatus(exchange, { referenceId: missed, status: 'rejected' });
    expect(statusesOf(await resumed.take(3))).toEqual([
      ['PROCESSING', 'COMPLETED'],
      [null, 'PENDING'],
      ['PENDING', 'REJECTED'],
    ]);
    expect(resumed.errors).toEqual([]);
  }

  describe('A cursor', () => {
    test.each(['', 'nonsense', 'A'.repeat(59)])(
      'that cannot be read ends the subscription: %p',
      async (after) => {
        const socket = await scene.subscriber({ url: server.url, connectionParams: params });
        const rejected = followStatuses(socket, { after });
        await until('an error', () => rejected.errors.length > 0);
        expect(rejected.errors[0]?.extensions?.code).toBe('INVALID_CURSOR');
      },
    );
  });

  describe('Expiry', () => {
    test('an unpaid money request whose time is over is cancelled, with event and webhook', async () => {
      const exchange = exchangeWith(server.url);
      const referenceId = newReference();
      const socket = await scene.subscriber({ url: server.url, connectionParams: params });
      const live = followStatuses(socket, { referenceId, after: await presentCursor(socket, exchange) });
      await createMoneyRequest(exchange, moneyRequestBody(referenceId, { expiresInMinutes: 1 }));
      await live.take(1);
      // Nobody waits a minute: its time is made to be over, and the recurring job to be due.
      const database = await deployment.database();
      await database
        .collection('moneyRequests')
        .updateOne({ referenceId }, { $set: { expiresAt: new Date() } });
      await database
        .collection('agendaJobs')
        .updateOne({ name: 'requestMoney.expire' }, { $set: { nextRunAt: new Date() } });
      expect(statusesOf(await live.take(2))).toEqual([
        [null, 'PENDING'],
        ['PENDING', 'CANCELLED'],
      ]);
      expect(JSON.parse((await lookUp(exchange, referenceId)).text)).toMatchObject({
        status: 'cancelled',
        statusDetails: 'Expired',
      });
      const [updated] = await webhooksOf(referenceId, ['operation_updated']);
      expect(JSON.parse(updated!.text).data).toMatchObject({ status: 'cancelled', statusDetails: 'Expired' });
    });
  });
});

test("the test's own signature code gives the known answer of decisions, section 6", () => {
  const body =
    '{"event":"operation_created","data":{"partnerId":"acme","referenceId":"AB12cd34"},"timestamp":"2026-11-21T08:00:00.000Z"}';
  expect(signatureOf('whsec_acme_0001', 1795248000, body)).toBe(
    't=1795248000,v1=18481de62457a4a013689f59fc1e370ed0c479d81e96e0849a898f730aa042f9',
  );
});
