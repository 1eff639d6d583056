import type { AddressInfo } from 'node:net';
import { buildSubgraphSchema } from '@apollo/subgraph';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import type { FastifyInstance } from 'fastify';
import { parse } from 'graphql';
import { type Client, createClient } from 'graphql-ws';
import { WebSocket } from 'ws';
import { graphqlError } from '../../../subgraphs/graph/authorize.ts';
import { DatabaseAwayError } from '../../../subgraphs/kernel/database/outage.ts';
import { createLogger } from '../../../subgraphs/kernel/log/log.ts';
import {
  createPrincipalSigner,
  createPrincipalVerifier,
  operationText,
  PRINCIPAL_HEADER,
  type TokenUse,
} from './principal-token.ts';
import { buildSubgraphApp } from './subgraph-app.ts';

const KEYS = ['a key of tests, known to nobody else'] as const;
const AUDIENCE = 'things';
const SECRET = 'hunter2';

let app: FastifyInstance;
let client: Client;
let logged: Record<string, unknown>[];

const TYPES = `
  type Query { any: Int }
  type Thing { fine: Int, broken: Int, away: Int, coded: Int }
  type Subscription { things: Thing, unstarted: Int, ends: Int }
`;
const fail = (error: Error) => () => {
  throw error;
};
const RESOLVERS = {
  Thing: {
    fine: () => 1,
    broken: fail(new Error(SECRET)),
    away: fail(new Error(SECRET, { cause: new DatabaseAwayError() })),
    coded: fail(graphqlError('FORBIDDEN')),
  },
  Subscription: {
    things: {
      subscribe: async function* () {
        yield { things: {} };
      },
    },
    unstarted: { subscribe: fail(new Error(SECRET)) },
    ends: {
      subscribe: async function* () {
        yield { ends: 1 };
        throw new Error(SECRET);
      },
    },
  },
};

beforeEach(async () => {
  logged = [];
  const schema = buildSubgraphSchema([{ typeDefs: parse(TYPES), resolvers: RESOLVERS as never }]);
  app = await buildSubgraphApp({
    subgraph: { name: AUDIENCE, schema, federatedSchema: async () => schema, sdl: '' },
    tokens: createPrincipalVerifier({ keys: KEYS, audience: AUDIENCE }),
    apiKeys: { findRevoked: async () => new Set<string>() },
    log: createLogger({
      level: 'info',
      destination: { write: (line) => void logged.push(JSON.parse(line)) },
    }),
  });
  await app.listen({ host: '127.0.0.1', port: 0 });
  client = createClient({
    url: `ws://127.0.0.1:${(app.server.address() as AddressInfo).port}/graphql`,
    webSocketImpl: WebSocket,
    retryAttempts: 0,
    connectionParams: async () => tokenFor({ method: 'GET', body: '' }),
  });
});
afterEach(async () => {
  await client.dispose();
  await app.close();
});

async function tokenFor(use: Pick<TokenUse, 'method' | 'body'>): Promise<Record<string, string>> {
  const signer = createPrincipalSigner({ keys: KEYS });
  const caller = { principal: null, requestId: 'r1' };
  return { [PRINCIPAL_HEADER]: await signer.sign(caller, { audience: AUDIENCE, ...use }) };
}

/** All that comes of a subscription: its answers, then the errors that it ends with. */
async function follow(query: string): Promise<unknown[]> {
  const extensions = await tokenFor({ method: 'SUBSCRIBE', body: operationText({ query }) });
  return new Promise((resolve) => {
    const answers: unknown[] = [];
    client.subscribe(
      { query, extensions },
      {
        next: (answer) => answers.push(answer),
        error: (errors) => resolve([...answers, { errors }]),
        complete: () => resolve(answers),
      },
    );
  });
}

const internalError = {
  extensions: { code: 'INTERNAL_SERVER_ERROR' },
  message: expect.not.stringContaining(SECRET),
};

test('an error of an event is masked as over HTTP: only codes that were set on purpose pass', async () => {
  const answers = await follow('subscription { things { fine broken away coded } }');
  expect(answers).toEqual([
    {
      data: { things: { fine: 1, broken: null, away: null, coded: null } },
      errors: [
        expect.objectContaining({ ...internalError, path: ['things', 'broken'] }),
        expect.objectContaining({ extensions: { code: 'SERVICE_UNAVAILABLE' }, path: ['things', 'away'] }),
        expect.objectContaining({ extensions: { code: 'FORBIDDEN' }, path: ['things', 'coded'] }),
      ],
    },
  ]);
  expect(JSON.stringify(answers)).not.toContain(SECRET);
  const internal = logged.filter(({ msg }) => msg === 'subgraph.internal_error');
  expect(internal).toMatchObject([
    { err: { message: SECRET }, path: ['things', 'broken'] },
    { err: { message: SECRET }, path: ['things', 'away'] },
  ]);
});

test.each([
  ['does not start', 'subscription { unstarted }', 1],
  ['ends in the middle', 'subscription { ends }', 2],
])('the error of a subscription that %s is masked and logged', async (_what, query, count) => {
  const answers = await follow(query);
  expect(answers).toHaveLength(count);
  expect(answers.at(-1)).toMatchObject({ errors: [internalError] });
  expect(JSON.stringify(answers)).not.toContain(SECRET);
  // At `info` is that the server listens.
  expect(logged.filter(({ level }) => level !== 'info')).toMatchObject([
    { level: 'error', msg: 'subgraph.internal_error', err: { message: SECRET } },
  ]);
});

test('without a token for its operation a subscription does not start', async () => {
  const query = 'subscription { things { fine } }';
  const answers = await new Promise((resolve) => {
    client.subscribe({ query }, { next: resolve, error: resolve, complete: () => resolve('complete') });
  });
  expect(answers).toMatchObject([{ extensions: { code: 'UNAUTHENTICATED' } }]);
});
