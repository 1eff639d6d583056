import { beforeAll, describe, expect, test } from '@jest/globals';
import { type Exchange, injectInto } from '../support/http.ts';
import type { IdName, Ids } from '../support/isolation/ids.ts';
import { fillTenant } from '../support/isolation/tenant-data.ts';
import { createMoneyRequest, moneyRequestBody, newReference, queryGraph } from '../support/money-requests.ts';
import { findUnserved, recordQueries, type StoreQuery } from '../support/query-shapes.ts';
import { useScene } from '../support/scene.ts';
import { KEYS } from '../support/seed.ts';
import { buildTestApp, type TestApp } from '../support/test-app.ts';
import { until } from '../support/until.ts';

const SEARCH = `query ($text: String!, $first: Int) {
  search(text: $text, first: $first) {
    matchedBy
    node {
      __typename nodeId
      ... on Operation { id code platId status link { id } }
      ... on RequestMoney { reference: referenceId landingLink fundRequestLink }
      ... on Remittance { correlationId }
      ... on User { id phoneNumber }
      ... on Link { id url }
      ... on WebhookDelivery { id event }
      ... on Contact { id user { id } }
      ... on PaymentMethod { id user { id } }
    }
  }
}`;

type Node = Readonly<Record<string, string>> & { readonly __typename: string };
interface Match {
  readonly matchedBy: readonly string[];
  readonly node: Node;
}

const scene = useScene();
let target: TestApp;
let exchange: Exchange;
let ids: Ids;
let theirs: Ids;
let queries: readonly StoreQuery[];
beforeAll(async () => {
  const { env } = await scene.deploy({ env: { PIPELINE_SWEEP_SECONDS: '1' } });
  target = await buildTestApp(env);
  scene.atEnd(target.close);
  exchange = injectInto(target.app);
  ids = (await fillTenant({ accountId: 'acme/sandbox', key: KEYS.acme }, exchange)).ids;
  theirs = (await fillTenant({ accountId: 'soylent/sandbox', key: KEYS.soylent }, exchange)).ids;
  queries = recordQueries(target.connection);
});

const own = (name: IdName) => String(ids.get(name));

async function search(text: string, { first, key = KEYS.acme }: { first?: number; key?: string } = {}) {
  return queryGraph<{ search: readonly Match[] }>(exchange, SEARCH, { text, first }, key);
}

async function find(text: string, options: { first?: number; key?: string } = {}): Promise<string[]> {
  const { data } = await search(text, options);
  return (data?.search ?? []).map(
    ({ node, matchedBy }) => `${node.__typename} by ${matchedBy.toSorted().join()}`,
  );
}

