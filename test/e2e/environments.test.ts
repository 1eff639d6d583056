import { beforeAll, describe, expect, test } from '@jest/globals';
import { ENVIRONMENTS } from '../../subgraphs/kernel/account.ts';
import type { Deployment } from '../support/deployment.ts';
import { type Exchange, exchangeWith } from '../support/http.ts';
import {
  cancelMoneyRequest,
  createMoneyRequest,
  lookUp,
  moneyRequestBody,
  newReference,
  queryGraph,
  updateStatus,
} from '../support/money-requests.ts';
import { startProviders } from '../support/providers.ts';
import { hasGoodSignature } from '../support/receiver.ts';
import { useScene } from '../support/scene.ts';
import { addToSeed, INTERNAL_KEY } from '../support/seed.ts';
import { latestEventCursor } from '../support/statuses.ts';
import { until } from '../support/until.ts';

/** Decisions, section 8, "Two environments": a partner's sandbox and live environments share nothing. */
const scene = useScene();
const SANDBOX = 'raas_sandbox_duo_full_0001';
const LIVE = 'raas_live_duo_full_0001';
const KEYS = [SANDBOX, LIVE] as const;
const SECRETS = { '/sandbox': 'whsec_duo_sandbox', '/live': 'whsec_duo_live_01' } as const;
let deployment: Deployment;
let exchange: Exchange;

beforeAll(async () => {
  const providers = await startProviders({ deduplicates: false });
  scene.atEnd(providers.close);
  deployment = await scene.deploy({ env: { ...providers.env, WEBHOOK_SWEEP_SECONDS: '1' } });
  const { url } = deployment.receiver;
  addToSeed(String(deployment.env.SEED_FILE), [
    {
      ...{ tenantId: 'duo', name: 'Duo', country: 'MX', defaultCurrency: 'MXN', countries: ['MX'] },
      ...{ dialCodes: ['+52', '+1'], features: ['request-money'], sourceCountry: 'US' },
      flows: ['cip', 'transfer', 'request_money'],
      ...{ landingBaseUrl: 'https://duo.test/r', widgetBaseUrl: 'https://duo.test' },
      environments: {
        sandbox: { webhookUrl: `${url}/sandbox`, webhookSecret: SECRETS['/sandbox'] },
        live: { webhookUrl: `${url}/live`, webhookSecret: SECRETS['/live'] },
      },
      apiKeys: KEYS.map((key) => ({ key, scopes: ['partner', 'partner_full', 'partner_admin'] })),
    },
  ]);
  exchange = exchangeWith((await deployment.start()).url);
});

const post = (path: string, key: string, body: unknown) =>
  exchange({
    method: 'POST',
    path,
    headers: { 'Content-Type': 'application/json', 'X-API-Key': key },
    body: JSON.stringify(body),
  });
const create = (referenceId: string, key: string, amount: number) =>
  createMoneyRequest(exchange, moneyRequestBody(referenceId, { amount }), {
    key,
    idempotencyKey: `of-${referenceId}`,
  });
/** The same reference in both environments, by another amount each. */
async function createBoth(): Promise<string> {
  const referenceId = newReference();
  expect((await create(referenceId, SANDBOX, 100)).status).toBe(201);
  expect((await create(referenceId, LIVE, 200)).status).toBe(201);
  return referenceId;
}
const statusOf = async (referenceId: string, key: string) =>
  JSON.parse((await lookUp(exchange, referenceId, key)).text).status as string;

