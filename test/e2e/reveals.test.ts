import { beforeAll, describe, expect, test } from '@jest/globals';
import { cookieOf, exchangeCode, LOCAL_PAGE, makeLink } from '../support/console-session.ts';
import { type Exchange, injectInto } from '../support/http.ts';
import { newPhone, newWord } from '../support/isolation/ids.ts';
import { callerOf, personOf } from '../support/isolation/tenant-data.ts';
import { queryGraph } from '../support/money-requests.ts';
import { useScene } from '../support/scene.ts';
import { KEYS } from '../support/seed.ts';
import { buildTestApp, type TestApp } from '../support/test-app.ts';
import { until } from '../support/until.ts';

const LOG = `query ($where: RequestLogWhereInput) {
  requestLog(first: 100, where: $where) { totalCount nodes { requestId isMutation isReveal outcome subjects actor operation } }
}`;
interface Log {
  readonly requestLog: { readonly totalCount: number; readonly nodes: readonly object[] };
}

const scene = useScene();
let target: TestApp;
let exchange: Exchange;
beforeAll(async () => {
  const { env } = await scene.deploy();
  target = await buildTestApp(env);
  scene.atEnd(target.close);
  exchange = injectInto(target.app);
});

async function list(where: object = {}, key: string = KEYS.acme) {
  const { data, errors } = await queryGraph<Log>(exchange, LOG, { where }, key);
  expect(errors).toBeUndefined();
  return data?.requestLog as Log['requestLog'];
}

const SEEN = `query ($user: ID!) {
  user(id: $user) { contacts { nodes { id nodeId } } paymentMethods { nodes { id nodeId } } }
}`;
interface Nodes {
  readonly nodes: readonly { readonly id: string; readonly nodeId: string }[];
}
interface Seen {
  readonly user: { readonly contacts: Nodes; readonly paymentMethods: Nodes };
}

