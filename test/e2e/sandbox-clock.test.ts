import { beforeAll, describe, expect, test } from '@jest/globals';
import { KEPT_AT_RESET } from '../../gateway/app/sandbox-records.ts';
import { callAtomic, newAtomicCall } from '../support/atomic-calls.ts';
import type { Deployment } from '../support/deployment.ts';
import { type Exchange, exchangeWith } from '../support/http.ts';
import { makeJobDue } from '../support/idle.ts';
import {
  createMoneyRequest,
  lookUp,
  moneyRequestBody,
  newReference,
  queryGraph,
} from '../support/money-requests.ts';
import { startProviders } from '../support/providers.ts';
import { hasGoodSignature, headerOf } from '../support/receiver.ts';
import { useScene } from '../support/scene.ts';
import { addToSeed } from '../support/seed.ts';
import { until } from '../support/until.ts';

/** The clock of a partner's sandbox, and its reset. */
const scene = useScene();
const SANDBOX = 'raas_sandbox_clock_full_01';
const LIVE = 'raas_live_clock_full_0001';
const READER = 'raas_sandbox_clock_reader1';
const SECRET = 'whsec_clock_tests_1';
const DAY_S = 86_400;
const DAY_MS = DAY_S * 1_000;
let deployment: Deployment;
let exchange: Exchange;

beforeAll(async () => {
  const providers = await startProviders({ deduplicates: false });
  scene.atEnd(providers.close);
  deployment = await scene.deploy({
    env: { ...providers.env, WEBHOOK_SWEEP_SECONDS: '1', WEBHOOK_RETRY_SECONDS: '3600,43200' },
  });
  const scopes = ['partner', 'partner_full', 'partner_admin'];
  addToSeed(String(deployment.env.SEED_FILE), [
    {
      ...{ tenantId: 'clock', name: 'Clock', country: 'MX', defaultCurrency: 'MXN', countries: ['MX'] },
      ...{ dialCodes: ['+52', '+1'], features: ['request-money'], sourceCountry: 'US' },
      flows: ['cip', 'transfer', 'request_money'],
      ...{ landingBaseUrl: 'https://clock.test/r', widgetBaseUrl: 'https://clock.test' },
      ...{ webhookUrl: deployment.receiver.url, webhookSecret: SECRET },
      apiKeys: [
        { key: SANDBOX, scopes },
        { key: LIVE, scopes },
        { key: READER, scopes: ['partner'] },
      ],
    },
  ]);
  exchange = exchangeWith((await deployment.start()).url);
});

interface SandboxState {
  readonly clockAheadSeconds: number;
  readonly now: string;
  readonly reset: { state: string; found: number; removed: number; finishedAt: string | null } | null;
}
interface Answer {
  readonly sandbox: SandboxState | null;
  readonly userErrors: readonly { code: string; message: string; path: string[] }[];
}
const SANDBOX_FIELDS = 'clockAheadSeconds now reset { state found removed startedAt finishedAt }';
async function graph<Data>(
  query: string,
  variables: Record<string, unknown> = {},
  key = SANDBOX,
): Promise<Data> {
  const { data, errors } = await queryGraph<Data>(exchange, query, variables, key);
  expect(errors).toBeUndefined();
  return data as Data;
}
const read = async (key = SANDBOX) =>
  (await graph<{ sandbox: SandboxState | null }>(`{ sandbox { ${SANDBOX_FIELDS} } }`, {}, key)).sandbox;
const advance = async (seconds: number, key = SANDBOX) =>
  (
    await graph<{ advanceSandboxClock: Answer }>(
      `mutation ($seconds: Int!) { advanceSandboxClock(input: { seconds: $seconds }) {
        sandbox { ${SANDBOX_FIELDS} } userErrors { code message path } } }`,
      { seconds },
      key,
    )
  ).advanceSandboxClock;
const reset = async (key = SANDBOX) =>
  (
    await graph<{ resetSandbox: Answer }>(
      `mutation { resetSandbox { sandbox { ${SANDBOX_FIELDS} } userErrors { code message path } } }`,
      {},
      key,
    )
  ).resetSandbox;
async function resetFully(): Promise<SandboxState> {
  await reset();
  await makeJobDue(await deployment.database(), 'sandboxes.reset');
  return find('the end of the reset', async () => {
    const state = await read();
    return state?.reset?.state === 'DONE' ? state : undefined;
  });
}
async function find<T>(what: string, look: () => Promise<T | undefined> | T | undefined): Promise<T> {
  let found: T | undefined;
  await until(what, async () => {
    found = await look();
    return found !== undefined;
  });
  return found as T;
}
const SLACK_MS = 10_000;
/** Compares with the times around the work: a slow machine may take minutes between the two. */
function expectWritten(at: unknown, { since, aheadMs = 0 }: { since: number; aheadMs?: number }): void {
  const written = Date.parse(String(at)) - aheadMs;
  expect(written).toBeGreaterThan(since - SLACK_MS);
  expect(written).toBeLessThan(Date.now() + SLACK_MS);
}
async function create(key = SANDBOX): Promise<string> {
  const referenceId = newReference();
  expect((await createMoneyRequest(exchange, moneyRequestBody(referenceId), { key })).status).toBe(201);
  return referenceId;
}
const requestOf = async (referenceId: string, key = SANDBOX) =>
  JSON.parse((await lookUp(exchange, referenceId, key)).text);
