import { beforeAll, describe, expect, test } from '@jest/globals';
import type { Deployment } from '../support/deployment.ts';
import { type Exchange, exchangeWith } from '../support/http.ts';
import { createMoneyRequest, moneyRequestBody, newReference, queryGraph } from '../support/money-requests.ts';
import { hasGoodSignature, headerOf, type ReceivedWebhook, signatureOf } from '../support/receiver.ts';
import { useScene } from '../support/scene.ts';
import { KEYS, SECRETS } from '../support/seed.ts';
import type { Server } from '../support/server.ts';
import { until } from '../support/until.ts';

const CONFIG =
  '{ webhookConfig { webhookUrl webhookSecretPreview hasWebhookSecret webhookEvents webhookEventVersion webhookOrdering } }';
const REGENERATE = 'mutation { regenerateWebhookSecret { webhookSecret message userErrors { code } } }';
const UPDATE = `mutation ($input: UpdateWebhookConfigInput!) { updateWebhookConfig(input: $input) {
  webhookConfig { webhookSecretPreview webhookOrdering } webhookSecret userErrors { code path }
} }`;
const QUOTE = `mutation ($input: PreQuoteLiteInput!) { preQuoteLite(input: $input) {
  quote { send receive rate fee currency { source destination } } retryAfter userErrors { code path }
} }`;
const ENDPOINTS =
  '{ me { webhookEndpoints { id url events eventVersion secretPreview formerSecretsUntil } } }';
const ADD_ENDPOINT = `mutation ($input: CreateWebhookEndpointInput!) { changed: createWebhookEndpoint(input: $input) {
  webhookEndpoint { id } webhookSecret userErrors { code path }
} }`;
const CHANGE_ENDPOINT = `mutation ($input: UpdateWebhookEndpointInput!) { changed: updateWebhookEndpoint(input: $input) {
  webhookEndpoint { id events } webhookSecret userErrors { code path }
} }`;
const DELETE_ENDPOINT = `mutation ($input: DeleteWebhookEndpointInput!) { changed: deleteWebhookEndpoint(input: $input) {
  webhookEndpoint { id } webhookSecret userErrors { code path }
} }`;
const HOLD = (how: 'pause' | 'resume') => `mutation { changed: ${how}WebhookEndpoint(input: { id: "first" }) {
  webhookEndpoint { id health { pausedAt breaker successRate pending } } webhookSecret userErrors { code path }
} }`;
const ROTATE = `mutation ($input: RotateWebhookSecretInput) { rotateWebhookSecret(input: $input) {
  webhookSecret formerUntil userErrors { code path }
} }`;
const TRANSFER = {
  sourceCountry: 'US',
  destinationCountry: 'MX',
  destinationCurrency: 'MXN',
  payoutMethod: 'CASH',
  amount: '100.10',
};

interface Config {
  readonly webhookConfig: { readonly webhookSecretPreview: string };
}
interface Regenerated {
  readonly regenerateWebhookSecret: { readonly webhookSecret: string; readonly message: string };
}
interface Updated {
  readonly updateWebhookConfig: {
    readonly webhookConfig: { readonly webhookSecretPreview: string } | null;
    readonly webhookSecret: string | null;
    readonly userErrors: readonly object[];
  };
}
interface Endpoints {
  readonly me: { readonly webhookEndpoints: readonly object[] };
}
interface Changed {
  readonly changed: {
    readonly webhookEndpoint: { readonly id: string } | null;
    readonly webhookSecret: string | null;
    readonly userErrors: readonly object[];
  };
}
interface Rotated {
  readonly rotateWebhookSecret: { readonly webhookSecret: string; readonly formerUntil: string | null };
}
interface Quoted {
  readonly preQuoteLite: {
    readonly quote: unknown;
    readonly retryAfter: number | null;
    readonly userErrors: readonly { code: string }[];
  };
}

