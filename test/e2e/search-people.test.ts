import { beforeAll, describe, expect, test } from '@jest/globals';
import { type Exchange, injectInto } from '../support/http.ts';
import { newWord } from '../support/isolation/ids.ts';
import { CASH, personOf } from '../support/isolation/tenant-data.ts';
import { newReference, queryGraph } from '../support/money-requests.ts';
import { findUnserved, recordQueries, type StoreQuery } from '../support/query-shapes.ts';
import { useScene } from '../support/scene.ts';
import { INTERNAL_KEY, KEYS } from '../support/seed.ts';
import { buildTestApp, type TestApp } from '../support/test-app.ts';
import { until } from '../support/until.ts';

const SEARCH = `query ($text: String!) {
  search(text: $text) {
    matchedBy
    node { __typename nodeId ... on Remittance { correlationId } ... on Operation { id } }
  }
}`;
const ERASE = `mutation ($input: EraseUserInput!) { eraseUser(input: $input) { user { erasedAt } userErrors { code } } }`;

interface Match {
  readonly matchedBy: readonly string[];
  readonly node: { readonly __typename: string; readonly nodeId: string };
}

const scene = useScene();
let target: TestApp;
let exchange: Exchange;
let queries: readonly StoreQuery[];
beforeAll(async () => {
  const { env } = await scene.deploy({ env: { PIPELINE_SWEEP_SECONDS: '1' } });
  target = await buildTestApp(env);
  scene.atEnd(target.close);
  exchange = injectInto(target.app);
  queries = recordQueries(target.connection);
});

async function search(text: string, { key = KEYS.acme }: { key?: string } = {}) {
  return queryGraph<{ search: readonly Match[] }>(exchange, SEARCH, { text }, key);
}

async function find(text: string, options: { key?: string } = {}): Promise<string[]> {
  const { data } = await search(text, options);
  return (data?.search ?? []).map(({ node, matchedBy }) => `${node.__typename} by ${matchedBy.join()}`);
}

const newName = () => `N${newWord()}`;
const post = (path: string, body: object) =>
  exchange({
    method: 'POST',
    path,
    headers: { 'X-API-Key': KEYS.acme, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
const personWith = (changes: object) => ({ ...personOf(newName), ...changes });
const register = (changes: object) => post('/v1/user/register-v2', personWith(changes));
const requestInFull = (
  correlationId: string,
  { requester, payer = '+12125550199' }: { requester: object; payer?: string },
) =>
  post('/v1/user/operations/request-money-full', {
    requester: personWith({ phoneNumber: '+525511223300', ...requester }),
    request: {
      recipientCurrency: 'MXN',
      recipientAmount: 30.1,
      correlationId,
      requestTo: {
        ...{ phoneNumber: payer, firstName: newName(), lastName: newName() },
        countryCode: 'US',
      },
      destinationPaymentMethod: CASH,
    },
  });

describe('A search finds', () => {
  test('an atomic call by the phone number of its payer, before the payer is a contact, in any spelling', async () => {
    const correlationId = `early-${newReference()}`;
    const payer = '+13125557788';
    const requester = { phoneNumber: '+525511223344', lastName: 'CIPFAIL' };
    expect((await requestInFull(correlationId, { requester, payer })).status).toBeLessThan(300);
    const by = ['Remittance by PAYER_PHONE_NUMBER'];
    for (const spelled of [payer, '001 312 555 7788', '(312) 555-7788', '+1\u00a0312\u2011555\u20117788']) {
      expect([spelled, await find(spelled)]).toEqual([spelled, by]);
    }
    const [found] = (await search(payer)).data?.search ?? [];
    expect(found?.node).toMatchObject({ correlationId });
    for (const key of [KEYS.soylent, KEYS.acmeLive]) {
      expect(await find(payer, { key })).toEqual([]);
    }
  });

  test('a user by whole words of a name, with or without marks', async () => {
    const person = { firstName: 'Íñigo', lastName: 'Iturbide-Çelik', phoneNumber: '+525544332211' };
    expect((await register(person)).status).toBe(200);
    for (const text of ['inigo', 'IÑIGO ITURBIDE', 'celik íñigo', 'Iturbide\u2010Celik']) {
      expect([text, await find(text)]).toEqual([text, ['User by NAME']]);
    }
    for (const text of ['inig', 'inigo perez']) {
      expect([text, await find(text)]).toEqual([text, []]);
    }
    for (const key of [KEYS.soylent, KEYS.acmeLive]) {
      expect(await find('inigo', { key })).toEqual([]);
    }
  });
});

test('A search finds nothing of a user after the erasure, and the payments stay', async () => {
  const correlationId = `erased-${newReference()}`;
  const requester = { phoneNumber: '+525533445566', firstName: 'Xiuhnel', lastName: 'Tezozómoc' };
  const payer = '+12125550171';
  const { status: accepted, text } = await requestInFull(correlationId, { requester, payer });
  expect(accepted).toBeLessThan(300);
  const id = JSON.parse(text).userId;
  const name = 'tezozomoc xiuhnel';
  await until('its operation is there', async () =>
    (await find(payer)).some((one) => /^Operation/.test(one)),
  );
  expect((await find(payer)).toSorted()).toEqual([
    'Contact by PHONE_NUMBER',
    'Operation by PAYER_PHONE_NUMBER',
  ]);
  expect(await find(name)).toEqual(['User by NAME']);
  await endOperation(correlationId);
  const { data } = await queryGraph(exchange, ERASE, { input: { id, reason: 'Request 4711' } });
  expect(data).toEqual({ eraseUser: { user: { erasedAt: expect.any(String) }, userErrors: [] } });
  for (const searched of [payer, name, 'xiuhnel', requester.phoneNumber, '5533445566']) {
    expect([searched, await find(searched)]).toEqual([searched, []]);
  }
  const payments = '{ payments { nodes { id kind status payer { firstName } } } }';
  const kept = await queryGraph(exchange, `query ($id: ID!) { user(id: $id) ${payments} }`, { id });
  const payment = { id: correlationId, kind: 'ATOMIC_CALL', status: 'FAILED', payer: { firstName: null } };
  expect(kept.data).toEqual({ user: { payments: { nodes: [payment] } } });
});

async function endOperation(id: string): Promise<void> {
  const answer = await exchange({
    method: 'PATCH',
    path: `/v1/internal/operations/${id}/status`,
    headers: { 'X-Internal-Key': INTERNAL_KEY, 'content-type': 'application/json' },
    body: JSON.stringify({ partnerId: 'acme', status: 'Rejected' }),
  });
  expect(answer.status).toBe(200);
}

test('a declared index serves every look-up of people', () => {
  expect(findUnserved(target.connection, queries)).toEqual([]);
});
