import { randomBytes } from 'node:crypto';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { type GraphQLSchema, OperationTypeNode } from 'graphql';
import { isSecret, SETTINGS, type SettingName } from '../../subgraphs/kernel/config/schema.ts';
import { PLATFORM_ACCOUNT } from '../../subgraphs/kernel/principal.ts';
import {
  CONSOLE_ORIGIN,
  cookieOf,
  exchangeCode,
  JSON_PAGE,
  makeConsoleKey,
  openPageStream,
  PAGE,
  signIn,
} from '../support/console-session.ts';
import { type Exchange, injectInto } from '../support/http.ts';
import { MUTATIONS, QUERIES, SUBSCRIPTIONS } from '../support/isolation/graph-calls.ts';
import { newWord } from '../support/isolation/ids.ts';
import { rootFieldsOf } from '../support/isolation/selection.ts';
import { readSchema, textOf } from '../support/isolation/surfaces.ts';
import { type GraphArguments, type Variants } from '../support/isolation/variant.ts';
import { createMoneyRequest, moneyRequestBody, newReference, queryGraph } from '../support/money-requests.ts';
import { useScene } from '../support/scene.ts';
import { INTERNAL_KEY, KEYS } from '../support/seed.ts';
import { buildTestApp, type TestApp } from '../support/test-app.ts';
import { until } from '../support/until.ts';

const { QUERY, MUTATION, SUBSCRIPTION } = OperationTypeNode;
const PLATFORM = '{ platform { now } }';
const EVERYTHING = `{ platform {
  tenants(first: 2) {
    nodes { id name keys { live sandbox } endpoints { total } webhooks { pending } remittances { inProgress }
      openOperations openMoneyRequests }
    pageInfo { hasNextPage endCursor }
    totalCount
  }
  queues { name waiting }
  jobs { name everySeconds overdueSeconds }
  leases { name term state until }
  remittances { nodes { id } }
  operatorLog { nodes { id } }
  events { numbered lastNumberedAt unnumbered lagMs partitions partitionsWithoutProcess }
  processes { id role version host pid startedAt seenAt isSilent settings { name value source isSecret } }
} }`;

interface Everything {
  readonly platform: {
    readonly tenants: {
      readonly nodes: readonly { readonly id: string; readonly keys: { readonly sandbox: number } }[];
      readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string };
      readonly totalCount: number;
    };
    readonly queues: readonly { readonly name: string }[];
    readonly jobs: readonly { readonly name: string }[];
    readonly leases: readonly { readonly name: string; readonly state: string }[];
    readonly events: { readonly numbered: string; readonly partitionsWithoutProcess: number };
    readonly processes: readonly {
      readonly pid: number;
      readonly settings: readonly { readonly name: string; readonly value: string | null }[];
    }[];
  };
}

const scene = useScene();
let env: Readonly<Record<string, string>>;
let target: TestApp;
let exchange: Exchange;
let url: string;
let schema: GraphQLSchema;
let cookie: string;
let sessionId: string;
beforeAll(async () => {
  const [encryption, pepper] = [randomBytes(32), randomBytes(32)].map((bytes) => bytes.toString('hex'));
  const secrets = { ENCRYPTION_KEY: encryption!, API_KEY_PEPPER: pepper! };
  ({ env } = await scene.deploy({ env: { PUBLIC_URL: `${CONSOLE_ORIGIN}/`, ...secrets } }));
  target = await buildTestApp(env);
  scene.atEnd(target.close);
  exchange = injectInto(target.app);
  url = await target.app.listen({ host: '127.0.0.1', port: 0 });
  schema = await readSchema(exchange, KEYS.acme);
  ({ cookie, sessionId } = await signInOperator());
});

async function signInOperator() {
  const maker = { accountId: PLATFORM_ACCOUNT } as const;
  const input = { access: 'read', label: 'On call' } as const;
  const { code, session } = await target.subgraphs.consoleSessions.createLink(maker, input);
  const answer = await exchangeCode(exchange, code);
  return { cookie: cookieOf(answer), sessionId: session.sessionId, answer };
}

interface Answer<Data> {
  readonly data: Data | null;
  readonly errors?: readonly { readonly extensions: { readonly code: string } }[];
}

