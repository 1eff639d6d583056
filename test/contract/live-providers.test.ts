import { beforeAll, describe, expect, test } from '@jest/globals';
import { type Exchange, injectInto } from '../support/http.ts';
import {
  createMoneyRequest,
  lookUp,
  moneyRequestBody,
  newReference,
  queryGraph,
} from '../support/money-requests.ts';
import { type ProviderServer, startProviders } from '../support/providers.ts';
import { useScene } from '../support/scene.ts';
import { KEYS } from '../support/seed.ts';
import { buildTestApp } from '../support/test-app.ts';

/** Decisions, section 8, "Providers": no live call is answered by the sandbox, and no sandbox call by a live provider. */
const scene = useScene();
const LIVE = { key: KEYS.acmeLive };
const ACCOUNT = { number: '032180000118359719', country: 'MX', currency: 'MXN' };
const CARD = {
  number: '4111111111111111',
  nameOnCard: 'Ana Ruiz',
  expirationDate: '1239',
  country: 'MX',
  currency: 'MXN',
};
let providers: ProviderServer;
/** A server that has test providers for sandbox calls, and none for live calls. */
let onlySandbox: Exchange;
/** A server that has providers for live calls, and none for sandbox calls. */
let onlyLive: Exchange;
/** A user of each server, in the environment of each key. */
const users = new Map<Exchange, Readonly<Record<string, string>>>();
const userOf = (exchange: Exchange, key: string) => users.get(exchange)?.[key];

beforeAll(async () => {
  providers = await startProviders({ deduplicates: false });
  scene.atEnd(providers.close);
  const { env } = await scene.deploy();
  onlySandbox = await serveWith({ ...env, ...providers.envOf('sandbox') });
  onlyLive = await serveWith({ ...env, ...providers.envOf('live') });
  for (const exchange of [onlySandbox, onlyLive]) {
    users.set(exchange, {
      [KEYS.acme]: await register(exchange, KEYS.acme),
      [KEYS.acmeLive]: await register(exchange, KEYS.acmeLive),
    });
  }
});

async function serveWith(env: Readonly<Record<string, string>>): Promise<Exchange> {
  const { app, close } = await buildTestApp(env);
  scene.atEnd(close);
  return injectInto(app);
}

async function register(exchange: Exchange, key: string): Promise<string> {
  const answered = await post(exchange, '/v1/user/register-v2', key, requester());
  return (JSON.parse(answered.text) as { userId: string }).userId;
}

function post(exchange: Exchange, path: string, key: string, body: unknown) {
  const headers = { 'Content-Type': 'application/json', 'X-API-Key': key };
  return exchange({ method: 'POST', path, headers, body: JSON.stringify(body) });
}

let phones = 0;
function requester() {
  phones += 1;
  return {
    phoneNumber: `+5255${String(51_000_000 + phones)}`,
    firstName: 'Ana',
    lastName: 'Ruiz',
    address1: 'Reforma 1',
    countryCode: 'MX',
    city: 'CDMX',
    state: 'CMX',
  };
}

const request = () => ({
  correlationId: newReference(),
  recipientCurrency: 'MXN',
  recipientAmount: 20.1,
  destinationPaymentMethod: { type: 'UBN', ...ACCOUNT },
});
const payer = { phoneNumber: '+13055550100', firstName: 'Bob', lastName: 'Roe', countryCode: 'US' };

/** Every call that needs a provider, by REST and by GraphQL. */
const CALLS: readonly [
  string,
  (exchange: Exchange, key: string) => Promise<{ text: string; status: number }>,
][] = [
  [
    'request-money-full',
    (exchange, key) =>
      post(exchange, '/v1/user/operations/request-money-full', key, {
        requester: requester(),
        request: { ...request(), requestTo: payer },
      }),
  ],
  [
    'request-money-v2',
    (exchange, key) =>
      post(exchange, `/v1/user/operations/request-money-v2/${userOf(exchange, key)}`, key, {
        ...request(),
        requestTo: payer.phoneNumber,
      }),
  ],
  [
    'adding a card',
    (exchange, key) =>
      post(exchange, `/v1/user/payment-methods/card/${userOf(exchange, key)}`, key, {
        type: 'DebitCard',
        ...CARD,
      }),
  ],
  [
    'adding an account',
    (exchange, key) => post(exchange, `/v1/user/payment-methods/ubn/${userOf(exchange, key)}`, key, ACCOUNT),
  ],
  [
    'request-money',
    (exchange, key) => createMoneyRequest(exchange, moneyRequestBody(newReference()), { key }),
  ],
];

const MUTATIONS: readonly [string, string, (userId: string | undefined) => object][] = [
  [
    'createRequestMoney',
    'CreateRequestMoneyInput',
    () => {
      const { amount, requestData, ...body } = moneyRequestBody(newReference());
      return {
        ...body,
        amount: String(amount),
        requestData: { ...requestData, payoutMethod: 'BANK_ACCOUNT' },
      };
    },
  ],
  [
    'requestMoneyFull',
    'RequestMoneyFullInput',
    () => ({
      requester: requester(),
      request: { ...request(), recipientAmount: '20.1', requestTo: payer },
    }),
  ],
  [
    'requestMoneyV2',
    'RequestMoneyV2Input',
    (userId) => ({ userId, ...request(), recipientAmount: '20.1', requestTo: payer.phoneNumber }),
  ],
  [
    'addCard',
    'AddCardInput',
    (userId) => ({ userId, type: 'DEBIT_CARD', ...CARD, number: '4242424242424242' }),
  ],
  ['addUbn', 'AddUbnInput', (userId) => ({ userId, ...ACCOUNT, number: '032180000118359720' })],
];

