import { beforeAll, describe, expect, test } from '@jest/globals';
import { type Exchange, injectInto } from '../support/http.ts';
import { createMoneyRequest, lookUp, moneyRequestBody, newReference } from '../support/money-requests.ts';
import { useScene } from '../support/scene.ts';
import { KEYS } from '../support/seed.ts';
import { buildTestApp } from '../support/test-app.ts';

const ORIGIN = 'https://app.acme.test';
/** A partner with limits of its own, other ones in its live environment, and none for its pre-quotes there. */
const LIMITED = { sandbox: 'raas_sandbox_limited_full', live: 'raas_live_limited_full' };
const TENANT = {
  ...{ tenantId: 'limited', name: 'Limited', features: ['request-money'] },
  rateLimits: { partner: 3, remittance: 1, preQuote: 1 },
  environments: { live: { rateLimits: { partner: 4, preQuote: 0 } } },
  apiKeys: Object.values(LIMITED).map((key) => ({ key, scopes: ['partner', 'partner_full'] })),
};

const scene = useScene();
let exchange: Exchange;
beforeAll(async () => {
  const { env } = await scene.deploy({ tenants: [TENANT] });
  const { app, close } = await buildTestApp({ ...env, CORS_ORIGINS: ORIGIN });
  scene.atEnd(close);
  exchange = injectInto(app);
});

const get = (path: string, key: string, headers: Record<string, string> = {}) =>
  exchange({ method: 'GET', path, headers: { 'x-api-key': key, ...headers } });

describe('The limits of a partner of its own', () => {
  const limitsOf = ({ headers }: { readonly headers: Readonly<Record<string, string>> }) => [
    headers['ratelimit-policy'],
    headers.ratelimit?.replaceAll(/t=\d+/g, 't=<s>'),
  ];

  test('count down in its headers, to the 429 in the shape of the surface', async () => {
    const first = await get('/v1/user/operations/detail/none', LIMITED.sandbox);
    const second = await get('/v1/user/operations/detail/none', LIMITED.sandbox);
    expect([first.status, second.status]).toEqual([404, 429]);
    const policy = '"remittance";q=1;w=60, "remittance-all-keys";q=2;w=60';
    expect(limitsOf(first)).toEqual([policy, '"remittance";r=0;t=<s>, "remittance-all-keys";r=1;t=<s>']);
    expect(limitsOf(second)).toEqual([policy, '"remittance";r=0;t=<s>']);
    expect(JSON.parse(second.text)).toEqual({ reason: expect.any(String) });
    expect(second.headers['x-error-code']).toBe('RATE_LIMITED');
    // The header that waits names the same time as the one that every client knows.
    expect(second.headers.ratelimit).toBe(`"remittance";r=0;t=${second.headers['retry-after']}`);
  });

  test('have those of pre-quotes beside those of the surface', async () => {
    const quote = (key: string) =>
      exchange({
        method: 'POST',
        path: '/partner/pre-quote-lite',
        headers: { 'x-api-key': key },
        body: '{}',
      });
    const first = await quote(LIMITED.sandbox);
    expect([first.status, ...limitsOf(first)]).toEqual([
      400,
      '"partner";q=3;w=60, "partner-all-keys";q=6;w=60, "pre-quote";q=1;w=60, "pre-quote-all-keys";q=2;w=60',
      '"partner";r=2;t=<s>, "partner-all-keys";r=5;t=<s>, "pre-quote";r=0;t=<s>, "pre-quote-all-keys";r=1;t=<s>',
    ]);
    const second = await quote(LIMITED.sandbox);
    expect([second.status, limitsOf(second)[1]]).toEqual([
      429,
      '"partner";r=1;t=<s>, "partner-all-keys";r=4;t=<s>, "pre-quote";r=0;t=<s>',
    ]);
    expect(second.headers['retry-after']).toMatch(/^([1-9]|[1-5]\d|60)$/);
  });

  test('are those of its environment', async () => {
    const { status, headers } = await get('/partner/me', LIMITED.live);
    expect([status, headers['ratelimit-policy']]).toEqual([
      200,
      '"partner";q=4;w=60, "partner-all-keys";q=8;w=60',
    ]);
    const quoted = await exchange({
      ...{ method: 'POST', path: '/partner/pre-quote-lite', body: '{}' },
      headers: { 'x-api-key': LIMITED.live },
    });
    expect([quoted.status, quoted.headers['ratelimit-policy']]).toEqual([400, headers['ratelimit-policy']]);
  });

  test('are not those of others, which have the limits of all partners', async () => {
    const { headers } = await get('/partner/me', KEYS.acme);
    expect(headers['ratelimit-policy']).toBe('"partner";q=600000;w=60, "partner-all-keys";q=1200000;w=60');
    expect(headers.ratelimit).toMatch(/^"partner";r=599\d\d\d;t=\d+, "partner-all-keys";r=1199\d\d\d;t=\d+$/);
  });

  test('are on answers of the graph and of exports too, and on none without a valid key', async () => {
    const policy = '"graphql";q=600000;w=60, "graphql-all-keys";q=1200000;w=60';
    for (const path of ['/graphql?query={__typename}', '/exports/users.csv']) {
      expect([path, (await get(path, KEYS.acme)).headers['ratelimit-policy']]).toEqual([path, policy]);
      expect((await get(path, 'unknown')).headers).not.toHaveProperty('ratelimit-policy');
    }
  });
});