describe('Contact data of a user that somebody reads in the console', () => {
  const phoneNumber = newPhone();
  let cookie: string;
  let userId: string;
  let linkId: string;
  let linkUserId: string;
  let contactId: string;
  let contactNodeId: string;
  let methodId: string;
  let methodNodeId: string;
  let deliveryId: string;
  beforeAll(async () => {
    const { code } = await makeLink(exchange, KEYS.acme, { label: 'Ana', access: 'SUPPORT' });
    cookie = cookieOf(await exchangeCode(exchange, code, LOCAL_PAGE));
    const tenantCall = callerOf({ accountId: 'acme/sandbox', key: KEYS.acme }, exchange);
    const person = { phoneNumber, email: `${newWord()}@mail.test`, dob: '1990-02-28', ...personOf(newWord) };
    ({ userId } = JSON.parse(await tenantCall('POST', '/v1/user/register-v2', person)));
    const link = { flow: 'transfer', referenceId: newWord(), userData: { dob: '1991-03-29' } };
    ({ linkId, userId: linkUserId } = JSON.parse(await tenantCall('POST', '/partner/links', link)).data);
    const payer = { phoneNumber: newPhone(), firstName: 'Luis', lastName: 'Soto', countryCode: 'MX' };
    await tenantCall('POST', `/v1/user/contacts/${userId}`, payer);
    const account = { number: '032180000118359719', currency: 'MXN', country: 'MX' };
    await tenantCall('POST', `/v1/user/payment-methods/ubn/${userId}`, account);
    const sent = await queryGraph<Seen>(exchange, SEEN, { user: userId });
    contactId = String(sent.data?.user.contacts.nodes[0]?.id);
    contactNodeId = String(sent.data?.user.contacts.nodes[0]?.nodeId);
    methodId = String(sent.data?.user.paymentMethods.nodes[0]?.id);
    methodNodeId = String(sent.data?.user.paymentMethods.nodes[0]?.nodeId);
    const webhook = await queryGraph<{ sendTestWebhook: { webhookDelivery: { id: string } } }>(
      exchange,
      'mutation { sendTestWebhook { webhookDelivery { id } } }',
    );
    deliveryId = String(webhook.data?.sendTestWebhook.webhookDelivery.id);
  });

  /** Runs a query about the user, by default as the console's page does. */
  let calls = 0;
  const read = async (query: string, credentials: object = { ...LOCAL_PAGE, cookie }) => {
    const variables = {
      ...{ user: userId, link: linkId, text: phoneNumber, delivery: deliveryId },
      ...{ contact: contactNodeId, method: methodNodeId },
    };
    calls += 1;
    const requestId = `reveal-${calls}`;
    const { text } = await exchange({
      method: 'POST',
      path: '/graphql',
      headers: { 'x-request-id': requestId, 'content-type': 'application/json', ...credentials },
      body: JSON.stringify({ query, variables }),
    });
    return { requestId, text };
  };

  test.each<[string, string, () => string]>([
    ['under another name', 'query ($user: ID!) { user(id: $user) { a: phoneNumber } }', () => userId],
    [
      'in a list, by a fragment',
      'query ($text: String!) { users(where: { phoneNumber: $text }) { nodes { ...C } } } fragment C on User { email }',
      () => userId,
    ],
    [
      'in a search',
      'query ($text: String!) { search(text: $text) { node { ... on User { dob } } } }',
      () => userId,
    ],
    ['from a link', 'query ($link: ID!) { link(id: $link) { user { email } } }', () => linkUserId],
    ['in a link', 'query ($link: ID!) { link(id: $link) { userData { dob } } }', () => linkUserId],
    [
      'payment data in a link',
      'query ($link: ID!) { link(id: $link) { userData { paymentMethod } } }',
      () => linkUserId,
    ],
    ['as the result of a check', 'query ($user: ID!) { user(id: $user) { cipResult } }', () => userId],
    [
      'found by the phone number alone, in a search',
      'query ($text: String!) { search(text: $text) { matchedBy } }',
      () => userId,
    ],
    [
      'found by the phone number alone, in a list',
      'query ($text: String!) { users(where: { phoneNumber: $text }) { totalCount } }',
      () => userId,
    ],
    [
      'of a contact',
      'query ($user: ID!) { user(id: $user) { contacts { nodes { phoneNumber } } } }',
      () => contactId,
    ],
    [
      'by the id of a contact',
      'query ($contact: ID!) { node(id: $contact) { ... on Contact { email } } }',
      () => contactId,
    ],
    [
      'of an account',
      'query ($user: ID!) { user(id: $user) { paymentMethods { nodes { number } } } }',
      () => methodId,
    ],
    [
      'by the id of an account',
      'query ($method: ID!) { node(id: $method) { ... on PaymentMethod { number } } }',
      () => methodId,
    ],
    [
      'in the body of a webhook',
      'query ($delivery: ID!) { webhookDelivery(id: $delivery) { body } }',
      () => deliveryId,
    ],
  ])('is in the log with the user: %s', async (_way, query, whose) => {
    const { requestId, text } = await read(query);
    expect(JSON.parse(text).errors).toBeUndefined();
    // It is there before the answer.
    expect((await list({ requestId })).nodes).toEqual([
      {
        ...{ requestId, isReveal: true, isMutation: false, outcome: 'SUCCESS', subjects: [whose()] },
        ...{ actor: 'Ana', operation: null },
      },
    ]);
  });

  test('is refused in a session of a viewer, and not in the log', async () => {
    const { code } = await makeLink(exchange, KEYS.acme, { label: 'Victor', access: 'READ' });
    const viewer = { ...LOCAL_PAGE, cookie: cookieOf(await exchangeCode(exchange, code, LOCAL_PAGE)) };
    const before = (await list({ isReveal: true })).totalCount;
    const { text } = await read(
      'query ($user: ID!) { user(id: $user) { id phoneNumber email dob } }',
      viewer,
    );
    const { data, errors } = JSON.parse(text);
    expect(data).toEqual({ user: { id: userId, phoneNumber: null, email: null, dob: null } });
    const forbidden = { extensions: { code: 'FORBIDDEN' } };
    expect(errors).toMatchObject([forbidden, forbidden, forbidden]);
    expect((await list({ isReveal: true })).totalCount).toBe(before);
  });

  test('is not, where the page leaves it out or an API key reads it', async () => {
    const before = (await list({ isReveal: true })).totalCount;
    await read('query ($user: ID!) { user(id: $user) { firstName } }');
    await read('query ($user: ID!) { user(id: $user) { phoneNumber email dob } }', {
      'x-api-key': KEYS.acme,
    });
    await read('query ($user: ID!) { user(id: $user) { phoneNumber email dob } }');
    expect((await list({ isReveal: true })).totalCount).toBe(before + 1);
    expect((await list({ isReveal: true }, KEYS.soylent)).nodes).toEqual([]);
  });
});

test('Changes in the console are in the log with the person, the operation and the record', async () => {
  const { code } = await makeLink(exchange, KEYS.acme, { label: 'Ana', access: 'ADMIN' });
  const cookie = cookieOf(await exchangeCode(exchange, code, LOCAL_PAGE));
  const requestId = newWord();
  const query = `mutation Rotate($input: RotateWebhookSecretInput!) {
    rotateWebhookSecret(input: $input) { userErrors { code } }
  }`;
  const answer = await exchange({
    method: 'POST',
    path: '/graphql',
    headers: { ...LOCAL_PAGE, cookie, 'content-type': 'application/json', 'x-request-id': requestId },
    body: JSON.stringify({ query, variables: { input: { endpointId: 'first' } } }),
  });
  expect(JSON.parse(answer.text).errors).toBeUndefined();
  await until('the entry', async () => (await list({ requestId })).nodes.length > 0);
  expect((await list({ requestId })).nodes).toEqual([
    {
      ...{ requestId, isReveal: false, isMutation: true, outcome: 'SUCCESS', subjects: ['first'] },
      ...{ actor: 'Ana', operation: 'Rotate' },
    },
  ]);
});
