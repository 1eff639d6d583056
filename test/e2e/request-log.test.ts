import { beforeAll, describe, expect, test } from '@jest/globals';
import type { Deployment } from '../support/deployment.ts';
import { type Exchange, exchangeWith, injectInto } from '../support/http.ts';
import { moneyRequestBody, newReference, queryGraph } from '../support/money-requests.ts';
import { findUnserved, recordQueries } from '../support/query-shapes.ts';
import { useScene } from '../support/scene.ts';
import { INTERNAL_KEY, KEYS } from '../support/seed.ts';
import { buildTestApp, type TestApp } from '../support/test-app.ts';
import { until } from '../support/until.ts';

const LOG = `query ($first: Int, $after: String, $where: RequestLogWhereInput) {
  requestLog(first: $first, after: $after, where: $where) {
    totalCount pageInfo { hasNextPage endCursor }
    nodes { requestId surface method path operation isMutation isReveal outcome status code ms keyId subjects at }
  }
}`;
const TIMELINE = `query ($id: String!) { requestMoney(referenceId: $id) { timeline { nodes {
  __typename ... on TimelineRequest { requestId surface method path operation status code }
} } } }`;

interface Entry {
  readonly requestId: string;
  readonly code: string | null;
  readonly outcome: string;
  readonly subjects: readonly string[];
  readonly [field: string]: unknown;
}
interface Log {
  readonly requestLog: {
    readonly totalCount: number;
    readonly nodes: readonly Entry[];
    readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string };
  };
}

const scene = useScene();
let deployment: Deployment;
let target: TestApp;
let exchange: Exchange;
beforeAll(async () => {
  deployment = await scene.deploy();
  target = await buildTestApp(deployment.env);
  scene.atEnd(target.close);
  exchange = injectInto(target.app);
});