describe('A lookup', () => {
  test('answers 304 to its tag, until its bytes change', async () => {
    const reference = newReference();
    await createMoneyRequest(exchange, moneyRequestBody(reference));
    const path = `/v1/request-money/${reference}`;
    const { status, headers } = await get(path, KEYS.acme);
    const known = { 'if-none-match': String(headers.etag) };
    expect([status, headers.etag]).toEqual([200, expect.stringMatching(/^"[\w-]{22}"$/)]);

    const unchanged = await get(path, KEYS.acme, known);
    expect([unchanged.status, unchanged.text]).toEqual([304, '']);
    expect(unchanged.headers).toMatchObject({ etag: headers.etag, 'cache-control': 'no-store' });
    expect(unchanged.headers).toHaveProperty('x-request-id');
    expect(unchanged.headers).toHaveProperty('ratelimit');

    await exchange({ method: 'POST', path: `${path}/cancel`, headers: { 'x-api-key': KEYS.acme } });
    const changed = await get(path, KEYS.acme, known);
    expect([changed.status, JSON.parse(changed.text)]).toMatchObject([200, { status: 'cancelled' }]);
    expect(changed.headers.etag).not.toBe(headers.etag);
  });

  test('never answers 304 across partners, environments or without a key', async () => {
    const reference = newReference();
    await createMoneyRequest(exchange, moneyRequestBody(reference));
    const path = `/v1/request-money/${reference}`;
    const known = { 'if-none-match': String((await get(path, KEYS.acme)).headers.etag) };
    for (const [key, status] of [
      [KEYS.acme, 304],
      [KEYS.globex, 404],
      [KEYS.acmeLive, 404],
      ['unknown', 401],
    ] as const) {
      expect([key, (await get(path, key, known)).status]).toEqual([key, status]);
    }
    expect((await get(path, KEYS.globex, { 'if-none-match': '*' })).status).toBe(404);
  });

  test.each(['/partner/me', '/partner/links', '/partner/operations?limit=1', '/partner/webhooks/config'])(
    "has a tag of the caller's own: %s",
    async (path) => {
      const { headers } = await get(path, KEYS.acme);
      expect((await get(path, KEYS.acme, { 'if-none-match': String(headers.etag) })).status).toBe(304);
      expect((await get(path, KEYS.globex, { 'if-none-match': String(headers.etag) })).status).toBe(200);
    },
  );
});

describe('A create', () => {
  test('marks a replay, and nothing else', async () => {
    const reference = newReference();
    const create = (idempotencyKey?: string) =>
      createMoneyRequest(
        exchange,
        moneyRequestBody(reference),
        idempotencyKey === undefined ? {} : { idempotencyKey },
      );
    const [first, again, other] = [await create(reference), await create(reference), await create()];
    expect(
      [first, again, other].map(({ status, headers }) => [status, headers['idempotent-replayed']]),
    ).toEqual([
      [201, undefined],
      [201, 'true'],
      [409, undefined],
    ]);
    expect(again.text).toBe(first.text);
    expect((await lookUp(exchange, reference)).headers).not.toHaveProperty('idempotent-replayed');
  });

  test('says the same in the graph, whichever surface made it', async () => {
    const reference = newReference();
    await createMoneyRequest(exchange, moneyRequestBody(reference), { idempotencyKey: reference });
    const { amount, currency, requestData } = moneyRequestBody(reference);
    const data = { ...requestData, payoutMethod: 'BANK_ACCOUNT' };
    const input = { amount: String(amount), currency, requestData: data };
    const ask = async (idempotencyKey: string, referenceId: string) => {
      const query = `mutation ($input: CreateRequestMoneyInput!, $key: String) {
        createRequestMoney(input: $input, idempotencyKey: $key) { isReplay userErrors { code } } }`;
      const variables = { input: { ...input, referenceId }, key: idempotencyKey };
      const { text } = await exchange({
        ...{ method: 'POST', path: '/graphql', body: JSON.stringify({ query, variables }) },
        headers: { 'content-type': 'application/json', 'x-api-key': KEYS.acme },
      });
      return JSON.parse(text).data?.createRequestMoney;
    };
    expect(await ask(reference, reference)).toEqual({ isReplay: true, userErrors: [] });
    const fresh = newReference();
    expect(await ask(fresh, fresh)).toEqual({ isReplay: false, userErrors: [] });
  });
});

test('Web pages may read all of these headers', async () => {
  const { headers } = await get('/partner/me', KEYS.acme, { origin: ORIGIN });
  expect(headers['access-control-expose-headers']?.split(', ')).toEqual(
    expect.arrayContaining([
      ...['ratelimit', 'ratelimit-policy', 'retry-after', 'x-error-code', 'idempotent-replayed'],
      ...['etag', 'deprecation', 'sunset', 'link', 'x-request-id'],
    ]),
  );
});
