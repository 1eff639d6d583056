import { beforeAll, describe, expect, test } from '@jest/globals';
import { accountOf, ENVIRONMENTS, environmentOf, tenantOf } from '../../subgraphs/kernel/account.ts';
import { createRandom } from '../conformance/fuzz/random.ts';
import { IS_FULL } from '../support/depth.ts';
import { injectInto } from '../support/http.ts';
import { queryGraph } from '../support/money-requests.ts';
import { startProviders } from '../support/providers.ts';
import { newModel, type World } from '../support/random-calls/model.ts';
import { runRandomly } from '../support/random-calls/run.ts';
import { hasGoodSignature, type Receiver } from '../support/receiver.ts';
import { useScene } from '../support/scene.ts';
import { addToSeed } from '../support/seed.ts';
import { latestEventCursor } from '../support/statuses.ts';
import type { Subscription } from '../support/subscriber.ts';
import { buildTestApp } from '../support/test-app.ts';
import { until } from '../support/until.ts';

/** Decisions, section 8, "Two environments": accounts share nothing, whatever is called in whatever order. */
const COUNT = IS_FULL ? 2_500 : 250;
const SEED = process.env.RANDOM_CALLS_SEED ?? (IS_FULL ? String(Date.now()) : '1');
/** A run of 2,500 takes minutes on a busy machine. */
const TIME_LIMIT_MS = 300_000 + COUNT * 600;

const TENANTS = ['left', 'right'] as const;
const MODELS = TENANTS.flatMap((tenantId) => ENVIRONMENTS.map((one) => accountOf(tenantId, one))).map(
  (accountId, index) =>
    newModel(accountId, index, `raas_${environmentOf(accountId)}_${tenantOf(accountId)}_full_0001`),
);
const hookOf = (accountId: string) => `/${accountId}`;
const secretOf = (accountId: string) => `whsec_${accountId.replace('/', '_')}_0001`;
const FOLLOW = `subscription ($after: String!) { requestMoneyStatusChanged(after: $after) {
  status requestMoney { referenceId amount { amount } } } }`;

interface Changed {
  readonly requestMoneyStatusChanged: {
    readonly status: string;
    readonly requestMoney: { readonly referenceId: string; readonly amount: { readonly amount: string } };
  };
}

const scene = useScene();
let receiver: Receiver;
let world: World;
const subscriptions = new Map<string, Subscription<Changed>>();
beforeAll(async () => {
  const providers = await startProviders({ deduplicates: false });
  scene.atEnd(providers.close);
  // The receiver is in this process, which may be slow to answer: that must not repeat a webhook.
  const env = { ...providers.envOf('live'), WEBHOOK_TIMEOUT_SECONDS: '60' };
  const deployment = await scene.deploy({ env });
  receiver = deployment.receiver;
  addToSeed(String(deployment.env.SEED_FILE), TENANTS.map(seedOf));
  const { app, close } = await buildTestApp(deployment.env);
  scene.atEnd(close);
  const url = await app.listen({ host: '127.0.0.1', port: 0 });
  const people = Array.from({ length: 20 }, (_, nth) => `person-${nth}`);
  const pool = { references: [], phones: [], people };
  world = { exchange: injectInto(app), random: createRandom(SEED), models: MODELS, pool };
  for (const { accountId, key } of MODELS) {
    const subscriber = await scene.subscriber({ url, connectionParams: { 'X-API-Key': key } });
    const after = await latestEventCursor(world.exchange, key);
    subscriptions.set(accountId, subscriber.subscribe<Changed>(FOLLOW, { after }));
  }
});

