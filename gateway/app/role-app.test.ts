import { Agent, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { buildSchema } from 'graphql';
import type { Connection } from 'mongoose';
import { pino } from 'pino';
import type { Config } from '../../subgraphs/kernel/config/load.ts';
import type { RequestContext } from '../../subgraphs/kernel/principal.ts';
import { createPrincipalSigner, PRINCIPAL_HEADER } from '../http/subgraph-server/principal-token.ts';
import { buildRoleApp, type RoleAppDeps } from './role-app.ts';

const KEY = 'a key of tokens, for tests alone'.replaceAll(' ', '_');
const BODY = '{"query":"{ slow }"}';

/** A schema with a field whose answer waits until the test releases it. */
function createSlowSchema() {
  const schema = buildSchema('type Query { slow: String }');
  let begin: () => void = () => undefined;
  let answer: (value: string) => void = () => undefined;
  const begun = new Promise<void>((resolve) => {
    begin = resolve;
  });
  const held = new Promise<string>((resolve) => {
    answer = resolve;
  });
  const answerSlowly = () => {
    begin();
    return held;
  };
  Object.assign(schema.getQueryType()?.getFields().slow ?? {}, { resolve: answerSlowly });
  return { schema, begun, letGo: (): void => answer('done') };
}

test("a subgraph that stops waits for a running request, not for a gateway's idle connection", async () => {
  const { schema, begun, letGo } = createSlowSchema();
  const state = { draining: false };
  const app = await buildRoleApp({
    config: {
      ROLE: 'subgraph-users',
      INTERNAL_TOKEN_KEY: KEY,
      INTERNAL_TOKEN_KEY_PREVIOUS: [] as readonly string[],
      REQUEST_TIMEOUT_SECONDS: 60,
      GRAPHQL_TIMEOUT_SECONDS: 30,
    } as Config,
    subgraphs: {
      schemas: [{ name: 'users', schema, federatedSchema: async () => schema, sdl: '' }],
      clock: { now: () => new Date(), isRight: () => true, skewMs: () => 0 },
      apiKeys: { findRevoked: async () => new Set() },
    } as unknown as RoleAppDeps['subgraphs'],
    metrics: { observeRequest: () => undefined } as unknown as RoleAppDeps['metrics'],
    connection: {} as Connection,
    supergraphSdl: '',
    log: pino({ level: 'silent' }),
    state,
  });
  await app.listen({ host: '127.0.0.1', port: 0 });
  const { port } = app.server.address() as AddressInfo;
  const caller: RequestContext = {
    principal: { accountId: 'acme/sandbox', keyId: 'key_1', scopes: ['partner'] },
    requestId: 'r-1',
  };
  const token = await createPrincipalSigner({ keys: [KEY] }).sign(caller, {
    audience: 'users',
    method: 'POST',
    body: BODY,
  });
  const agent = new Agent({ keepAlive: true });
  const answer = new Promise<string>((resolve, reject) => {
    const headers = { 'content-type': 'application/json', [PRINCIPAL_HEADER]: token };
    const sent = request({ port, path: '/graphql', method: 'POST', agent, headers }, (response) =>
      text(response).then(resolve, reject),
    );
    sent.on('error', reject).end(BODY);
  });
  await begun;
  state.draining = true;
  const closed = app.close().then(() => 'closed');
  letGo();
  expect(JSON.parse(await answer)).toEqual({ data: { slow: 'done' } });
  expect(await Promise.race([closed, sleep(30_000, 'still open', { ref: false })])).toBe('closed');
  agent.destroy();
});