async function createLink(key = SANDBOX): Promise<string> {
  const { text } = await exchange({
    method: 'POST',
    path: '/partner/links',
    headers: { 'Content-Type': 'application/json', 'X-API-Key': key },
    body: JSON.stringify({ flow: 'cip', referenceId: newReference(), expiresInMinutes: 60 }),
  });
  return JSON.parse(text).data.linkId as string;
}
const webhooksOf = (referenceId: string) =>
  deployment.receiver.webhooks.filter(({ text }) => text.includes(referenceId));

describe('The clock of the sandbox', () => {
  test('expires requests and links, and dates what happens then; the live environment stays', async () => {
    const since = Date.now();
    const old = await create();
    const live = await create(LIVE);
    const links = [await createLink(), await createLink(LIVE)] as const;
    const { sandbox, userErrors } = await advance(31 * DAY_S);
    expect(userErrors).toEqual([]);
    expect(sandbox?.clockAheadSeconds).toBe(31 * DAY_S);
    expectWritten(sandbox?.now, { since, aheadMs: 31 * DAY_MS });
    for (const job of ['requestMoney.expire', 'links.expire']) {
      await makeJobDue(await deployment.database(), job);
    }

    const expired = await find('the expiry of the request', async () => {
      const request = await requestOf(old);
      return request.status === 'cancelled' ? request : undefined;
    });
    expect(expired.statusDetails).toBe('Expired');
    const created = await requestOf(await create());
    for (const at of [expired.updatedAt, created.createdAt]) {
      expectWritten(at, { since, aheadMs: 31 * DAY_MS });
    }
    expect(await requestOf(live, LIVE)).toMatchObject({ status: 'pending' });
    const stored = (await deployment.database()).collection<{ _id: string; visibility: string }>('links');
    const visibilityOf = async (_id: string) => (await stored.findOne({ _id }))?.visibility;
    await until('the expiry of the link', async () => (await visibilityOf(links[0])) === 'expired');
    expect(await visibilityOf(links[1])).toBe('active');
    expect(await read(LIVE)).toBeNull();
    expectWritten((await requestOf(await create(LIVE), LIVE)).createdAt, { since });
  });

  test('brings attempts of webhooks nearer, which are signed by the real time', async () => {
    await resetFully();
    deployment.receiver.answer((_webhook, nth) => (nth < 3 ? 500 : 204));
    const referenceId = await create();
    const ids = () => new Set(webhooksOf(referenceId).map((one) => headerOf(one, 'X-Webhook-Delivery-Id')));
    await until('the first webhooks', () => ids().size > 0);
    const waiting = async () => {
      const { webhookDeliveries } = await graph<{
        webhookDeliveries: { nodes: { nextAttemptAt: string; attempt: number; status: string }[] };
      }>('{ webhookDeliveries(first: 5) { nodes { nextAttemptAt attempt status } } }');
      return webhookDeliveries.nodes;
    };
    await until('attempt of all: 1', async () => (await waiting()).every(({ attempt }) => attempt === 1));
    const [before] = await waiting();
    await advance(1_800);
    const [half] = await waiting();
    expect(half?.nextAttemptAt).toBe(before?.nextAttemptAt);
    expect((await waiting()).every(({ attempt }) => attempt === 1)).toBe(true);
    await advance(1_800);
    await until('attempt of all: 2', async () => (await waiting()).every(({ attempt }) => attempt === 2));
    await advance(43_200);
    await until("status of all: 'DELIVERED'", async () =>
      (await waiting()).every(({ status }) => status === 'DELIVERED'),
    );
    expect(webhooksOf(referenceId)).toHaveLength(3 * ids().size);
    for (const webhook of webhooksOf(referenceId)) {
      expect(hasGoodSignature(webhook, SECRET)).toBe(true);
    }
  });

  test('dates what an atomic call makes, and keeps none of its steps waiting', async () => {
    await resetFully();
    const since = Date.now();
    await advance(31 * DAY_S);
    const caller = { accountId: 'clock/sandbox', key: SANDBOX } as const;
    const call = newAtomicCall({ caller, method: 'account', requester: 'Ruiz', payer: 'Diaz' });
    expect((await callAtomic(exchange, call)).status).toBe(200);
    const query = `query ($id: ID!) { remittance(correlationId: $id) {
      status createdAt updatedAt isStuck operation { createdAt user { createdAt } } } }`;
    const { remittance } = await find('the end of the call', async () => {
      const found = await graph<{
        remittance: {
          status: string;
          createdAt: string;
          updatedAt: string;
          operation: { createdAt: string; user: { createdAt: string } } | null;
        };
      }>(query, { id: call.correlationId });
      return found.remittance.status === 'SUCCEEDED' ? found : undefined;
    });
    const { createdAt, updatedAt, operation } = remittance;
    for (const at of [createdAt, updatedAt, operation?.createdAt, operation?.user.createdAt]) {
      expectWritten(at, { since, aheadMs: 31 * DAY_MS });
    }
  });

  test('goes ahead by at most 60 days, and only for an administrator of a sandbox', async () => {
    await resetFully();
    expect((await advance(0)).userErrors).toEqual([
      {
        code: 'INVALID_REQUEST',
        message: 'seconds must be 1 to 5184000: the clock can be at most 60 days ahead',
        path: ['seconds'],
      },
    ]);
    expect((await advance(5_184_001)).userErrors).toHaveLength(1);
    const both = await Promise.all([advance(2_592_000), advance(2_592_000)]);
    expect(both.map(({ userErrors }) => userErrors)).toEqual([[], []]);
    expect((await read())?.clockAheadSeconds).toBe(5_184_000);
    expect((await advance(1)).userErrors[0]?.message).toMatch(/^The clock is 60 days ahead/);
    expect((await advance(1, LIVE)).userErrors).toMatchObject([{ code: 'SANDBOX_ONLY' }]);
    expect((await reset(LIVE)).userErrors).toMatchObject([{ code: 'SANDBOX_ONLY' }]);
    const { data, errors } = await queryGraph(
      exchange,
      'mutation { resetSandbox { userErrors { code } } }',
      {},
      READER,
    );
    expect([data, errors?.[0]?.extensions?.code]).toEqual([null, 'FORBIDDEN']);
  });
});