function seedOf(tenantId: string): object {
  const settings = ENVIRONMENTS.map((environment) => {
    const accountId = accountOf(tenantId, environment);
    const webhookUrl = `${receiver.url}${hookOf(accountId)}`;
    return [environment, { webhookUrl, webhookSecret: secretOf(accountId) }] as const;
  });
  return {
    ...{ tenantId, name: tenantId, country: 'MX', defaultCurrency: 'MXN', countries: ['MX'] },
    ...{ dialCodes: ['+52', '+1'], features: ['request-money'], sourceCountry: 'US' },
    flows: ['cip', 'transfer', 'request_money'],
    ...{ landingBaseUrl: 'https://pay.test/r', widgetBaseUrl: 'https://pay.test' },
    ...{ attributionBaseUrl: 'https://pay.test/t' },
    webhookEvents: ['operation_created', 'operation_updated', 'operation_error'],
    environments: Object.fromEntries(settings),
    apiKeys: MODELS.filter(({ accountId }) => tenantOf(accountId) === tenantId).map(({ key }) => ({
      key,
      scopes: ['partner', 'partner_full', 'partner_admin'],
    })),
  };
}

describe(`${COUNT} random calls of two partners in both environments`, () => {
  test(
    `answer each account from its own records (RANDOM_CALLS_SEED=${SEED})`,
    async () => {
      const done = await runRandomly(world, { count: COUNT, seed: SEED });
      expect(Object.values(done).reduce((sum, count) => sum + count, 0)).toBe(COUNT);
      expect(Math.min(...Object.values(done))).toBeGreaterThan(0);
    },
    TIME_LIMIT_MS,
  );

  test.each(MODELS.map((model) => [model.accountId, model] as const))(
    'send %s exactly its own webhooks, under its own secret',
    async (accountId, { webhooks }) => {
      const received = () => receiver.webhooks.filter(({ path }) => path === hookOf(accountId));
      await until('all webhooks of all accounts', areSent);
      const wrong = received().filter((webhook) => !hasGoodSignature(webhook, secretOf(accountId)));
      expect(wrong.map(({ text }) => text)).toEqual([]);
      expect(
        received()
          .map(({ text }) => described(text))
          .toSorted(),
      ).toEqual(webhooks.toSorted());
    },
    TIME_LIMIT_MS,
  );

  test.each(MODELS.map((model) => [model.accountId, model] as const))(
    'stream to %s exactly its own changes, in their order',
    async (accountId, { changes }) => {
      const { events = [], errors = [] } = subscriptions.get(accountId) ?? {};
      await until('all of its changes', () => events.length >= changes.length);
      const found = events.map(({ requestMoneyStatusChanged: { status, requestMoney } }) =>
        [requestMoney.referenceId, requestMoney.amount.amount, status.toLowerCase()].join(' '),
      );
      expect([errors, found]).toEqual([[], changes]);
    },
  );

  test('leave the numbers of records in each account that its calls have made', async () => {
    const query = `{ requestMonies { totalCount } users { totalCount } links { totalCount } }`;
    for (const { key, money, users, named, links } of MODELS) {
      const { data } = await queryGraph(world.exchange, query, {}, key);
      expect(data).toEqual({
        requestMonies: { totalCount: money.size },
        users: { totalCount: users.size + named.size },
        links: { totalCount: links.size },
      });
    }
  });
});

/** Whether no account has a webhook that waits. */
async function areSent(): Promise<boolean> {
  const query = '{ webhookDeliveries(where: { status: PENDING }) { totalCount } }';
  type Waiting = { readonly webhookDeliveries: { readonly totalCount: number } };
  const waiting = await Promise.all(
    MODELS.map(({ key }) => queryGraph<Waiting>(world.exchange, query, {}, key)),
  );
  return waiting.every(({ data }) => data?.webhookDeliveries.totalCount === 0);
}

/** A webhook as the models have it. */
function described(text: string): string {
  interface Data {
    readonly referenceId: string;
    readonly amount?: number;
    readonly status?: string;
    readonly code?: string;
  }
  const { event, data } = JSON.parse(text) as { readonly event: string; readonly data: Data };
  const rest = event === 'operation_error' ? [data.code] : [data.amount, data.status];
  return [event, data.referenceId, ...rest].join(' ');
}
