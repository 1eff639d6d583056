import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { FastifyInstance } from 'fastify';
import { buildSchema, type GraphQLSchema } from 'graphql';
import { createClient, type SubscribePayload } from 'graphql-ws';
import { pino } from 'pino';
import { WebSocket } from 'ws';
import type { Config } from '../../subgraphs/kernel/config/load.ts';
import { type Principal, type RequestContext, SCOPES } from '../../subgraphs/kernel/principal.ts';
import { until } from '../../test/support/until.ts';
import type { SubgraphFetch } from '../engine/index.ts';
import {
  createPrincipalSigner,
  createPrincipalVerifier,
  operationText,
  PRINCIPAL_HEADER,
  type TokenUse,
} from '../http/subgraph-server/principal-token.ts';
import { buildSubgraphApp } from '../http/subgraph-server/subgraph-app.ts';
import { byPrincipal, connectSubgraphs, type SubgraphConnections } from './connect-subgraphs.ts';

const KEY = 'a key of tokens, for tests alone'.replaceAll(' ', '_');
const principalOf = (keyId: string): Principal => ({
  accountId: 'acme/sandbox' as const,
  keyId,
  scopes: ['partner'],
});
const context = (keyId = 'key_1'): RequestContext => ({ principal: principalOf(keyId), requestId: 'r-1' });

/** Answers with the key of the caller; counts once per `tick` until it is stopped. */
const schema = createSchema();
const ticks = new Set<() => void>();
const tick = () => [...ticks].map((wake) => wake());

function createSchema(): GraphQLSchema {
  const made = buildSchema(
    'type Query { who: String } type Mutation { act: String } type Subscription { n: String }',
  );
  const who = (_source: unknown, _args: unknown, { principal }: RequestContext) => principal?.keyId;
  Object.assign(made.getQueryType()?.getFields().who ?? {}, { resolve: who });
  Object.assign(made.getMutationType()?.getFields().act ?? {}, { resolve: who });
  Object.assign(made.getSubscriptionType()?.getFields().n ?? {}, { subscribe: countOn });
  return made;
}