describe('A search finds', () => {
  test.each<[IdName, string[]]>([
    ['operationId', ['Operation by ID']],
    ['correlationId', ['Operation by ID']],
    ['atomicId', ['Operation by ID', 'Remittance by ID']],
    ['failedId', ['Remittance by ID']],
    ['referenceId', ['RequestMoney by REFERENCE_ID']],
    ['linkId', ['Link by ID']],
    ['requestId', ['RequestMoney by ID']],
    ['idempotencyKey', ['RequestMoney by IDEMPOTENCY_KEY']],
    ['deliveryId', ['WebhookDelivery by ID']],
    ['contactId', ['Contact by ID']],
    ['cardId', ['PaymentMethod by ID']],
    ['accountId', ['PaymentMethod by ID']],
    ['userId', ['User by ID']],
    ['phoneNumber', ['User by PHONE_NUMBER']],
    ['email', ['User by EMAIL']],
    ['atomicPhone', ['User by PHONE_NUMBER']],
    ['contactPhone', ['Contact by PHONE_NUMBER', 'Operation by PAYER_PHONE_NUMBER']],
  ])('finds the records with this %s', async (name, expected) => {
    expect((await find(own(name))).toSorted()).toEqual(expected);
    expect((await find(`  ${own(name)} `)).toSorted()).toEqual(expected);
  });

  test("all that is about the user with an id of the partner's own", async () => {
    const found = await find(own('userReferenceId'));
    const by = 'by USER_REFERENCE_ID';
    expect(found.toSorted()).toEqual([`Link ${by}`, `Operation ${by}`, `RequestMoney ${by}`, `User ${by}`]);
  });

  test('a user by national digits and in other spellings', async () => {
    const phone = own('phoneNumber');
    const digits = phone.replace(/^\+(52|1)/, '');
    expect(await find(digits)).toEqual(['User by PHONE_NUMBER']);
    expect(await find(`${digits.slice(0, 3)} ${digits.slice(3, 6)}-${digits.slice(6)}`)).toEqual([
      'User by PHONE_NUMBER',
    ]);
    const plain = phone.slice(1);
    for (const spelled of [
      plain,
      `00${plain}`,
      `+${plain.slice(0, 2)} (${plain.slice(2, 4)}) ${plain.slice(4)}`,
    ]) {
      expect([spelled, await find(spelled)]).toEqual([spelled, ['User by PHONE_NUMBER']]);
    }
    expect(await find(own('email').toUpperCase())).toEqual(['User by EMAIL']);
  });

  test('the contact with the phone number of a payer, in any spelling, and no other partner’s', async () => {
    const { data } = await queryGraph<{ createContact: { contact: { id: string } } }>(
      exchange,
      `mutation ($userId: ID!) {
        createContact(input: { userId: $userId, phoneNumber: "+525587654321", firstName: "Luz", lastName: "Paz", countryCode: "MX" }) {
          contact { id }
        }
      }`,
      { userId: own('userId') },
    );
    for (const spelled of ['+525587654321', '525587654321', '0052 55 8765 4321', '(55) 8765-4321']) {
      expect([spelled, await find(spelled)]).toEqual([spelled, ['Contact by PHONE_NUMBER']]);
    }
    const [found] = (await search('5587654321')).data?.search ?? [];
    expect(found?.node).toMatchObject({ id: data?.createContact.contact.id, user: { id: own('userId') } });
    expect(await find('+525587654321', { key: KEYS.soylent })).toEqual([]);
  });

  test('the webhooks about a create that failed, by the reference that it named', async () => {
    const referenceId = newReference();
    const body = moneyRequestBody(referenceId, { amount: -1 });
    expect((await createMoneyRequest(exchange, body)).status).toBe(422);
    const found = await find(referenceId);
    expect(found.length).toBeGreaterThan(0);
    expect(new Set(found)).toEqual(new Set(['WebhookDelivery by REFERENCE_ID']));
    expect(await find(referenceId, { key: KEYS.soylent })).toEqual([]);
    expect(await find(referenceId, { key: KEYS.acmeLive })).toEqual([]);
    expect((await createMoneyRequest(exchange, moneyRequestBody(referenceId))).status).toBe(201);
    expect(await find(referenceId)).toEqual(['RequestMoney by REFERENCE_ID']);
  });

  test('why a create was refused, by its reference and by the id of its user', async () => {
    const referenceId = newReference();
    const userReferenceId = `u-${referenceId}`;
    const { requestData } = moneyRequestBody(referenceId);
    const body = moneyRequestBody(referenceId, {
      requestData: { ...requestData, userReferenceId, name: { firstName: 'Eva', lastName: 'OFACHIT' } },
    });
    expect((await createMoneyRequest(exchange, body)).status).toBe(403);
    const failure = {
      code: 'OFAC_HIT',
      message: 'The requester is on a watch list.',
      nextAction: 'CONTACT_SUPPORT',
    };
    const query = `query ($text: String!) {
      failedCalls(reference: $text) { surface status failure { code message nextAction } }
      search(text: $text) { node { ... on WebhookDelivery { failure { code message nextAction } } } }
    }`;
    interface Refused {
      readonly failedCalls: readonly object[];
      readonly search: readonly { readonly node: object }[];
    }
    const refused = async (text: string, key: string = KEYS.acme) =>
      (await queryGraph<Refused>(exchange, query, { text }, key)).data;
    await until('the call is in the log', async () => (await refused(referenceId))?.failedCalls.length === 1);
    const failedCalls = [{ surface: 'REQUEST_MONEY', status: 403, failure }];
    const found = await refused(referenceId);
    expect(found).toMatchObject({ failedCalls });
    expect(new Set(found?.search.map(({ node }) => JSON.stringify(node)))).toEqual(
      new Set([JSON.stringify({ failure })]),
    );
    expect(await refused(userReferenceId)).toEqual({ failedCalls, search: [] });
    expect(await refused(referenceId, KEYS.soylent)).toEqual({ failedCalls: [], search: [] });
    expect(await refused(referenceId, KEYS.acmeLive)).toEqual({ failedCalls: [], search: [] });
  });

  test('an operation by its support code or platId, a link by its URL or token, and anything by its nodeId', async () => {
    const [operation] = (await search(own('operationId'))).data?.search ?? [];
    const [link] = (await search(own('linkId'))).data?.search ?? [];
    const url = String(link?.node.url);
    expect(await find(String(operation?.node.code))).toEqual(['Operation by CODE']);
    expect(await find(String(operation?.node.platId))).toEqual(['Operation by PLAT_ID']);
    expect(await find(url)).toEqual(['Link by URL']);
    expect(await find(url.slice(url.lastIndexOf('/') + 1))).toEqual(['Link by URL']);
    expect(await find(String(operation?.node.nodeId))).toEqual(['Operation by NODE_ID']);
  });

  test('a money request by either URL of its payer, or by the token', async () => {
    const [found] = (await search(own('referenceId'))).data?.search ?? [];
    const { landingLink, fundRequestLink = '' } = found?.node ?? { __typename: 'none' };
    const token = fundRequestLink.slice(fundRequestLink.lastIndexOf('/') + 1);
    for (const text of [landingLink, fundRequestLink, token]) {
      expect([text, await find(String(text))]).toEqual([text, ['RequestMoney by URL']]);
    }
    expect(await find(`${landingLink}x`)).toEqual([]);
  });

  test('a user, whose money requests and atomic calls are there before any operation is', async () => {
    const { data } = await queryGraph<{
      requestMoney: { user: { requestMonies: { nodes: { referenceId: string }[] } } };
      remittance: { user: { remittances: { nodes: { correlationId: string; status: string }[] } } };
    }>(
      exchange,
      `query ($reference: String!, $failed: ID!) {
        requestMoney(referenceId: $reference) { user { requestMonies { nodes { referenceId } } } }
        remittance(correlationId: $failed) { user { remittances { nodes { correlationId status } } } }
      }`,
      { reference: own('referenceId'), failed: own('failedId') },
    );
    expect(data?.requestMoney.user.requestMonies.nodes).toContainEqual({ referenceId: own('referenceId') });
    expect(data?.remittance.user.remittances.nodes).toContainEqual({
      correlationId: own('failedId'),
      status: 'FAILED',
    });
  });

  test('finds the subject of the request with an x-request-id, for callers that may read the log of requests', async () => {
    const callId = own('callId');
    await until('it is in the log', async () => (await find(callId)).length > 0);
    expect(await find(callId)).toEqual(['RequestMoney by X_REQUEST_ID']);
    expect((await search(callId)).data?.search).toMatchObject([{ node: { reference: own('referenceId') } }]);
    expect(await find(callId, { key: KEYS.acmeLive })).toEqual([]);
    expect(await find(own('referenceId'), { key: KEYS.acmeLive })).toEqual([]);
  });

  test('of what a request has named only what the partner has', async () => {
    const requestId = newReference();
    const query = 'mutation ($input: RevokeLinkInput!) { revokeLink(input: $input) { userErrors { code } } }';
    for (const linkId of [own('linkId'), String(theirs.get('linkId')), 'lnk_none']) {
      await exchange({
        method: 'POST',
        path: '/graphql',
        headers: { 'x-api-key': KEYS.acme, 'content-type': 'application/json', 'x-request-id': requestId },
        // The log has the ids of all variables; nothing is revoked.
        body: JSON.stringify({ query, variables: { id: linkId, input: { linkId: 'lnk_none' } } }),
      });
    }
    await until('the calls are in the log', async () => (await find(requestId)).length > 0);
    expect(await find(requestId)).toEqual(['Link by X_REQUEST_ID']);
  });

  test('records with all that their own subgraphs have', async () => {
    const { data, errors } = await search(own('operationId'));
    expect(errors).toBeUndefined();
    expect(data?.search).toEqual([
      {
        matchedBy: ['ID'],
        node: {
          __typename: 'Operation',
          nodeId: expect.any(String),
          id: own('operationId'),
          code: expect.any(String),
          platId: expect.any(String),
          status: expect.any(String),
          link: { id: own('linkId') },
        },
      },
    ]);
  });

  test('at most as many as are wanted, what has the id itself first', async () => {
    for (let count = 0; count < 3; count += 1) {
      const { requestData } = moneyRequestBody('');
      const body = moneyRequestBody(newReference(), {
        requestData: { ...requestData, userReferenceId: own('referenceId') },
      });
      expect((await createMoneyRequest(exchange, body)).status).toBe(201);
    }
    const of = (by: string) => `RequestMoney by ${by}`;
    expect(await find(own('referenceId'), { first: 3 })).toEqual([
      of('REFERENCE_ID'),
      expect.stringMatching(/USER_REFERENCE_ID/),
      expect.stringMatching(/USER_REFERENCE_ID/),
    ]);
    expect(await find(own('referenceId'), { first: 1 })).toEqual([of('REFERENCE_ID')]);
  });
});

