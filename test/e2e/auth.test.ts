import { resolve } from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { type Deployment, revokeSeededKey } from '../support/deployment.ts';
import { type Exchange, exchangeWith } from '../support/http.ts';
import { lookUp, queryGraph } from '../support/money-requests.ts';
import { useScene } from '../support/scene.ts';
import { KEYS } from '../support/seed.ts';
import { MOSTLY_ALL, type Server } from '../support/server.ts';
import { runProduct } from '../support/server-process.ts';
import { until } from '../support/until.ts';

const ADMIN = resolve('dist/bin/admin.js');
const QUERY = '{ requestMonies { totalCount } }';
const FOLLOW = 'subscription { requestMoneyStatusChanged { cursor } }';

const BAD_KEYS: readonly [name: string, headers: Record<string, string>][] = [
  ['no key', {}],
  ['an empty key', { 'X-API-Key': '' }],
  ['an unknown key', { 'X-API-Key': 'raas_sandbox_never_made' }],
  ['an unknown key in api_key', { api_key: 'raas_sandbox_never_made' }],
  ['a revoked key', { 'X-API-Key': KEYS.acmeRevoked }],
  ['the internal key', { 'X-Internal-Key': 'internal_key_of_tests' }],
];

describe.each(MOSTLY_ALL)('Arrangement %s', (arrangement) => {
  const scene = useScene();
  let deployment: Deployment;
  let server: Server;
  let exchange: Exchange;
  beforeAll(async () => {
    deployment = await scene.deploy({ arrangement });
    server = await deployment.start();
    exchange = exchangeWith(server.url);
    await revokeSeededKey(await deployment.database());
  });

  describe('GraphQL over HTTP', () => {
    test.each(BAD_KEYS)('answers 401 to %s', async (_name, headers) => {
      const response = await exchange({
        method: 'POST',
        path: '/graphql',
        headers: { 'Content-Type': 'application/json', ...headers },
        body: JSON.stringify({ query: QUERY }),
      });
      expect(response.status).toBe(401);
      expect(response.headers['x-request-id']).toBeTruthy();
      expect(JSON.parse(response.text)).toEqual({
        errors: [{ message: expect.any(String), extensions: { code: 'UNAUTHENTICATED' } }],
      });
    });

    test('answers 401 before it looks at the body', async () => {
      const response = await exchange({
        method: 'POST',
        path: '/graphql',
        headers: { 'Content-Type': 'application/json' },
        body: '{',
      });
      expect(response.status).toBe(401);
    });

    test.each([['X-API-Key'], ['api_key']])('takes the key in %s', async (name) => {
      const response = await exchange({
        method: 'POST',
        path: '/graphql',
        headers: { 'Content-Type': 'application/json', [name]: KEYS.acme },
        body: JSON.stringify({ query: QUERY }),
      });
      expect(response.status).toBe(200);
      expect(JSON.parse(response.text)).toMatchObject({ data: { requestMonies: { totalCount: 0 } } });
    });

    test.each([KEYS.acmeBare, KEYS.acmeWithoutPartner])('lets %s call nothing', async (key) => {
      const answer = await queryGraph(exchange, QUERY, {}, key);
      expect(answer.errors?.map(({ extensions }) => extensions?.code)).toEqual(['FORBIDDEN']);
    });

    test('knows no operations of the internal surface', async () => {
      const answer = await queryGraph(
        exchange,
        'mutation { updateRequestMoneyStatusFromJson(body: "{}") { userErrors { code } } }',
      );
      expect(answer.errors?.[0]?.message).toMatch(/Cannot query field "updateRequestMoneyStatusFromJson"/);
      const entities = await queryGraph(exchange, '{ _entities(representations: []) { __typename } }');
      expect(entities.errors?.[0]?.message).toMatch(/Cannot query field "_entities"/);
    });
  });

  describe('GraphQL over WebSocket', () => {
    test.each(BAD_KEYS)('closes with 4403 for %s', async (_name, connectionParams) => {
      const socket = await scene.subscriber({ url: server.url, connectionParams });
      expect(await socket.closed).toMatchObject({ code: 4403 });
      expect(socket.acknowledged()).toBe(false);
    });

    test('closes with 4403 without connectionParams', async () => {
      const socket = await scene.subscriber({ url: server.url });
      expect(await socket.closed).toMatchObject({ code: 4403 });
    });

    test.each(['X-API-Key', 'api_key', 'x-api-key'])('takes the key in %s', async (name) => {
      const socket = await scene.subscriber({ url: server.url, connectionParams: { [name]: KEYS.acme } });
      expect(socket.acknowledged()).toBe(true);
      await socket.close();
    });

    test('rejects a subscription of a key without the scope', async () => {
      const socket = await scene.subscriber({
        url: server.url,
        connectionParams: { 'X-API-Key': KEYS.acmeBare },
      });
      const rejected = socket.subscribe(FOLLOW);
      await until('an error', () => rejected.errors.length > 0);
      expect(rejected.errors[0]?.extensions?.code).toBe('FORBIDDEN');
    });
  });

  describe('A key made and revoked by npm run admin', () => {
    test('works at once, and no longer once it is revoked, open sockets included', async () => {
      const [made] = await admin('key', 'create', '--tenant', 'acme', '--label', 'short-lived');
      const key = String(made?.key);
      const connectionParams = { 'X-API-Key': key };
      const socket = await scene.subscriber({ url: server.url, connectionParams });
      const live = socket.subscribe(FOLLOW);
      expect((await lookUp(exchange, 'AB12cd34', key)).status).toBe(404);
      expect(socket.acknowledged()).toBe(true);

      await admin('key', 'revoke', '--id', String(made?.keyId));
      const rejected = until('401', async () => (await lookUp(exchange, 'AB12cd34', key)).status === 401);
      const [{ code }] = await Promise.all([socket.closed, rejected]);
      expect(code).toBe(4403);
      expect(live.events).toEqual([]);
      expect((await queryGraph(exchange, QUERY, {}, key)).status).toBe(401);
      const after = await scene.subscriber({ url: server.url, connectionParams });
      expect(await after.closed).toMatchObject({ code: 4403 });
    });

    test('is stored without being readable', async () => {
      const [made] = await admin('key', 'create', '--tenant', 'acme', '--label', 'hidden');
      const database = await deployment.database();
      const stored = await database.collection('apiKeys').find().toArray();
      expect(stored.map(({ label }) => label)).toContain('hidden');
      expect(JSON.stringify(stored)).not.toContain(String(made?.key));
    });
  });

  async function admin(...args: string[]): Promise<Record<string, unknown>[]> {
    const run = runProduct(ADMIN, [...args, '--json'], deployment.env);
    const { code } = await run.exited;
    expect([code, run.output()]).toEqual([0, expect.any(String)]);
    return JSON.parse(run.output());
  }
});
