import { beforeAll, expect, test } from '@jest/globals';
import { type Exchange, injectInto } from '../support/http.ts';
import { createMoneyRequest, moneyRequestBody, newReference, queryGraph } from '../support/money-requests.ts';
import { useScene } from '../support/scene.ts';
import { KEYS } from '../support/seed.ts';
import { presentCursor } from '../support/statuses.ts';
import { buildTestApp } from '../support/test-app.ts';

const CREATE = `mutation ($input: CreateLinkInput!) { createLink(input: $input) { link { id metadata user { id } } userErrors { code } } }`;
const FOLLOW = `subscription ($linkId: ID, $after: String) {
  linkActivityAdded(linkId: $linkId, after: $after) {
    cursor occurredAt activity { id type actor data } link { id status user { referenceId firstName } }
  }
}`;

interface Added {
  readonly linkActivityAdded: {
    readonly cursor: string;
    readonly activity: { id: string; type: string };
    readonly link: { id: string; user: { referenceId: string; firstName: string | null } };
  };
}

const scene = useScene();
let exchange: Exchange;
let url: string;
beforeAll(async () => {
  const { env } = await scene.deploy();
  const app = await buildTestApp(env);
  scene.atEnd(app.close);
  exchange = injectInto(app.app);
  url = await app.app.listen({ host: '127.0.0.1', port: 0 });
});

async function createLink(input: Record<string, unknown>, key: string = KEYS.acme): Promise<string> {
  const { data, errors } = await queryGraph<{ createLink: { link: { id: string } | null } }>(
    exchange,
    CREATE,
    { input: { flow: 'TRANSFER', ...input } },
    key,
  );
  expect(errors).toBeUndefined();
  return data?.createLink.link?.id ?? '';
}

const revoke = (linkId: string) =>
  queryGraph(exchange, `mutation { revokeLink(input: { linkId: "${linkId}" }) { link { status } } }`);

test('linkActivityAdded brings every entry in order, from any cursor, to its own partner alone', async () => {
  const socketOf = (key: string) => scene.subscriber({ url, connectionParams: { 'X-API-Key': key } });
  const [acme, globex] = await Promise.all([socketOf(KEYS.acme), socketOf(KEYS.globex)]);
  const all = acme.subscribe<Added>(FOLLOW, { after: await presentCursor(acme, exchange) });
  const after = await presentCursor(globex, exchange, KEYS.globex);
  const foreign = globex.subscribe<Added>(FOLLOW, { after });
  const linkIds = [await createLink({ referenceId: 'u-live' }), await createLink({ referenceId: 'u-other' })];
  await Promise.all(linkIds.map(revoke));
  const events = await all.take(4);
  const ofFirst = events.filter(({ linkActivityAdded: { link } }) => link.id === linkIds[0]);
  expect(ofFirst.map(({ linkActivityAdded: { activity } }) => activity.type)).toEqual([
    'LINK_CREATED',
    'LINK_REVOKED',
  ]);
  expect(ofFirst[0]?.linkActivityAdded.link.user).toEqual({ referenceId: 'u-live', firstName: null });

  const again = acme.subscribe<Added>(FOLLOW, {
    linkId: linkIds[0],
    after: ofFirst[0]?.linkActivityAdded.cursor,
  });
  expect((await again.take(1))[0]?.linkActivityAdded.activity).toEqual(
    ofFirst[1]?.linkActivityAdded.activity,
  );
  // Its own first event is the first that it sees: none of the others came before.
  const own = await createLink({ referenceId: 'u-live' }, KEYS.globex);
  expect((await foreign.take(1))[0]?.linkActivityAdded.link.id).toBe(own);
  expect(all.errors).toEqual([]);
});

test('links, users and operations lead to each other over the graph', async () => {
  const referenceId = newReference();
  const metadata = { plan: 'gold', limits: [1, 2.5, null], nested: { deep: true } };
  const linkId = await createLink({
    referenceId: 'u-77',
    metadata,
    userData: { name: { firstName: 'Ana', lastName: 'Ruiz' }, dob: '1990-02-28' },
  });
  await createMoneyRequest(exchange, moneyRequestBody(referenceId));
  await exchange({
    method: 'PATCH',
    path: '/v1/internal/remittances/status',
    headers: { 'Content-Type': 'application/json', 'X-Internal-Key': 'internal_key_of_tests' },
    body: JSON.stringify({ partnerId: 'acme', referenceId, status: 'processing', operationId: 'op-linked' }),
  });
  const { data, errors } = await queryGraph(
    exchange,
    `{ operation(id: "op-linked") {
         status
         link { id metadata userData { dob } operation { code: status link { id } }
           user { firstName dob links(first: 1) { totalCount nodes { id } } }
           activities { nodes { type data } } }
       }
       links(where: { referenceId: "u-77", visibility: ACTIVE, status: [CREATED], flow: [TRANSFER] }, sortBy: { field: CREATED_AT }) { totalCount }
     }`,
  );
  expect(errors).toBeUndefined();
  expect(data).toEqual({
    operation: {
      status: 'FUNDING',
      link: {
        id: linkId,
        metadata: { plan: 'gold', limits: [1, 2.5, null], nested: { deep: true } },
        userData: { dob: '1990-02-28' },
        operation: { code: 'FUNDING', link: { id: linkId } },
        user: { firstName: 'Ana', dob: '1990-02-28', links: { totalCount: 1, nodes: [{ id: linkId }] } },
        activities: {
          nodes: [
            { type: 'LINK_CREATED', data: { flow: 'transfer' } },
            { type: 'OPERATION_CREATED', data: { operationId: 'op-linked', status: 'Funding' } },
          ],
        },
      },
    },
    links: { totalCount: 1 },
  });
});

test('an object written in the query arrives as it is', async () => {
  const query = `mutation ($order: Int!) { createLink(input: { flow: TRANSFER, referenceId: "u-literal",
    metadata: { order: $order, tags: ["a", { b: null }], big: 2.5 } }) { link { metadata } userErrors { code } } }`;
  const { data, errors } = await queryGraph(exchange, query, { order: 5 });
  expect(errors).toBeUndefined();
  expect(data).toEqual({
    createLink: {
      link: { metadata: { order: 5, tags: ['a', { b: null }], big: 2.5 } },
      userErrors: [],
    },
  });
});