describe('A search does not find', () => {
  test('anything of another partner', async () => {
    for (const text of theirs.values()) {
      expect([text, await find(text)]).toEqual([text, []]);
    }
    const [match] =
      (await search(String(theirs.get('operationId')), { key: KEYS.soylent })).data?.search ?? [];
    expect(await find(String(match?.node.nodeId))).toEqual([]);
    expect(await find(String(match?.node.platId))).toEqual([]);
  });

  test.each(['%', '.*', '{"$ne":null}', 'acme|', '+52', '0', 'An', 'Ruiz Zyx'])(
    'finds nothing that is only similar: %s',
    async (text) => {
      expect(await find(text)).toEqual([]);
    },
  );

  test('without the scope', async () => {
    const { errors } = await search(own('userId'), { key: KEYS.acmeWithoutPartner });
    expect(errors).toMatchObject([{ extensions: { code: 'FORBIDDEN' } }]);
  });

  test.each<[string, number | undefined]>([
    ['', undefined],
    ['   ', undefined],
    ['x'.repeat(256), undefined],
    ['x', 0],
    ['x', 51],
  ])('by a text or a number that it does not take: %p, %p', async (text, first) => {
    const { errors } = await search(text, first === undefined ? {} : { first });
    expect(errors).toMatchObject([{ extensions: { code: 'BAD_USER_INPUT' } }]);
  });
});

