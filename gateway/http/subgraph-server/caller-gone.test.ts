import { addAbortListener, once } from 'node:events';
import { createServer, IncomingMessage, ServerResponse, request as send } from 'node:http';
import { type AddressInfo, Socket } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { buildSubgraphSchema } from '@apollo/subgraph';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import type { FastifyInstance } from 'fastify';
import { parse } from 'graphql';
import { createCallerController } from '../../../subgraphs/kernel/http/caller-gone.ts';
import { createLogger } from '../../../subgraphs/kernel/log/log.ts';
import type { RequestContext } from '../../../subgraphs/kernel/principal.ts';
import { until } from '../../../test/support/until.ts';
import { createPrincipalSigner, createPrincipalVerifier, PRINCIPAL_HEADER } from './principal-token.ts';
import { buildSubgraphApp } from './subgraph-app.ts';

const KEYS = ['a key of tests, known to nobody else'] as const;
const AUDIENCE = 'things';

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
    subgraph: { federatedSchema: async () => schema },
    tokens: createPrincipalVerifier({ keys: KEYS, audience: AUDIENCE }),
    log: createLogger({ level: 'silent' }),
  } as unknown as Parameters<typeof buildSubgraphApp>[0]);
  await app.listen({ host: '127.0.0.1', port: 0 });
});
afterEach(async () => {
  goOn();
  await app.close();
});

async function post(query: string) {
  const { port } = app.server.address() as AddressInfo;
  const body = JSON.stringify({ query });
  const use = { audience: AUDIENCE, method: 'POST', body } as const;
  const token = await createPrincipalSigner({ keys: KEYS }).sign({ principal: null, requestId: 'r' }, use);
  const headers = { 'content-type': 'application/json', [PRINCIPAL_HEADER]: token };
  const call = send({ host: '127.0.0.1', port, path: '/graphql', method: 'POST', headers });
  call.on('error', () => undefined);
  const answered = new Promise<number | undefined>((resolve) => {
    call.on('response', (response) => response.resume().on('end', () => resolve(response.statusCode)));
  });
  call.end(body);
  return { call, answered };
}

test('work for a caller that went away is aborted, though its request had come whole', async () => {
  const { call } = await post('{ slow }');
  await until('the resolver', () => signals.length === 1);
  expect(signals[0]?.aborted).toBe(false);
  call.destroy();
  await until('the abort', () => signals[0]?.aborted === true);
});

test('a caller that has its answer went nowhere', async () => {
  const { answered } = await post('{ quick }');
  expect(await answered).toBe(200);
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(signals.map(({ aborted }) => aborted)).toEqual([false]);
});

test('a caller that had gone before anybody looked counts as gone, too', async () => {
  let response: ServerResponse | undefined;
  const server = createServer((_request, answer) => {
    response = answer;
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const call = send({ host: '127.0.0.1', port });
  call.on('error', () => undefined).end();
  await until('the request', () => response !== undefined);
  call.destroy();
  await until('the close', () => response?.closed === true);
  const gone = { extensions: { code: 'CLIENT_CLOSED_REQUEST' } };
  expect(createCallerController(response as ServerResponse).signal.reason).toMatchObject(gone);
  server.close();
});

test('any number of fetches of one operation may listen to its signal', async () => {
  const warnings: Error[] = [];
  const listen = (warning: Error) => warnings.push(warning);
  process.on('warning', listen);
  try {
    const { signal } = createCallerController(new ServerResponse(new IncomingMessage(new Socket())));
    for (let count = 0; count < 50; count++) {
      addAbortListener(signal, () => undefined);
    }
    await setImmediate();
    expect(warnings).toEqual([]);
  } finally {
    process.off('warning', listen);
  }
});