describe("The partner's account", () => {
  const scene = useScene();
  let deployment: Deployment;
  let server: Server;
  let exchange: Exchange;
  beforeAll(async () => {
    deployment = await scene.deploy({
      env: { WEBHOOK_SWEEP_SECONDS: '1', WEBHOOK_RETRY_SECONDS: '0', WEBHOOK_MAX_ATTEMPTS: '20' },
    });
    server = await deployment.start();
    exchange = exchangeWith(server.url);
  });

  const attemptsOf = (referenceId: string): ReceivedWebhook[] =>
    deployment.receiver.webhooks.filter(({ text }) => text.includes(`"referenceId":"${referenceId}"`));
  const secretOf = (webhook: ReceivedWebhook | undefined, ...secrets: string[]) =>
    secrets.find((secret) => webhook && hasGoodSignature(webhook, secret));
  const previewOf = async (from: Exchange) =>
    (await queryGraph<Config>(from, CONFIG)).data?.webhookConfig.webhookSecretPreview;
  const invalid = (name: string) => ({ code: 'INVALID_REQUEST', path: [name] });
  const shortOf = (secret: string) => `${secret.slice(0, 6)}…${secret.slice(-2)}`;

  test('a partner sees itself and its webhook configuration', async () => {
    const me = '{ me { id name environment scopes features flows webhookEventVersions } }';
    const sandbox = await queryGraph<{ me: object }>(exchange, me);
    expect(sandbox.data?.me).toEqual({
      id: 'acme',
      name: 'Acme Pay',
      environment: 'SANDBOX',
      scopes: ['partner', 'partner_full', 'partner_admin'],
      features: ['request-money'],
      flows: ['cip', 'transfer', 'request_money'],
      webhookEventVersions: [1],
    });
    const live = await queryGraph<{ me: object }>(exchange, me, {}, KEYS.acmeLive);
    expect(live.data?.me).toMatchObject({ environment: 'LIVE', scopes: ['partner', 'partner_full'] });
    expect((await queryGraph(exchange, CONFIG)).data).toEqual({
      webhookConfig: {
        webhookUrl: `${deployment.receiver.url}/hook`,
        webhookSecretPreview: 'whsec_…01',
        hasWebhookSecret: true,
        webhookEvents: ['operation_created', 'operation_updated', 'operation_error'],
        webhookEventVersion: 1,
        webhookOrdering: 'NONE',
      },
    });
  });

  test('a regenerated secret signs new webhooks; stored ones keep the old secret, after a restart too', async () => {
    const [early, late, afterwards] = [newReference(), newReference(), newReference()];
    let fails = true;
    deployment.receiver.answer(() => (fails ? 500 : 204));
    await createMoneyRequest(exchange, moneyRequestBody(early));
    await until('a failed attempt', () => attemptsOf(early).length > 0);

    const answer = await queryGraph<Regenerated>(exchange, REGENERATE);
    const { webhookSecret, message } = answer.data!.regenerateWebhookSecret;
    expect(webhookSecret).toMatch(/^whsec_[\w-]{32}$/);
    expect(message).toContain('shown only in this answer');
    expect(await previewOf(exchange)).toBe(shortOf(webhookSecret));

    const before = attemptsOf(early).length;
    fails = false;
    await until('another attempt', () => attemptsOf(early).length > before);
    const old = SECRETS.acme!;
    expect(attemptsOf(early).map((one) => secretOf(one, old, webhookSecret))).toEqual(
      attemptsOf(early).map(() => old),
    );
    // In the process that changed it at once, within 2 s in others: by then this is signed with the new one.
    await until('a webhook under the new secret', async () => {
      const referenceId = newReference();
      await createMoneyRequest(exchange, moneyRequestBody(referenceId));
      await until('it arrives', () => attemptsOf(referenceId).length > 0);
      return secretOf(attemptsOf(referenceId)[0], old, webhookSecret) === webhookSecret;
    });
    await createMoneyRequest(exchange, moneyRequestBody(late));
    await until('the late one', () => attemptsOf(late).length > 0);
    expect(secretOf(attemptsOf(late)[0], old, webhookSecret)).toBe(webhookSecret);

    await server.kill('SIGTERM');
    server = await deployment.start();
    exchange = exchangeWith(server.url);
    expect(await previewOf(exchange)).toBe(shortOf(webhookSecret));
    await createMoneyRequest(exchange, moneyRequestBody(afterwards));
    await until('one after the restart', () => attemptsOf(afterwards).length > 0);
    expect(secretOf(attemptsOf(afterwards)[0], old, webhookSecret)).toBe(webhookSecret);
  });

  test('a partner gives its secret, or has one made that is shown once', async () => {
    const update = async (input: object, key?: string) =>
      queryGraph<Updated>(exchange, UPDATE, { input }, key).then(
        (answer) => answer.data?.updateWebhookConfig,
      );
    const signedWith = (secret: string) =>
      until('a webhook under the new secret', async () => {
        const referenceId = newReference();
        await createMoneyRequest(exchange, moneyRequestBody(referenceId));
        await until('it arrives', () => attemptsOf(referenceId).length > 0);
        return secretOf(attemptsOf(referenceId)[0], secret) === secret;
      });
    const own = 'our own secret, 2026';
    expect(await update({ webhookSecret: own, webhookOrdering: 'PER_ENTITY' })).toEqual({
      webhookConfig: { webhookSecretPreview: shortOf(own), webhookOrdering: 'PER_ENTITY' },
      webhookSecret: null,
      userErrors: [],
    });
    await signedWith(own);
    expect(await update({ webhookSecret: '1234567', webhookUrl: null, webhookEventVersion: 2 })).toEqual({
      webhookConfig: null,
      webhookSecret: null,
      userErrors: ['webhookSecret', 'webhookEventVersion'].map(invalid),
    });
    expect(await update({})).toMatchObject({ webhookSecret: null, userErrors: [] });
    expect(await update({ webhookSecret: null }, KEYS.acmeLive)).toBeUndefined();
    expect(await previewOf(exchange)).toBe(shortOf(own));
    const made = (await update({ webhookSecret: null }))?.webhookSecret ?? '';
    expect(made).toMatch(/^whsec_[\w-]{32}$/);
    expect(await previewOf(exchange)).toBe(shortOf(made));
    await signedWith(made);
  });

  test('a further endpoint gets the events of its filter, signed by its own secret, until it is taken away', async () => {
    const { receiver } = deployment;
    const change = async (query: string, input: object) =>
      (await queryGraph<Changed>(exchange, query, { input })).data?.changed;
    const url = `${receiver.url}/second`;
    const events = ['request_money.created'];
    const added = await change(ADD_ENDPOINT, { url, events, eventVersion: 1 });
    const id = added?.webhookEndpoint?.id;
    const secret = added?.webhookSecret ?? '';
    expect(secret).toMatch(/^whsec_[\w-]{32}$/);
    expect(await change(ADD_ENDPOINT, { url })).toEqual({
      webhookEndpoint: null,
      webhookSecret: null,
      userErrors: [{ code: 'WEBHOOK_ENDPOINT_EXISTS', path: null }],
    });
    const unsupported = await change(CHANGE_ENDPOINT, { id, eventVersion: 2 });
    expect(unsupported?.userErrors).toEqual([invalid('eventVersion')]);
    const shown = await queryGraph<Endpoints>(exchange, ENDPOINTS);
    expect(shown.data?.me.webhookEndpoints).toMatchObject([
      { id: 'first', url: `${receiver.url}/hook`, events: expect.any(Array), eventVersion: 1 },
      { id, url, events, eventVersion: 1, secretPreview: shortOf(secret), formerSecretsUntil: [] },
    ]);

    const other = '00000000-0000';
    expect(await change(CHANGE_ENDPOINT, { id: other, events: null })).toMatchObject({
      userErrors: [{ code: 'WEBHOOK_ENDPOINT_NOT_FOUND' }],
    });
    const eventsAtSecond = (referenceId: string) =>
      attemptsOf(referenceId)
        .filter(({ path }) => path === '/second')
        .map((webhook) => [headerOf(webhook, 'X-Webhook-Event'), hasGoodSignature(webhook, secret)]);
    // In other processes within 2 s.
    await until('the second endpoint receives a money request', async () => {
      const referenceId = newReference();
      await createMoneyRequest(exchange, moneyRequestBody(referenceId));
      await until('the first one does', () => attemptsOf(referenceId).some(({ path }) => path === '/hook'));
      return eventsAtSecond(referenceId).some(([event, good]) => event === 'request_money.created' && good);
    });
    expect(receiver.webhooks.filter(({ path }) => path === '/second').length).toBeGreaterThan(0);
    expect(await change(DELETE_ENDPOINT, { id })).toMatchObject({ webhookEndpoint: { id }, userErrors: [] });
    expect(await change(DELETE_ENDPOINT, { id })).toMatchObject({
      webhookEndpoint: null,
      userErrors: [{ code: 'WEBHOOK_ENDPOINT_NOT_FOUND' }],
    });
    expect((await queryGraph<Endpoints>(exchange, ENDPOINTS)).data?.me.webhookEndpoints).toHaveLength(1);
  });

  test('an endpoint is paused and resumed, and shows its health', async () => {
    const hold = async (how: 'pause' | 'resume') =>
      (await queryGraph<Changed>(exchange, HOLD(how))).data?.changed;
    expect(await hold('pause')).toMatchObject({
      webhookEndpoint: { id: 'first', health: { pausedAt: expect.any(String), breaker: 'CLOSED' } },
      userErrors: [],
    });
    expect(await hold('resume')).toMatchObject({ webhookEndpoint: { health: { pausedAt: null } } });
  });

  test('a secret that is replaced with an overlap signs beside the new one', async () => {
    const regenerated = await queryGraph<Regenerated>(exchange, REGENERATE);
    const former = regenerated.data?.regenerateWebhookSecret.webhookSecret ?? '';
    const rotated = await queryGraph<Rotated>(exchange, ROTATE, { input: { overlapHours: 24 } });
    const { webhookSecret, formerUntil } = rotated.data!.rotateWebhookSecret;
    expect(Date.parse(formerUntil ?? '') - Date.now()).toBeGreaterThan(23 * 3_600_000);
    await until('a webhook with both signatures', async () => {
      const referenceId = newReference();
      await createMoneyRequest(exchange, moneyRequestBody(referenceId));
      await until('it arrives', () => attemptsOf(referenceId).length > 0);
      const [webhook] = attemptsOf(referenceId);
      const header = (webhook && headerOf(webhook, 'X-Webhook-Signature')) ?? '';
      const t = /^t=(\d+),/.exec(header)?.[1] ?? '';
      const [byNew = '', byFormer = ''] = [webhookSecret, former].map((secret) =>
        signatureOf(secret, t, webhook?.body ?? ''),
      );
      return header === `${byNew},${byFormer.split(',')[1]}`;
    });
    expect(
      (await queryGraph<Rotated>(exchange, ROTATE, {})).data?.rotateWebhookSecret.formerUntil,
    ).toBeNull();
  });

  test('keys without partner_admin change nothing', async () => {
    const preview = await previewOf(exchange);
    for (const key of [KEYS.acmeLive, KEYS.acmeWithoutPartner]) {
      for (const query of [REGENERATE, ROTATE, HOLD('pause')]) {
        const { data, errors } = await queryGraph(exchange, query, {}, key);
        expect([data, errors?.[0]?.extensions?.code]).toEqual([null, 'FORBIDDEN']);
      }
    }
    expect(await previewOf(exchange)).toBe(preview);
  });

  test('a transfer is priced, 30 times a minute of a key over all processes', async () => {
    const second = exchangeWith((await deployment.start()).url);
    const send = (from: Exchange, input: object, key?: string) =>
      queryGraph<Quoted>(from, QUOTE, { input }, key).then(({ data }) => data?.preQuoteLite);
    expect(await send(exchange, TRANSFER)).toEqual({
      quote: {
        send: '100.10',
        receive: '1826.82',
        rate: '18.25',
        fee: '0',
        currency: { source: 'USD', destination: 'MXN' },
      },
      retryAfter: null,
      userErrors: [],
    });
    const failures: [object, unknown][] = [
      [
        { destinationCountry: 'JP', destinationCurrency: 'JPY' },
        { code: 'ROUTE_NOT_AVAILABLE', path: null },
      ],
      [{ sourceCountry: 'XX' }, { code: 'INVALID_REQUEST', path: ['sourceCountry'] }],
      [{ amount: '1.001' }, { code: 'INVALID_REQUEST', path: ['amount'] }],
    ];
    for (const [changes, userError] of failures) {
      expect(await send(exchange, { ...TRANSFER, ...changes })).toMatchObject({
        quote: null,
        userErrors: [userError],
      });
    }
    const answers = await Promise.all(
      Array.from({ length: 27 }, (_, index) => send(index % 2 === 0 ? exchange : second, TRANSFER)),
    );
    const limited = answers.filter((answer) => answer?.userErrors[0]?.code === 'RATE_LIMITED');
    expect(limited).toHaveLength(1);
    expect(limited[0]?.retryAfter).toBeGreaterThan(0);
    expect(await send(second, TRANSFER)).toMatchObject({
      quote: null,
      userErrors: [{ code: 'RATE_LIMITED' }],
    });
    expect(await send(second, TRANSFER, KEYS.acmeLive)).toMatchObject({ userErrors: [] });
  });
});