function countOn(_source: unknown, _args: unknown, { principal }: RequestContext) {
  let n = 0;
  let wake: () => void = () => undefined;
  let isOver = false;
  const next = async (): Promise<IteratorResult<object>> => {
    await new Promise<void>((resolve) => {
      wake = resolve;
      ticks.add(wake);
    });
    ticks.delete(wake);
    n += 1;
    return isOver
      ? { value: undefined, done: true }
      : { value: { n: `${principal?.keyId} ${n}` }, done: false };
  };
  return {
    next,
    return: async (): Promise<IteratorResult<object>> => {
      isOver = true;
      wake();
      return { value: undefined, done: true };
    },
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}

/** Requests to subgraphs, which a thief could repeat. */
const seen: { name: string; token: string; body: string }[] = [];
const failures: string[] = [];
const revoked = new Set<string>();
const apps: FastifyInstance[] = [];
let urls: Readonly<Record<'users' | 'links', string>>;
let connections: SubgraphConnections;

async function serve(name: string): Promise<string> {
  const write = (line: string) => void failures.push(JSON.parse(line).reason);
  const app = await buildSubgraphApp({
    subgraph: { name, schema, federatedSchema: async () => schema, sdl: '' },
    tokens: createPrincipalVerifier({ keys: [KEY], audience: name }),
    apiKeys: { findRevoked: async (ids) => new Set(ids.filter((id) => revoked.has(id))) },
    log: pino({ level: 'warn' }, { write }),
  });
  app.addHook('preHandler', async ({ headers, body }) => {
    seen.push({ name, token: String(headers[PRINCIPAL_HEADER]), body: JSON.stringify(body) });
  });
  await app.listen({ host: '127.0.0.1', port: 0 });
  apps.push(app);
  return `http://127.0.0.1:${(app.server.address() as AddressInfo).port}/graphql`;
}

beforeAll(async () => {
  urls = { users: await serve('users'), links: await serve('links') };
  connections = connectWith(KEY);
});

function connectWith(key: string, clock = Date.now): SubgraphConnections {
  return connectSubgraphs({
    config: {
      ROLE: 'gateway',
      SUBGRAPH_USERS_URL: urls.users,
      SUBGRAPH_LINKS_URL: urls.links,
      SUBGRAPH_OPERATIONS_URL: urls.users,
      SUBGRAPH_REQUEST_MONEY_URL: urls.users,
    } as Config,
    subgraphs: [],
    tokens: createPrincipalSigner({ keys: [key], clock }),
    tracing: { headers: () => ({}) },
    log: { warn: () => undefined },
  });
}
afterAll(async () => {
  await connections.close();
  await Promise.all(apps.map((app) => app.close()));
});

const fetchOf = (operationKind: SubgraphFetch['operationKind'], document: string): SubgraphFetch => ({
  subgraph: 'users',
  document,
  operationKind,
  operationName: null,
});
const WHO = fetchOf('query', '{ who }');
const ACT = fetchOf('mutation', 'mutation { act }');
const COUNT = fetchOf('subscription', 'subscription { n }');

async function post(url: string, token: string | undefined, body: string, contentType = 'application/json') {
  const headers = {
    'content-type': contentType,
    ...(token !== undefined && { [PRINCIPAL_HEADER]: token }),
  };
  failures.length = 0;
  const { status } = await fetch(url, { method: 'POST', headers, body });
  return [status, ...failures];
}

const signer = createPrincipalSigner({ keys: [KEY] });
const signed = (changes: Partial<TokenUse> = {}, keyId = 'key_1') =>
  signer.sign(context(keyId), { audience: 'users', method: 'POST', body: '{"query":"{ who }"}', ...changes });

describe('A gateway and its subgraphs', () => {
  test('run queries, mutations and subscriptions', async () => {
    const users = connections.transports.users!;
    expect(await users.execute(WHO, {}, context())).toEqual({ data: { who: 'key_1' } });
    expect(await users.execute(ACT, {}, context('key_2'))).toEqual({ data: { act: 'key_2' } });
    const events = await users.subscribe(COUNT, { any: ['é', { b: 1, a: null }] }, context('key_3'));
    if (!('next' in events)) {
      throw new Error('rejected');
    }
    const iterator = (events as AsyncIterable<unknown>)[Symbol.asyncIterator]();
    const first = iterator.next();
    await until('a listener', () => ticks.size === 1);
    tick();
    expect(await first).toEqual({ done: false, value: { data: { n: 'key_3 1' } } });
    await iterator.return?.();
    await until('the end upstream', () => ticks.size === 0);
  });

  test('reject an intercepted token: a second time, at another place, and with another body', async () => {
    seen.length = 0;
    await connections.transports.users!.execute(ACT, {}, context());
    const [stolen] = seen;
    expect(await post(urls.users, stolen!.token, stolen!.body)).toEqual([401, 'replayed']);
    expect(await post(urls.links, stolen!.token, stolen!.body)).toEqual([401, 'audience']);
    expect(await post(urls.users, stolen!.token, '{"query":"mutation { act act2: act }"}')).toEqual([
      401,
      'body',
    ]);
  });

  test.each<[string, () => SubgraphConnections]>([
    ['another key', () => connectWith('another key of tokens, for tests'.replaceAll(' ', '_'))],
    ['a clock that is late', () => connectWith(KEY, () => Date.now() - 60_000)],
  ])('a gateway with %s: the client does not get a complaint about its key', async (_name, connect) => {
    const { transports, close } = connect();
    const failed = { extensions: { code: 'SUBGRAPH_HTTP_ERROR' } };
    await expect(transports.users?.execute(ACT, {}, context())).rejects.toMatchObject(failed);
    const subscribed = Promise.resolve(transports.users?.subscribe(COUNT, {}, context()));
    await expect(subscribed).rejects.toMatchObject({ extensions: { code: 'SUBGRAPH_UNREACHABLE' } });
    await close();
  });

  test('run a request once if it is sent twice at the same time', async () => {
    const token = await signed();
    const statuses = await Promise.all(
      [1, 2, 3, 4].map(async () => (await post(urls.users, token, '{"query":"{ who }"}'))[0]),
    );
    expect(statuses.toSorted()).toEqual([200, 401, 401, 401]);
  });

  test.each<[string, () => Promise<unknown[]>, unknown[]]>([
    ['no token', () => post(urls.users, undefined, '{"query":"{ who }"}'), [401, 'missing']],
    ['a changed space', async () => post(urls.users, await signed(), '{"query": "{ who }"}'), [401, 'body']],
    ['an empty body', async () => post(urls.users, await signed(), ''), [401, 'body']],
    [
      'a body of another type, which is not read',
      async () => post(urls.users, await signed(), '{"query":"{ who }"}', 'text/plain'),
      [415],
    ],
    ['no JSON', async () => post(urls.users, await signed({ body: '{"query"' }), '{"query"'), [400]],
  ])('%s is rejected', async (_name, send, answer) => {
    expect(await send()).toEqual(answer);
  });
});

/** A socket that a token opens, and operations on it with any `extensions`. */
async function openSocket() {
  const connectionParams = { [PRINCIPAL_HEADER]: await signed({ method: 'GET', body: '' }) };
  const url = urls.users.replace('http', 'ws');
  const client = createClient({ url, webSocketImpl: WebSocket, connectionParams, retryAttempts: 0 });
  const start = (payload: SubscribePayload) => {
    const got: unknown[] = [];
    const note = (value: unknown) => void got.push(value);
    client.subscribe(payload, { next: note, error: note, complete: () => note('complete') });
    return got;
  };
  return { start, close: () => client.dispose() };
}

describe('A socket to a subgraph', () => {
  const query = 'subscription { n }';
  const tokenFor = (payload: SubscribePayload, keyId: string) =>
    signed({ method: 'SUBSCRIBE', body: operationText({ ...payload }) }, keyId);
  const bearing = (token: string, payload: SubscribePayload = { query }) => ({
    ...payload,
    extensions: { [PRINCIPAL_HEADER]: token },
  });
  const unauthenticated = [[expect.objectContaining({ extensions: { code: 'UNAUTHENTICATED' } })]];

  test('has a token for each operation that is valid only for it, and only once', async () => {
    const socket = await openSocket();
    const token = await tokenFor({ query }, 'key_1');
    const live = socket.start(bearing(token));
    await until('a listener', () => ticks.size === 1);
    const failed = [
      socket.start(bearing(token)),
      socket.start({ query }),
      socket.start(bearing(await tokenFor({ query }, 'key_1'), { query: 'subscription { m: n }' })),
      socket.start(bearing(await signed({ method: 'GET', body: operationText({ query }) }))),
    ];
    await until('all rejected', () => failed.every((got) => got.length > 0));
    for (const got of failed) {
      expect(got).toEqual(unauthenticated);
    }
    tick();
    await until('an event', () => live.length === 1);
    expect(live).toEqual([{ data: { n: 'key_1 1' } }]);
    await socket.close();
  });

  test('ends the operations of a revoked key, and no others', async () => {
    const socket = await openSocket();
    const [going, staying] = [
      socket.start(bearing(await tokenFor({ query }, 'key_gone'))),
      socket.start(bearing(await tokenFor({ query }, 'key_1'))),
    ];
    await until('listeners', () => ticks.size === 2);
    revoked.add('key_gone');
    await until('the end', () => going.length > 0);
    tick();
    await until('an event', () => staying.length > 0);
    expect([going, staying]).toEqual([['complete'], [{ data: { n: 'key_1 1' } }]]);
    await socket.close();
  });
});

test('the example of another gateway in gateway/app/README.md works', async () => {
  const [example] = /(?<=```js\n)import [^`]*SignJWT[^`]*/.exec(
    readFileSync('gateway/app/README.md', 'utf8'),
  ) ?? [''];
  const call = `console.log(JSON.stringify(await callSubgraph(
    process.env.URL, 'users', ${JSON.stringify(principalOf('key_foreign'))}, { query: '{ who }' })));`;
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--input-type=module', '--eval', `${example}\n${call}`],
    { env: { INTERNAL_TOKEN_KEY: KEY, URL: urls.users } },
  );
  expect(JSON.parse(stdout)).toEqual({ data: { who: 'key_foreign' } });
});

test('gateway/app/README.md names the members of a principal, and every scope', () => {
  const [, claim = ''] =
    /^\| `principal` \| (.*) \|$/m.exec(readFileSync('gateway/app/README.md', 'utf8')) ?? [];
  expect(claim).toContain(`\`{${Object.keys(principalOf('key_foreign')).join(', ')}}\``);
  expect(SCOPES.filter((scope) => !claim.includes(`\`${scope}\``))).toEqual([]);
});

describe('identical queries are shared', () => {
  const groupOf = (overrides: Partial<Principal> | null) =>
    byPrincipal({
      principal: overrides && { ...principalOf('key_1'), scopes: ['partner'], ...overrides },
      requestId: 'r',
    });

  test('by the keys of one tenant that may do the same', () => {
    expect(groupOf({ keyId: 'key_2' })).toBe(groupOf({}));
    expect(groupOf({ scopes: ['partner_full', 'partner'] })).toBe(
      groupOf({ scopes: ['partner', 'partner_full'] }),
    );
  });

  test.each<[string, Partial<Principal>]>([
    ['another tenant', { accountId: 'other/sandbox' }],
    ['other scopes', { scopes: ['partner', 'partner_full'] }],
    ['another environment', { accountId: 'acme/live' }],
    [
      'a console session',
      { consoleSession: { sessionId: 'cse_1', label: 'Ana', access: 'read', expiresAt: 0 } },
    ],
  ])('not with %s, nor with nobody', (_name, overrides) => {
    expect(groupOf(overrides)).not.toBe(groupOf({ accountId: 'acme/sandbox' }));
    expect(groupOf(null)).toBeNull();
  });
});