describe('A reset of the sandbox', () => {
  test('removes every record of the account, and nothing of other accounts', async () => {
    deployment.receiver.answer(() => 204);
    await advance(60);
    await Promise.all([create(), create(), create(LIVE), createLink(), createLink(LIVE)]);
    const database = await deployment.database();
    const countOf = async (account: string) => {
      const counts: Record<string, number> = {};
      for (const { name } of await database.listCollections()) {
        const count = await database.collection(name).countDocuments({
          $or: [{ accountId: account }, { _id: { $gte: `${account}|`, $lt: `${account}}` } as never }],
        });
        if (count > 0 && !(name in KEPT_AT_RESET)) {
          counts[name] = count;
        }
      }
      return counts;
    };
    await until('every live webhook', async () => {
      const query = '{ webhookDeliveries(where: { status: [PENDING] }) { totalCount } }';
      const { webhookDeliveries } = await graph<{ webhookDeliveries: { totalCount: number } }>(
        query,
        {},
        LIVE,
      );
      return webhookDeliveries.totalCount === 0;
    });
    const live = await countOf('clock/live');
    expect(Object.keys(await countOf('clock/sandbox'))).toEqual(
      expect.arrayContaining(['events', 'links', 'moneyRequests', 'users', 'webhookDeliveries']),
    );
    const [first, second] = await Promise.all([reset(), reset()]);
    expect(first.sandbox?.reset?.state).toBe('RUNNING');
    expect(second.userErrors).toEqual([]);
    expect((await advance(5)).userErrors).toMatchObject([{ code: 'SANDBOX_RESET_RUNNING' }]);
    const done = await resetFully();
    expect(done).toMatchObject({ clockAheadSeconds: 0, reset: { state: 'DONE' } });
    expect(done.reset?.removed).toBeGreaterThanOrEqual(done.reset?.found ?? Infinity);
    // The calls of this test are logged after the reset.
    const { requestLog: _own, ...left } = await countOf('clock/sandbox');
    expect(left).toEqual({});
    const { requestLog: _log, ...kept } = await countOf('clock/live');
    const { requestLog: _before, ...expected } = live;
    expect(kept).toMatchObject(expected);
  });

  test('leaves ids free: the same reference is a new request with its own events and webhooks', async () => {
    await resetFully();
    const referenceId = await create();
    await find('its webhook', () => webhooksOf(referenceId)[0]);
    await resetFully();
    const since = Date.now();
    expect((await lookUp(exchange, referenceId, SANDBOX)).status).toBe(404);
    const { status } = await createMoneyRequest(exchange, moneyRequestBody(referenceId, { amount: 7 }), {
      key: SANDBOX,
    });
    expect(status).toBe(201);
    const sent = webhooksOf(referenceId).length;
    await until('its webhooks', () => webhooksOf(referenceId).length > sent);
    expectWritten((await requestOf(referenceId)).createdAt, { since });
  });
});