test('a search sends one command for each kind of key, and none for what is not there', async () => {
  const before = queries.length;
  expect(await find('nobody-has-this')).toEqual([]);
  const made = queries
    .slice(before)
    .filter(({ filter }) => JSON.stringify(filter).includes('nobody-has-this'));
  const counts: Record<string, number> = {};
  for (const { collection } of made) {
    counts[collection] = (counts[collection] ?? 0) + 1;
  }
  expect(counts).toEqual({
    idempotencyKeys: 1,
    // By id, URL, and the partner's own id of the user.
    links: 3,
    // By referenceId, requestId, URL, and the partner's own id of the user.
    moneyRequests: 4,
    // By id, code, platId, and the partner's own id of the user.
    operations: 4,
    remittances: 1,
    requestLog: 1,
    reservations: 1,
    // By id, and the partner's own id. The look-up by name has digests of the words.
    users: 2,
    // By id, and by the reference of a failed call.
    webhookDeliveries: 2,
  });
});

test('a declared index serves every look-up', () => {
  expect(findUnserved(target.connection, queries)).toEqual([]);
  const read = new Set(queries.map(({ collection }) => collection));
  expect([...read]).toEqual(
    expect.arrayContaining(['links', 'moneyRequests', 'operations', 'remittances', 'users']),
  );
});
