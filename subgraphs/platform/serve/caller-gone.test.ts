import { request as send } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buildSubgraphSchema } from '@apollo/subgraph';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import type { FastifyInstance } from 'fastify';
import { parse } from 'graphql';
import { until } from '../../../test/support/until.ts';
import { createLogger } from '../log.ts';
import type { RequestContext } from '../principal.ts';
import { buildSubgraphApp } from './subgraph-app.ts';

let app: FastifyInstance;
let signals: AbortSignal[];
let goOn: () => void;

beforeEach(async () => {
  signals = [];
  const held = new Promise<void>((resolve) => {
    goOn = resolve;
  });
  const schema = buildSubgraphSchema([
    {
      typeDefs: parse('type Query { slow: Int, quick: Int }'),
      resolvers: {
        Query: {
          slow: async (_source: unknown, _arguments: unknown, { signal }: RequestContext) => {
            signals.push(signal as AbortSignal);
            await held;
            return 1;
          },
          quick: (_source: unknown, _arguments: unknown, { signal }: RequestContext) => {
            signals.push(signal as AbortSignal);
            return 2;
          },
        },
      } as never,
    },
  ]);
  app = await buildSubgraphApp({
    subgraph: { schema },
    tokens: { verify: () => ({ principal: null, requestId: 'r' }) },
    log: createLogger({ level: 'silent' }),
  } as unknown as Parameters<typeof buildSubgraphApp>[0]);
  await app.listen({ host: '127.0.0.1', port: 0 });
});
afterEach(async () => {
  goOn();
  await app.close();
});

function ask(query: string) {
  const { port } = app.server.address() as AddressInfo;
  const headers = { 'content-type': 'application/json' };
  const call = send({ host: '127.0.0.1', port, path: '/graphql', method: 'POST', headers });
  call.on('error', () => undefined);
  const answered = new Promise<number | undefined>((resolve) => {
    call.on('response', (response) => response.resume().on('end', () => resolve(response.statusCode)));
  });
  call.end(JSON.stringify({ query }));
  return { call, answered };
}

test('what runs for a caller that went away is told, though its request had come whole', async () => {
  const { call } = ask('{ slow }');
  await until('the resolver', () => signals.length === 1);
  expect(signals[0]?.aborted).toBe(false);
  call.destroy();
  await until('the abort', () => signals[0]?.aborted === true);
});

test('a caller that has its answer went nowhere', async () => {
  const { answered } = ask('{ quick }');
  expect(await answered).toBe(200);
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(signals.map(({ aborted }) => aborted)).toEqual([false]);
});