describe('The same ids', () => {
  test('are other records in the other environment: neither is a repetition, and each key sees its own', async () => {
    const referenceId = await createBoth();
    const query = `query ($id: String!) { requestMoney(referenceId: $id) { amount { amount } }
      requestMonies(first: 50) { nodes { referenceId } }
      search(text: "${referenceId}") { matchedBy } }`;
    const answers = await Promise.all(
      KEYS.map((key) => queryGraph<Record<string, never>>(exchange, query, { id: referenceId }, key)),
    );
    expect(answers.map(({ data, errors }) => errors ?? data?.requestMoney)).toEqual([
      { amount: { amount: '100' } },
      { amount: { amount: '200' } },
    ]);
    for (const { data } of answers) {
      expect(JSON.stringify(data).split(`"referenceId":"${referenceId}"`)).toHaveLength(2);
      expect(data?.search).toHaveLength(1);
    }
  });

  test('have their webhooks at the URL and under the secret of their environment', async () => {
    const referenceId = await createBoth();
    const received = () => deployment.receiver.webhooks.filter(({ text }) => text.includes(referenceId));
    await until('both webhooks', () => received().length >= 4);
    for (const webhook of received()) {
      const path = webhook.path as keyof typeof SECRETS;
      const { data } = JSON.parse(webhook.text);
      expect(hasGoodSignature(webhook, SECRETS[path])).toBe(true);
      expect(data.partnerId).toBe('duo');
      expect(data.amount ?? data.status).not.toBe(path === '/live' ? 100 : 200);
    }
    expect(new Set(received().map(({ path }) => path))).toEqual(new Set(['/sandbox', '/live']));
  });

  test('register users of their own, whose ids are unknown to the other environment', async () => {
    const person = {
      ...{ phoneNumber: '+525512345678', email: 'both@duo.test', firstName: 'Ana', lastName: 'Ruiz' },
      ...{ address1: 'Reforma 1', countryCode: 'MX', city: 'CDMX', state: 'CMX' },
    };
    const registered = await Promise.all(
      KEYS.map(
        async (key) => JSON.parse((await post('/v1/user/register-v2', key, person)).text).userId as string,
      ),
    );
    expect(new Set(registered).size).toBe(2);
    const [ofSandbox = '', ofLive = ''] = registered;
    const account = { number: '032180000118359719', country: 'MX', currency: 'MXN' };
    for (const [key, userId, status] of [
      [SANDBOX, ofSandbox, 200],
      [SANDBOX, ofLive, 404],
      [LIVE, ofLive, 200],
      [LIVE, ofSandbox, 404],
    ] as const) {
      expect((await post(`/v1/user/payment-methods/ubn/${userId}`, key, account)).status).toBe(status);
    }
  });
});

describe('Calls of the platform', () => {
  test('that name no environment are refused where both have the record, and move the named one', async () => {
    const referenceId = await createBoth();
    const move = { partnerId: 'duo', referenceId, status: 'processing' };
    const ambiguous = await updateStatus(exchange, move);
    expect([ambiguous.status, JSON.parse(ambiguous.text)]).toEqual([
      409,
      { error: { code: 'AMBIGUOUS_ENVIRONMENT', message: expect.any(String) } },
    ]);
    expect(await statusOf(referenceId, SANDBOX)).toBe('pending');
    expect((await updateStatus(exchange, { ...move, environment: 'live' })).status).toBe(200);
    expect(await statusOf(referenceId, LIVE)).toBe('processing');
    expect(await statusOf(referenceId, SANDBOX)).toBe('pending');
    const wrong = await updateStatus(exchange, { ...move, environment: 'production' });
    expect([wrong.status, JSON.parse(wrong.text).details[0].path]).toEqual([422, 'environment']);
  });

  test('that name an environment report their errors to it alone', async () => {
    for (const environment of ENVIRONMENTS) {
      const referenceId = await createBoth();
      const wrong = { partnerId: 'duo', referenceId, status: 'paid', environment };
      expect((await updateStatus(exchange, wrong)).status).toBe(422);
      const failures = () =>
        deployment.receiver.webhooks.filter(
          ({ text }) => text.includes(referenceId) && text.includes('operation_error'),
        );
      await until('the webhook of the error', () => failures().length > 0);
      expect(failures().map(({ path }) => path)).toEqual([`/${environment}`]);
    }
  });

  test('that name no environment find the only one that has the record', async () => {
    for (const key of KEYS) {
      const referenceId = newReference();
      expect((await create(referenceId, key, 300)).status).toBe(201);
      const move = { partnerId: 'duo', referenceId, status: 'rejected' };
      expect((await updateStatus(exchange, move)).status).toBe(200);
      expect(await statusOf(referenceId, key)).toBe('rejected');
    }
  });
});