async function post<Data>(headers: Record<string, string>, query: string, variables: object = {}) {
  const { text } = await exchange({
    method: 'POST',
    path: '/graphql',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ query, variables }),
  });
  return JSON.parse(text) as Answer<Data>;
}

const codesOf = ({ errors = [] }: Answer<unknown>) => errors.map(({ extensions }) => extensions.code);
const asOperator = () => ({ ...PAGE, cookie });

/** Ids that do not exist: a caller without access to a field gets the same answer for all arguments. */
function argumentsOf(ways: Variants<GraphArguments>[string]): GraphArguments {
  const [first] = ways;
  if (!first) {
    throw new Error('A field that nothing drives');
  }
  const nobodys = () => 'nobodys1';
  const fresh = { word: newWord, phone: () => '+14155610099', moneyRequest: () => 'nobodys1' };
  return first.with(nobodys, nobodys, fresh);
}

describe("A session of the platform's operators", () => {
  test('says that it belongs to no partner', async () => {
    const { answer } = await signInOperator();
    expect(answer.status).toBe(200);
    expect(JSON.parse(answer.text)).toEqual({
      id: expect.stringMatching(/^cse_/),
      ...{ partner: null, environment: null, platform: true },
      ...{ access: 'read', endsAt: expect.any(String), idleSeconds: 3_600 },
    });
  });

  test('gets no other field of the graph, whatever there is', async () => {
    const all = [
      [QUERY, QUERIES],
      [MUTATION, MUTATIONS],
    ] as const;
    for (const [operation, driven] of all) {
      const names = Object.keys(rootFieldsOf(schema, operation));
      expect(names.length).toBeGreaterThan(20);
      for (const name of names.filter((one) => one !== 'platform')) {
        const args = argumentsOf(driven[name] ?? []);
        const answer = await post(asOperator(), textOf(schema, operation, name, args), args.variables);
        expect([name, codesOf(answer)]).toEqual([name, ['FORBIDDEN']]);
      }
    }
  });

  test('follows nothing, over a socket or as an event stream, and its socket runs its query', async () => {
    const socket = await scene.subscriber({ url, headers: { origin: CONSOLE_ORIGIN, cookie } });
    const names = Object.keys(rootFieldsOf(schema, SUBSCRIPTION));
    expect(names.length).toBeGreaterThan(4);
    for (const name of names) {
      const args = argumentsOf(SUBSCRIPTIONS[name] ?? []);
      const query = textOf(schema, SUBSCRIPTION, name, args);
      const received = socket.subscribe<object>(query, args.variables);
      await until(name, () => received.errors.length > 0);
      expect([name, received.errors[0]?.extensions?.code, received.events]).toEqual([name, 'FORBIDDEN', []]);
    }
    const { events } = socket.subscribe<object>(PLATFORM);
    await until('an answer', () => events.length > 0);
    expect(events).toMatchObject([{ platform: { now: expect.any(String) } }]);
    const stream = await openPageStream(
      url,
      cookie,
      'subscription { requestMoneyStatusChanged { requestMoney { referenceId } } }',
    );
    await stream.ended;
    expect(stream.text()).toContain('FORBIDDEN');
  });

  test('exports nothing, and calls nothing by REST', async () => {
    const get = async (path: string) =>
      (await exchange({ method: 'GET', path, headers: asOperator() })).status;
    expect(await get('/exports/operations.csv')).toBe(403);
    expect(await get('/partner/me')).toBe(401);
    expect(await get('/v1/request-money/nobodys1')).toBe(401);
  });

  test('counts as one caller, and what it calls is in no log of a partner', async () => {
    await post(asOperator(), '{ me { id } }');
    const { connection } = target;
    const limits = connection.collection<{ _id: string }>('rateLimits');
    expect(await limits.findOne({ _id: `graphql|${sessionId}` })).not.toBeNull();
    expect(await connection.collection('requestLog').countDocuments({ accountId: PLATFORM_ACCOUNT })).toBe(0);
  });

  test('ends with its stream when it is revoked', async () => {
    const own = await signInOperator();
    const socket = await scene.subscriber({ url, headers: { origin: CONSOLE_ORIGIN, cookie: own.cookie } });
    const owner = { accountId: PLATFORM_ACCOUNT };
    expect((await target.subgraphs.consoleSessions.revoke(owner, own.sessionId)).ok).toBe(true);
    expect((await socket.closed).code).toBe(4403);
    expect(codesOf(await post({ ...PAGE, cookie: own.cookie }, PLATFORM))).toEqual(['UNAUTHENTICATED']);
  });
});

