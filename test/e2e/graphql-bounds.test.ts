import { beforeAll, describe, expect, test } from '@jest/globals';
import { type Exchange, injectInto } from '../support/http.ts';
import { queryGraph } from '../support/money-requests.ts';
import { useScene } from '../support/scene.ts';
import { KEYS } from '../support/seed.ts';
import { openSubscriber } from '../support/subscriber.ts';
import { buildTestApp } from '../support/test-app.ts';
import { until } from '../support/until.ts';

const scene = useScene();
const LARGEST = 20_000;
const CREATE =
  'mutation ($input: CreateLinkInput!) { createLink(input: $input) { link { id user { id } } } }';
let exchange: Exchange;
let url: string;

beforeAll(async () => {
  const { env } = await scene.deploy();
  const { app, close } = await buildTestApp({
    ...env,
    GRAPHQL_MAX_RESPONSE_BYTES: String(LARGEST),
    GRAPHQL_INTROSPECTION: 'false',
  });
  scene.atEnd(close);
  exchange = injectInto(app);
  url = await app.listen({ host: '127.0.0.1', port: 0 });
  const metadata = { text: 'm'.repeat(4_000) };
  for (let index = 0; index < 6; index++) {
    const input = { flow: 'CIP', referenceId: 'u-77', metadata };
    const { errors } = await queryGraph(exchange, CREATE, { input }, KEYS.acme);
    expect(errors).toBeUndefined();
  }
});

const MANY = '{ links(first: 6) { nodes { user { links(first: 6) { nodes { id m0: metadata } } } } } }';
const codesOf = (errors: readonly { readonly extensions?: { readonly code?: string } }[] | undefined) =>
  errors?.map(({ extensions }) => extensions?.code);

describe('An answer that is longer than it may be', () => {
  test('is rejected by POST, by GET and as an event stream', async () => {
    const headers = { 'x-api-key': KEYS.acme };
    const path = `/graphql?query=${encodeURIComponent(MANY)}`;
    for (let run = 0; run < 4; run++) {
      const posted = await queryGraph(exchange, MANY, {}, KEYS.acme);
      expect([posted.data, codesOf(posted.errors)]).toEqual([undefined, ['RESPONSE_TOO_LARGE']]);
    }
    const got = await exchange({ method: 'GET', path, headers });
    expect(codesOf(JSON.parse(got.text).errors)).toEqual(['RESPONSE_TOO_LARGE']);
    const streamed = await exchange({
      method: 'GET',
      path,
      headers: { ...headers, accept: 'text/event-stream' },
    });
    expect(streamed.text).toContain('"code":"RESPONSE_TOO_LARGE"');
    expect(streamed.text.length).toBeLessThan(1_000);
  });

  test('is rejected over a socket', async () => {
    const subscriber = await openSubscriber({ url, connectionParams: { 'X-API-Key': KEYS.acme } });
    const subscription = subscriber.subscribe(MANY);
    await until('the error', () => subscription.errors.length > 0);
    await subscriber.close();
    expect(codesOf(subscription.errors)).toEqual(['RESPONSE_TOO_LARGE']);
  });

  test('costs what its large values cost, before anything is read', async () => {
    const query = '{ links(first:100){nodes{user{links(first:95){nodes{m0:metadata}}}}}}';
    const { data, errors } = await queryGraph(exchange, query, {}, KEYS.acme);
    expect([data, codesOf(errors)]).toEqual([undefined, ['COST_LIMIT_EXCEEDED']]);
  });

  test('leaves shorter ones alone', async () => {
    const { data, errors } = await queryGraph(
      exchange,
      '{ links(first: 3) { nodes { metadata } } }',
      {},
      KEYS.acme,
    );
    expect([errors, (data as { links: { nodes: unknown[] } }).links.nodes.length]).toEqual([undefined, 3]);
  });
});

describe('A value that cannot be read', () => {
  const CARD = '4111111111111111';
  const V2 = (amount: string) =>
    `mutation { requestMoneyV2(input: { userId: "u", requestTo: "+525512345678", correlationId: "c", recipientAmount: ${amount}, recipientCurrency: "MXN", destinationPaymentMethodId: "p" }) { __typename } }`;
  test.each<[string, string, Record<string, unknown>]>([
    ['a Decimal', V2(`"${CARD}x"`), {}],
    ['a Decimal with an exponent', V2('1e3'), {}],
    ['a DateTime', `{ links(where: { createdAt: { gte: "${CARD}" } }) { totalCount } }`, {}],
    [
      'a DateTime in a variable',
      'query ($where: LinkWhereInput) { links(where: $where) { totalCount } }',
      { where: { createdAt: { gte: CARD } } },
    ],
    ['a JSONObject', CREATE, { input: { flow: 'CIP', referenceId: 'u-77', metadata: CARD } }],
    ['an enum', CREATE, { input: { flow: CARD, referenceId: 'u-77' } }],
  ])('%s is an error of the client, and is not repeated', async (_name, query, variables) => {
    const { data, errors } = await queryGraph(exchange, query, variables, KEYS.acme);
    expect(data).toBeUndefined();
    expect(codesOf(errors)).not.toContain('INTERNAL_SERVER_ERROR');
    expect(codesOf(errors)).not.toContain('DOWNSTREAM_SERVICE_ERROR');
    expect(JSON.stringify(errors)).not.toContain(CARD);
    expect(JSON.stringify(errors)).not.toContain('Did you mean');
    expect(codesOf(errors)).toEqual(['BAD_USER_INPUT']);
  });
});
