import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import type { FastifyInstance } from 'fastify';
import { buildSchema } from 'graphql';
import { pino } from 'pino';
import type { Config } from '../../subgraphs/kernel/config/load.ts';
import type { CausalTimes } from '../../subgraphs/kernel/database/causal-times.ts';
import type { RequestContext } from '../../subgraphs/kernel/principal.ts';
import type { SubgraphFetch } from '../engine/index.ts';
import {
  createPrincipalSigner,
  createPrincipalVerifier,
  PRINCIPAL_HEADER,
} from '../http/subgraph-server/principal-token.ts';
import { buildSubgraphApp } from '../http/subgraph-server/subgraph-app.ts';
import { connectSubgraphs, type SubgraphConnections } from './connect-subgraphs.ts';

/* How a gateway and a subgraph, on a sharded cluster, say to each other how far their reads must reach. */

const KEY = 'a key of tokens, for tests alone'.replaceAll(' ', '_');
const context: RequestContext = { principal: null, requestId: 'r-1' };

/** The times of a process, and those that it received. */
function timesOf(now: string): CausalTimes & { now: string; readonly received: string[] } {
  const received: string[] = [];
  const times = {
    now,
    received,
    latest: () => times.now,
    advance: (text: string) => void received.push(text),
  };
  return times;
}

const ofGateway = timesOf('g1');
const ofSubgraph = timesOf('s1');
let app: FastifyInstance;
let url: string;
let connections: SubgraphConnections;

/** Each event has later times than the one before. */
async function* countTo3() {
  for (const n of ['1', '2', '3']) {
    ofSubgraph.now = `s${n}`;
    yield { n };
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

beforeAll(async () => {
  const schema = buildSchema(
    'type Query { n: String } type Mutation { n: String } type Subscription { n: String }',
  );
  Object.assign(schema.getSubscriptionType()?.getFields().n ?? {}, { subscribe: countTo3 });
  app = await buildSubgraphApp({
    subgraph: { name: 'users', schema, federatedSchema: async () => schema, sdl: '' },
    tokens: createPrincipalVerifier({ keys: [KEY], audience: 'users', causalTimes: ofSubgraph }),
    apiKeys: { findRevoked: async () => new Set() },
    log: pino({ level: 'silent' }),
    causalTimes: ofSubgraph,
  });
  await app.listen({ host: '127.0.0.1', port: 0 });
  url = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}/graphql`;
  const every = { SUBGRAPH_USERS_URL: url, SUBGRAPH_LINKS_URL: url, SUBGRAPH_OPERATIONS_URL: url };
  connections = connectSubgraphs({
    config: { ROLE: 'gateway', ...every, SUBGRAPH_REQUEST_MONEY_URL: url } as Config,
    subgraphs: [],
    tokens: createPrincipalSigner({ keys: [KEY], causalTimes: ofGateway }),
    causalTimes: ofGateway,
    tracing: { headers: () => ({}) },
    log: { warn: () => undefined },
  });
});
beforeEach(() => {
  ofSubgraph.now = 's1';
  ofSubgraph.received.length = 0;
  ofGateway.received.length = 0;
});
afterAll(async () => {
  await connections.close();
  await app.close();
});

const fetchOf = (operationKind: SubgraphFetch['operationKind']): SubgraphFetch => ({
  subgraph: 'users',
  document: `${operationKind} { n }`,
  operationKind,
  operationName: null,
});

test.each(['query', 'mutation'] as const)(
  'a %s sends the subgraph the times of its gateway, and the answer those of the subgraph',
  async (kind) => {
    const answer = await connections.transports.users?.execute(fetchOf(kind), {}, context);
    expect(answer).toMatchObject({ data: { n: null } });
    expect([ofSubgraph.received, ofGateway.received]).toEqual([['g1'], ['s1']]);
  },
);

test('each event sends the gateway the times at which it was sent', async () => {
  const events = await connections.transports.users?.subscribe(fetchOf('subscription'), {}, context);
  const answers: unknown[] = [];
  for await (const event of events as AsyncIterable<unknown>) {
    answers.push(event);
  }
  expect(answers).toHaveLength(3);
  // The socket and the operation have a token each.
  expect(ofSubgraph.received).toEqual(['g1', 'g1']);
  expect(ofGateway.received).toEqual(['s1', 's2', 's3']);
});

test('a subgraph takes them from a gateway alone', async () => {
  const body = '{"query":"{ n }"}';
  const post = async (token: string, sent = body) => {
    const headers = { 'content-type': 'application/json', [PRINCIPAL_HEADER]: token };
    return (await fetch(url, { method: 'POST', headers, body: sent })).status;
  };
  const sign = (key: string, times: string) =>
    createPrincipalSigner({ keys: [key], causalTimes: timesOf(times) }).sign(context, {
      audience: 'users',
      method: 'POST',
      body,
    });
  expect(await post(await sign('x'.repeat(32), 'forged'))).toBe(401);
  const token = await sign(KEY, 'g9');
  expect(await post(token, '{"query":"{ n n }"}')).toBe(401);
  expect(ofSubgraph.received).toEqual([]);
  expect(await post(token)).toBe(200);
  expect(await post(token)).toBe(401);
  expect(ofSubgraph.received).toEqual(['g9']);
});
