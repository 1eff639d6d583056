import { beforeAll, describe, expect, test } from '@jest/globals';
import { type Exchange, exchangeWith } from '../support/http.ts';
import {
  createMoneyRequest,
  lookUp,
  moneyRequestBody,
  newReference,
  queryGraph,
  updateStatus,
} from '../support/money-requests.ts';
import { useScene } from '../support/scene.ts';
import { KEYS } from '../support/seed.ts';
import { ARRANGEMENTS, type Server } from '../support/server.ts';
import { cashBody, cursorOf, followStatuses, presentCursor, type StatusEvent } from '../support/statuses.ts';
import { until } from '../support/until.ts';

/** The records of acme; globex must see none of them. */
interface Things {
  readonly referenceId: string;
  readonly operationId: string;
  readonly userId: string;
  readonly linkId: string;
}

const BY_ID = `query ($referenceId: String!, $operationId: ID!, $userId: ID!, $linkId: ID!) {
  requestMoney(referenceId: $referenceId) { referenceId }
  operation(id: $operationId) { id }
  user(id: $userId) { id }
  link(id: $linkId) { id }
}`;

const LISTS = `{
  requestMonies { totalCount nodes { referenceId } }
  operations { totalCount nodes { id } }
  users { totalCount nodes { id } }
  links { totalCount nodes { id } }
}`;

describe.each(ARRANGEMENTS)('Arrangement %s', (arrangement) => {
  const scene = useScene();
  let server: Server;
  let exchange: Exchange;
  let things: Things;
  beforeAll(async () => {
    const deployment = await scene.deploy({ arrangement });
    server = await deployment.start();
    exchange = exchangeWith(server.url);
    things = await makeThings();
  });

  async function makeThings(): Promise<Things> {
    const referenceId = newReference();
    await createMoneyRequest(exchange, moneyRequestBody(referenceId));
    await updateStatus(exchange, { referenceId, status: 'processing' });
    const linked = await queryGraph<{ createLink: { link: { id: string } } }>(
      exchange,
      `mutation { createLink(input: { flow: TRANSFER, referenceId: "u-77" }) {
       link { id } } }`,
    );
    const made = await queryGraph<{ requestMoney: { operation: { id: string }; user: { id: string } } }>(
      exchange,
      'query ($referenceId: String!) { requestMoney(referenceId: $referenceId) { operation { id } user { id } } }',
      { referenceId },
    );
    return {
      referenceId,
      operationId: made.data!.requestMoney.operation.id,
      userId: made.data!.requestMoney.user.id,
      linkId: linked.data!.createLink.link.id,
    };
  }

  describe('Another tenant', () => {
    test('reads nothing by id; its owner does', async () => {
      const { referenceId, operationId, userId, linkId } = things;
      const owner = await queryGraph(exchange, BY_ID, { ...things });
      expect(owner.data).toEqual({
        requestMoney: { referenceId },
        operation: { id: operationId },
        user: { id: userId },
        link: { id: linkId },
      });
      const other = await queryGraph(exchange, BY_ID, { ...things }, KEYS.globex);
      expect(other).toEqual({
        status: 200,
        data: { requestMoney: null, operation: null, user: null, link: null },
      });
    });

    test('lists nothing', async () => {
      const owner = await queryGraph<Record<string, { totalCount: number }>>(exchange, LISTS);
      expect(Object.values(owner.data!).map(({ totalCount }) => totalCount)).toEqual([1, 1, 1, 1]);
      const other = await queryGraph<Record<string, unknown>>(exchange, LISTS, {}, KEYS.globex);
      const none = { totalCount: 0, nodes: [] };
      expect(other.data).toEqual({ requestMonies: none, operations: none, users: none, links: none });
    });

    test('gets the answer of an unknown reference by REST, byte for byte', async () => {
      const others = await lookUp(exchange, things.referenceId, KEYS.globex);
      const unknown = await lookUp(exchange, newReference(), KEYS.globex);
      expect([others.status, others.text]).toEqual([404, unknown.text]);
    });

    test('cannot be named in a status update of a record of another partner', async () => {
      const { referenceId } = things;
      const moved = await updateStatus(exchange, { partnerId: 'globex', referenceId, status: 'completed' });
      expect(moved.status).toBe(404);
      expect(JSON.parse((await lookUp(exchange, referenceId)).text)).toMatchObject({ status: 'processing' });
    });

    test('has users of its own under the same reference', async () => {
      const referenceId = newReference();
      const { requestData } = cashBody(referenceId, { firstName: 'Other', lastName: 'Person' });
      const body = moneyRequestBody(referenceId, {
        requestData: { ...requestData, userReferenceId: 'u-77' },
      });
      await createMoneyRequest(exchange, body, { key: KEYS.globex });
      const query = '{ users { nodes { id referenceId firstName } } }';
      const own = await queryGraph<{ users: { nodes: { id: string }[] } }>(exchange, query, {}, KEYS.globex);
      expect(own.data?.users.nodes).toMatchObject([{ referenceId: 'u-77', firstName: 'Other' }]);
      expect(own.data?.users.nodes[0]?.id).not.toBe(things.userId);
      const acme = await queryGraph<{ users: { nodes: unknown[] } }>(exchange, query);
      expect(acme.data?.users.nodes).toMatchObject([{ referenceId: 'u-77', firstName: 'Ana' }]);
    });

    test('gets no events, not even with a reference or a cursor of the owner', async () => {
      const referenceId = newReference();
      const open = (key: string) =>
        scene.subscriber({ url: server.url, connectionParams: { 'X-API-Key': key } });
      const [owner, other] = await Promise.all([open(KEYS.acme), open(KEYS.globex)]);
      const owned = followStatuses(owner, { referenceId, after: await presentCursor(owner, exchange) });
      const after = await presentCursor(other, exchange, KEYS.globex);
      const byReference = followStatuses(other, { referenceId, after });
      const all = followStatuses(other, { after });
      await createMoneyRequest(exchange, moneyRequestBody(referenceId));
      await updateStatus(exchange, { referenceId, status: 'cancelled' });
      const [event] = await owned.take(2);
      // Its own comes after acme's in the log: it has received all its events by then.
      const own = newReference();
      await createMoneyRequest(exchange, cashBody(own), { key: KEYS.globex });
      await until('its own', () => all.events.some((received) => referenceOf(received) === own));
      expect(all.events.map(referenceOf)).not.toContain(referenceId);
      expect(byReference.events).toEqual([]);
      const byCursor = followStatuses(other, { after: cursorOf(event) });
      await until('an error', () => byCursor.errors.length > 0);
      expect(byCursor.errors[0]?.extensions?.code).toBe('INVALID_CURSOR');
    });
  });
});

function referenceOf({ requestMoneyStatusChanged }: StatusEvent): string {
  return requestMoneyStatusChanged.requestMoney.referenceId;
}