let calls = 0;
/** Calls with a request id of its own; gives that id. */
async function call(
  method: string,
  path: string,
  body?: unknown,
  headers: object = {},
  credentials: object = { 'x-api-key': KEYS.acme },
): Promise<string> {
  calls += 1;
  const requestId = `call-${calls}`;
  await exchange({
    method,
    path,
    headers: {
      'x-request-id': requestId,
      'content-type': 'application/json',
      ...credentials,
      ...headers,
    },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  return requestId;
}

async function list(where: object = {}, key: string = KEYS.acme, page: object = { first: 100 }) {
  const { data, errors } = await queryGraph<Log>(exchange, LOG, { where, ...page }, key);
  expect(errors).toBeUndefined();
  return data?.requestLog as Log['requestLog'];
}

async function entryOf(requestId: string): Promise<Entry> {
  let found: Entry | undefined;
  await until(`${requestId} is in the log`, async () => {
    found = (await list({ requestId })).nodes[0];
    return found !== undefined;
  });
  return found as Entry;
}

describe('The log of requests has', () => {
  test('a REST call that made something: with its path as declared, and what it made', async () => {
    const referenceId = newReference();
    const id = await call('POST', '/v1/request-money?secret=1', moneyRequestBody(referenceId));
    expect(await entryOf(id)).toEqual({
      requestId: id,
      surface: 'REQUEST_MONEY',
      method: 'POST',
      path: '/v1/request-money',
      operation: 'CreateRequestMoney',
      isMutation: true,
      isReveal: false,
      outcome: 'SUCCESS',
      status: 201,
      code: null,
      ms: expect.any(Number),
      keyId: expect.stringMatching(/^key_/),
      subjects: [referenceId],
      at: expect.any(String),
    });
  });

  test('calls that failed, with code and with what they named', async () => {
    const missing = await call('GET', '/v1/request-money/NoSuch01');
    expect(await entryOf(missing)).toMatchObject({
      path: '/v1/request-money/:referenceId',
      code: 'REQUEST_MONEY_NOT_FOUND',
      isMutation: false,
      outcome: 'CLIENT_ERROR',
      status: 404,
      subjects: ['NoSuch01'],
    });
    const referenceId = newReference();
    const invalid = await call('POST', '/v1/request-money', moneyRequestBody(referenceId, { amount: -1 }));
    expect(await entryOf(invalid)).toMatchObject({
      outcome: 'CLIENT_ERROR',
      status: 422,
      code: expect.any(String),
      subjects: [referenceId, 'u-77'],
    });
  });

  test('operations of the graph that failed or changed something, though their status is 200', async () => {
    const query =
      'mutation Revoke { revokeLink(input: { linkId: "lnk_none" }) { link { id } userErrors { code } } }';
    const revoked = await call('POST', '/graphql', { query, variables: { id: 'o-1' } });
    expect(await entryOf(revoked)).toMatchObject({
      surface: 'GRAPHQL',
      path: '/graphql',
      operation: 'Revoke',
      isMutation: true,
      outcome: 'CLIENT_ERROR',
      status: 200,
      code: 'LINK_NOT_FOUND',
      subjects: ['lnk_none', 'o-1'],
    });
    const wrong = await call('POST', '/graphql', { query: '{ nothing }' });
    expect(await entryOf(wrong)).toMatchObject({
      isMutation: false,
      outcome: 'CLIENT_ERROR',
      code: expect.any(String),
    });
  });

  test('the endpoint of a replaced signing secret, over REST and in the graph', async () => {
    const replaced = await call('POST', '/partner/webhooks/config/regenerate-secret');
    const query = 'mutation { regenerateWebhookSecret { message } }';
    const inGraph = await call('POST', '/graphql', { query });
    for (const id of [replaced, inGraph]) {
      expect(await entryOf(id)).toMatchObject({ outcome: 'SUCCESS', subjects: ['first'] });
    }
  });

  test('mutations over a WebSocket', async () => {
    const server = await deployment.start();
    const socket = await scene.subscriber({ url: server.url, connectionParams: { 'X-API-Key': KEYS.acme } });
    socket.subscribe('mutation { revokeLink(input: { linkId: "lnk_none" }) { userErrors { code } } }');
    const over = exchangeWith(server.url);
    await until('the operation is in the log', async () => {
      const { data } = await queryGraph<Log>(over, LOG, { first: 5 });
      const [entry] = data?.requestLog.nodes ?? [];
      const isOurs = entry?.code === 'LINK_NOT_FOUND' && entry.subjects.includes('lnk_none');
      return isOurs && entry.method === null && entry.status === null;
    });
  });
});

describe('The log of requests has not', () => {
  test('queries that went well, unknown keys, calls of the back end, paths without a call, or personal data', async () => {
    const secret = `+5255${Date.now()}`;
    const before = (await list()).totalCount;
    await call('GET', `/v1/request-money/${newReference()}`, undefined, {
      'x-api-key': 'raas_sandbox_nobody',
    });
    await call('GET', '/no/such/path');
    await call('POST', '/graphql', { query: '{ me { name } }' });
    await call(
      'PATCH',
      '/v1/internal/remittances/status',
      { partnerId: 'acme', referenceId: 'NoSuch02', status: 'completed' },
      { 'x-internal-key': INTERNAL_KEY },
    );
    const last = await call('POST', `/v1/request-money?phone=${secret}`, {
      referenceId: secret,
      name: secret,
    });
    await entryOf(last);
    expect((await list()).totalCount).toBe(before + 1);
    const stored = await target.connection.collection('requestLog').find().toArray();
    expect(JSON.stringify(stored)).not.toContain(secret.slice(1));
    expect(JSON.stringify(stored)).not.toContain(KEYS.acme);
  });

  test('anything of another partner, nor for a key without partner_admin', async () => {
    const referenceId = newReference();
    const id = await call('POST', '/v1/request-money', moneyRequestBody(referenceId));
    await entryOf(id);
    expect((await list({ requestId: id }, KEYS.soylent)).nodes).toEqual([]);
    expect((await list({ subject: referenceId }, KEYS.soylent)).nodes).toEqual([]);
    const { errors } = await queryGraph(exchange, LOG, {}, KEYS.acmeLive);
    expect(errors).toMatchObject([{ extensions: { code: 'FORBIDDEN' } }]);
  });
});

test('a list is filtered by code, surface, outcome, time and record, and comes in pages', async () => {
  await entryOf(await call('GET', '/v1/request-money/NoSuch03'));
  const queries = recordQueries(target.connection);
  const all = await list();
  const failed = await list({ outcome: ['CLIENT_ERROR', 'SERVER_ERROR'] });
  expect(failed.nodes).toEqual(all.nodes.filter(({ outcome }) => outcome !== 'SUCCESS'));
  const code = 'REQUEST_MONEY_NOT_FOUND';
  expect((await list({ code })).nodes).toEqual(all.nodes.filter((entry) => entry.code === code));
  expect((await list({ surface: 'GRAPHQL' })).nodes).toEqual(
    all.nodes.filter(({ surface }) => surface === 'GRAPHQL'),
  );
  expect((await list({ subject: 'NoSuch03' })).nodes).toHaveLength(1);
  expect((await list({ at: { lt: new Date(0).toISOString() } })).nodes).toEqual([]);
  const first = await list({}, KEYS.acme, { first: 2 });
  const second = await list({}, KEYS.acme, { first: 100, after: first.pageInfo.endCursor });
  expect([...first.nodes, ...second.nodes]).toEqual(all.nodes);
  expect(findUnserved(target.connection, queries)).toEqual([]);
});

test('the timeline of a payment has the calls that named it, from the one that failed on', async () => {
  const referenceId = newReference();
  const failed = await call('POST', '/v1/request-money', moneyRequestBody(referenceId, { amount: -1 }));
  const made = await call('POST', '/v1/request-money', moneyRequestBody(referenceId));
  await entryOf(failed);
  await entryOf(made);
  const { data } = await queryGraph<{
    requestMoney: { timeline: { nodes: readonly { __typename: string; requestId?: string }[] } };
  }>(exchange, TIMELINE, { id: referenceId });
  const nodes = data?.requestMoney.timeline.nodes ?? [];
  const others = nodes.filter(({ __typename }) => !__typename.startsWith('TimelineWebhook'));
  expect(others.slice(0, 3)).toEqual([
    expect.objectContaining({ __typename: 'TimelineRequest', requestId: failed, status: 422 }),
    {
      __typename: 'TimelineRequest',
      requestId: made,
      surface: 'REQUEST_MONEY',
      method: 'POST',
      path: '/v1/request-money',
      operation: 'CreateRequestMoney',
      status: 201,
      code: null,
    },
    { __typename: 'TimelineStatusChange' },
  ]);
});