test('A cancel and a simulation move the record of their key alone', async () => {
  const referenceId = await createBoth();
  const simulate = (key: string) =>
    post(`/v1/sandbox/request-money/${referenceId}/status`, key, { status: 'processing' });
  expect((await simulate(LIVE)).status).toBe(403);
  expect((await simulate(SANDBOX)).status).toBe(200);
  expect(await statusOf(referenceId, LIVE)).toBe('pending');
  expect((await cancelMoneyRequest(exchange, referenceId, { key: LIVE })).status).toBe(200);
  expect(await statusOf(referenceId, SANDBOX)).toBe('processing');
});

test('A subscription gets the events of its environment, and no cursor of the other one', async () => {
  const { url } = { url: (await deployment.start()).url };
  const [ours, theirs] = await Promise.all(
    KEYS.map((key) => scene.subscriber({ url, connectionParams: { 'X-API-Key': key } })),
  );
  if (!ours || !theirs) {
    throw new Error('Both connect');
  }
  const at = exchangeWith(url);
  const follow =
    'subscription ($after: String) { requestMoneyStatusChanged(after: $after) { requestMoney { referenceId amount { amount } } } }';
  const live = ours.subscribe<object>(follow, { after: await latestEventCursor(at, SANDBOX) });
  const foreign = theirs.subscribe<object>(follow, { after: await latestEventCursor(at, SANDBOX) });
  const referenceId = await createBoth();
  const own = newReference();
  await create(own, SANDBOX, 100);
  await until('its own events', () => JSON.stringify(live.events).includes(own));
  expect(JSON.stringify(live.events)).toContain(referenceId);
  expect(JSON.stringify(live.events)).not.toContain('"200"');
  await until('the refusal', () => foreign.errors.length > 0);
  expect(foreign.errors[0]?.extensions?.code).toBe('INVALID_CURSOR');
});

test('A new webhook secret of one environment leaves the other one as it is', async () => {
  const config = async (key: string) =>
    (await exchange({ method: 'GET', path: '/partner/webhooks/config', headers: { api_key: key } })).text;
  const before = await config(LIVE);
  expect(before).toContain('/live');
  const changed = await post('/partner/webhooks/config/regenerate-secret', SANDBOX, {});
  expect(changed.status).toBe(200);
  expect(await config(LIVE)).toBe(before);
});

test('A deployment of one environment knows no keys and no records of the other', async () => {
  const { text } = await post('/partner/links', SANDBOX, { flow: 'cip', referenceId: newReference() });
  const { linkId, userId } = JSON.parse(text).data;
  const { url } = await deployment.start({ ENVIRONMENTS: 'live' });
  const alone = exchangeWith(url);
  const referenceId = newReference();
  expect((await createMoneyRequest(alone, moneyRequestBody(referenceId), { key: SANDBOX })).status).toBe(401);
  expect((await createMoneyRequest(alone, moneyRequestBody(referenceId), { key: LIVE })).status).toBe(201);
  const asked = await queryGraph(alone, '{ me { id } }', {}, SANDBOX);
  expect(asked.errors?.[0]?.extensions?.code).toBe('UNAUTHENTICATED');
  expect(await statusOf(referenceId, LIVE)).toBe('pending');
  const inside = (at: Exchange) =>
    Promise.all(
      (
        [
          ['POST', `/v1/internal/links/${linkId}/open`, {}],
          ['PATCH', `/v1/internal/users/${userId}/cip`, { status: 'verified' }],
        ] as const
      ).map(async ([method, path, body]) => {
        const headers = { 'X-Internal-Key': INTERNAL_KEY, 'Content-Type': 'application/json' };
        return (await at({ method, path, headers, body: JSON.stringify(body) })).status;
      }),
    );
  expect(await inside(alone)).toEqual([404, 404]);
  expect(await inside(exchange)).toEqual([200, 200]);
});