describe('The platform is read by nobody else', () => {
  test('not by a key with every scope of partners, a token or a session of a partner', async () => {
    const { key } = await makeConsoleKey(target.subgraphs);
    const made = await queryGraph<{ createBrowserToken: { token: string } }>(
      exchange,
      'mutation { createBrowserToken(input: { expiresInMinutes: 5 }) { token } }',
      {},
      key,
    );
    const admin = await signIn(exchange, key, 'ADMIN');
    const callers: Record<string, string>[] = [
      { 'X-API-Key': key },
      { authorization: `Bearer ${made.data?.createBrowserToken.token}` },
      { ...PAGE, cookie: admin.cookie },
    ];
    for (const headers of callers) {
      const answer = await post(headers, EVERYTHING);
      expect(codesOf(answer)).toEqual(['FORBIDDEN']);
      expect(answer.data).toBeNull();
    }
    expect(codesOf(await post({ 'X-Internal-Key': INTERNAL_KEY }, PLATFORM))).toEqual(['UNAUTHENTICATED']);
    expect(codesOf(await post({}, PLATFORM))).toEqual(['UNAUTHENTICATED']);
  });

  test('not even by a stored key to which somebody gave the scope', async () => {
    const { key, keyId } = await makeConsoleKey(target.subgraphs);
    const keys = target.connection.collection<{ _id: string }>('apiKeys');
    await keys.updateOne({ _id: keyId }, { $set: { scopes: ['partner', 'platform'] } });
    expect(codesOf(await post({ 'X-API-Key': key }, PLATFORM))).toEqual(['FORBIDDEN']);
  });
});

describe('Operators see', () => {
  test('partners, work, and processes with their settings, and no secret', async () => {
    expect((await createMoneyRequest(exchange, moneyRequestBody(newReference()))).status).toBe(201);
    await until('the record of this process', async () => {
      const { data } = await post<Everything>(asOperator(), EVERYTHING);
      return data?.platform.processes.length === 1;
    });
    const { text } = await exchange({
      method: 'POST',
      path: '/graphql',
      headers: { ...JSON_PAGE, cookie },
      body: JSON.stringify({ query: EVERYTHING }),
    });
    const { data, errors } = JSON.parse(text) as Answer<Everything>;
    expect(errors).toBeUndefined();
    const { tenants, queues, jobs, leases, processes } = data!.platform;
    expect(tenants.nodes.map(({ id }) => id)).toEqual(['acme', 'globex']);
    expect(tenants.nodes[0]?.keys.sandbox).toBeGreaterThan(1);
    const opened = { openMoneyRequests: 1, openOperations: 0, remittances: { inProgress: 0 } };
    expect(tenants.nodes[0]).toMatchObject(opened);
    expect(tenants.pageInfo.hasNextPage).toBe(true);
    expect(queues.map(({ name }) => name)).toEqual([
      ...['webhooks', 'webhooks.replay'],
      ...['pipeline.CIP', 'pipeline.CONTACT', 'pipeline.PAYMENT_METHOD', 'pipeline.REQUEST_MONEY'],
    ]);
    expect(jobs.map(({ name }) => name)).toContain('retention');
    expect(leases).toContainEqual(expect.objectContaining({ name: 'migrations', state: 'FREE' }));
    const [{ pid, settings }] = processes as [Everything['platform']['processes'][number]];
    expect(pid).toBe(process.pid);
    expect(settings.map(({ name }) => name)).toEqual(Object.keys(SETTINGS));
    const secrets = (Object.keys(SETTINGS) as SettingName[]).filter(isSecret);
    const given = secrets.filter((name) => env[name] !== undefined && name !== 'MONGODB_URI');
    expect(given.length).toBeGreaterThan(1);
    expect(given.filter((name) => text.includes(env[name]!))).toEqual([]);
  });
});