function mutate(exchange: Exchange, [name, input, make]: (typeof MUTATIONS)[number], key: string) {
  const document = `mutation ($input: ${input}!) { ${name}(input: $input) { userErrors { code } } }`;
  return queryGraph(exchange, document, { input: make(userOf(exchange, key)) }, key);
}

describe('a live call while its provider is not configured', () => {
  test.each(CALLS)('%s: 503, and nothing is asked of the sandbox', async (name, call) => {
    const before = providers.received.length;
    const { status, text } = await call(onlySandbox, KEYS.acmeLive);
    const expected =
      name === 'request-money'
        ? { error: { code: 'IDENTITY_VALIDATOR_NOT_CONFIGURED', message: expect.any(String) } }
        : { reason: expect.any(String) };
    expect([status, JSON.parse(text)]).toEqual([503, expected]);
    expect(providers.received.length).toBe(before);
  });

  test.each(MUTATIONS)('%s: PROVIDER_NOT_CONFIGURED in userErrors', async (...mutation) => {
    const [name] = mutation;
    const answered = await mutate(onlySandbox, mutation, KEYS.acmeLive);
    expect(answered).toMatchObject({
      data: { [name]: { userErrors: [{ code: 'PROVIDER_NOT_CONFIGURED' }] } },
    });
  });

  test('a refused create leaves no money request', async () => {
    const body = moneyRequestBody(newReference());
    await createMoneyRequest(onlySandbox, body, LIVE);
    expect((await lookUp(onlySandbox, body.referenceId, KEYS.acmeLive)).status).toBe(404);
  });
});

describe('a sandbox call beside providers of live calls', () => {
  test.each(CALLS)('%s: is answered by the sandbox', async (_name, call) => {
    const before = providers.received.length;
    expect((await call(onlyLive, KEYS.acme)).status).toBeLessThan(300);
    expect(providers.received.length).toBe(before);
  });
});

test('a live create with the id and the Idempotency-Key of a sandbox create is another one, which the live validator screens', async () => {
  const body = moneyRequestBody(newReference());
  const idempotencyKey = `both-${body.referenceId}`;
  expect((await createMoneyRequest(onlyLive, body, { idempotencyKey })).status).toBe(201);
  const before = providers.received.length;
  const live = await createMoneyRequest(onlyLive, body, { ...LIVE, idempotencyKey });
  expect([live.status, providers.received.length]).toEqual([201, before + 1]);
});

describe('an outage of a provider', () => {
  const codes = (errors: readonly { readonly extensions?: { readonly code?: string } }[] | undefined) =>
    errors?.map(({ extensions }) => extensions?.code);
  const account = { ...ACCOUNT, number: '000000000000000119' };

  test.each<[string, string, object, string]>([
    [
      'createRequestMoney',
      'CreateRequestMoneyInput',
      { requestData: { name: { firstName: 'Ana', lastName: 'VALIDATORDOWN' } } },
      'IDENTITY_VALIDATOR_UNAVAILABLE',
    ],
    [
      'requestMoneyV2',
      'RequestMoneyV2Input',
      { destinationPaymentMethod: { type: 'UBN', ...account } },
      'ERROR_INTERNAL_SERVER_ERROR',
    ],
    ['addUbn', 'AddUbnInput', account, 'ERROR_INTERNAL_SERVER_ERROR'],
    ['addCard', 'AddCardInput', { number: '4000000000000119' }, 'ERROR_INTERNAL_SERVER_ERROR'],
  ])('%s: is a top-level error, not a refusal', async (name, _input, changes, code) => {
    const found = MUTATIONS.find(([mutation]) => mutation === name);
    const [, input = '', make = () => ({})] = found ?? [];
    const down = (userId: string | undefined) => merge(make(userId), changes);
    const answered = await mutate(onlyLive, [name, input, down], KEYS.acme);
    expect([answered.data, codes(answered.errors)]).toEqual([null, [code]]);
  });

  test('is a 500 on the REST surface of document 1', async () => {
    const path = `/v1/user/payment-methods/ubn/${userOf(onlyLive, KEYS.acme)}`;
    const { status, text } = await post(onlyLive, path, KEYS.acme, account);
    expect([status, JSON.parse(text)]).toEqual([500, { reason: expect.any(String) }]);
  });
});

/** The input with other members, one level deep. */
function merge(input: object, changes: object): object {
  const before = new Map<string, unknown>(Object.entries(input));
  const merged = Object.entries(changes).map(([name, value]: [string, unknown]) => {
    const old = before.get(name);
    const isNested = typeof old === 'object' && typeof value === 'object';
    return [name, isNested ? { ...old, ...value } : value];
  });
  return { ...input, ...Object.fromEntries(merged) };
}
