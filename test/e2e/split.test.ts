import { beforeAll, describe, expect, test } from '@jest/globals';
import {
  createPrincipalSigner,
  PRINCIPAL_HEADER,
  type TokenUse,
} from '../../gateway/http/subgraph-server/principal-token.ts';
import type { Role } from '../../subgraphs/kernel/config/roles.ts';
import type { Deployment } from '../support/deployment.ts';
import { badTokens, principalOf, subscribeForeign } from '../support/foreign-gateway.ts';
import { type Exchange, exchangeWith } from '../support/http.ts';
import { untilIdle } from '../support/idle.ts';
import { createMoneyRequest, moneyRequestBody, newReference } from '../support/money-requests.ts';
import { useScene } from '../support/scene.ts';
import { INTERNAL_KEY, KEYS } from '../support/seed.ts';
import type { Server } from '../support/server.ts';
import { until } from '../support/until.ts';

const SUBGRAPHS: readonly Role[] = [
  'subgraph-operations',
  'subgraph-users',
  'subgraph-links',
  'subgraph-request-money',
];

const scene = useScene();
let deployment: Deployment;
let server: Server;
let exchange: Exchange;
beforeAll(async () => {
  deployment = await scene.deploy({ arrangement: 'split' });
  server = await deployment.start();
  exchange = exchangeWith(server.url);
});

describe.each(SUBGRAPHS)('%s', (role) => {
  const audience = role.slice('subgraph-'.length);
  const BODY = '{"query":"{ __typename }"}';
  const token = (changes: Partial<TokenUse> = {}, key = deployment.env.INTERNAL_TOKEN_KEY ?? '', ageMs = 0) =>
    createPrincipalSigner({ keys: [key], clock: () => Date.now() - ageMs }).sign(
      { principal: principalOf('key_1'), requestId: 'r-1' },
      { audience, method: 'POST', body: BODY, ...changes },
    );
  const TOKENS = badTokens(token, () => deployment.env.ENCRYPTION_KEY);
  const send = (headers: Record<string, string>) =>
    exchangeWith(server.urlOf(role))({
      method: 'POST',
      path: '/graphql',
      headers: { 'Content-Type': 'application/json', ...headers },
      body: BODY,
    });

  test.each(TOKENS)('rejects %s, an API key beside it or not', async (_name, make) => {
    const given = await make();
    const response = await send({
      'X-API-Key': KEYS.acme,
      ...(given !== undefined && { [PRINCIPAL_HEADER]: given }),
    });
    expect(response.status).toBe(401);
    expect(JSON.parse(response.text)).toEqual({
      errors: [{ message: expect.any(String), extensions: { code: 'UNAUTHENTICATED' } }],
    });
    const connectionParams = { 'X-API-Key': KEYS.acme, [PRINCIPAL_HEADER]: given };
    const socket = await scene.subscriber({ url: server.urlOf(role), connectionParams });
    expect(await socket.closed).toMatchObject({ code: 4403 });
  });

  test('serves a token that the gateway signed, once', async () => {
    const headers = { [PRINCIPAL_HEADER]: await token() };
    const response = await send(headers);
    expect([response.status, JSON.parse(response.text)]).toEqual([200, { data: { __typename: 'Query' } }]);
    expect((await send(headers)).status).toBe(401);
    const connectionParams = { [PRINCIPAL_HEADER]: await token({ method: 'GET', body: '' }) };
    const socket = await scene.subscriber({ url: server.urlOf(role), connectionParams });
    expect(socket.acknowledged()).toBe(true);
    const again = await scene.subscriber({ url: server.urlOf(role), connectionParams });
    expect(await again.closed).toMatchObject({ code: 4403 });
  });
});

describe.each<Role>([...SUBGRAPHS, 'worker'])('%s', (role) => {
  test.each([
    ['POST', '/v1/request-money'],
    ['GET', '/v1/request-money/AB12cd34'],
    ['PATCH', '/v1/internal/remittances/status'],
    ['GET', '/graphiql'],
    ['GET', '/graphql'],
    ['GET', '/'],
  ])('does not serve %s %s', async (method, path) => {
    const headers = { 'X-API-Key': KEYS.acme, 'X-Internal-Key': INTERNAL_KEY };
    expect((await exchangeWith(server.urlOf(role))({ method, path, headers })).status).toBe(404);
  });

  test.each(['/health/live', '/health/ready', '/metrics'])('serves %s', async (path) => {
    expect((await exchangeWith(server.urlOf(role))({ method: 'GET', path })).status).toBe(200);
  });
});

describe('A gateway that leaves subscriptions of a revoked key open', () => {
  test('has them ended by the subgraph', async () => {
    const apiKeys = (await deployment.database()).collection<{ _id: string }>('apiKeys');
    const { _id: keyId = '' } = (await apiKeys.findOne({ label: 'half' })) ?? {};
    const query = 'subscription { requestMoneyStatusChanged { status requestMoney { referenceId } } }';
    const { got, close } = await subscribeForeign(query, {
      url: server.urlOf('subgraph-request-money'),
      audience: 'request-money',
      tokenKey: deployment.env.INTERNAL_TOKEN_KEY ?? '',
      principal: principalOf(keyId),
    });
    await until('a live event', async () => {
      await createMoneyRequest(exchange, moneyRequestBody(newReference()));
      return got.length > 0;
    });
    await apiKeys.updateOne({ _id: keyId }, { $set: { revokedAt: new Date() } });
    await until('the end', () => got.at(-1) === 'complete');
    const referenceId = newReference();
    await createMoneyRequest(exchange, moneyRequestBody(referenceId));
    await untilIdle(await deployment.database());
    expect(got.join('\n')).not.toContain(referenceId);
    await close();
  });
});
