import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { request as send } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { composeServices } from '@theguild/federation-composition';
import { buildSchema, parse } from 'graphql';
import { createClient as createSseClient } from 'graphql-sse';
import { createClient as createWebSocketClient } from 'graphql-ws';
import { fetch } from 'undici';
import { WebSocket } from 'ws';
import { until } from '../../test/support/until.ts';
import { type SubgraphServer, startSubgraph } from '../engine/testing/index.ts';
import { startTestGateway, type TestGateway } from './testing/gateway.ts';

const TYPES = 'type Query { never: Int }';
const QUERY = '{ never }';
const HEADERS = { 'content-type': 'application/json', accept: 'application/graphql-response+json' };
const BODY = JSON.stringify({ query: QUERY });
const PLENTY_MS = 60_000;
/** Long enough for the fetch to begin on a busy machine: planning counts towards it. */
const LIMIT_MS = 2_000;
const TIMED_OUT = {
  errors: [{ message: 'The operation took longer than 2 s.', extensions: { code: 'OPERATION_TIMEOUT' } }],
};

/** The calls to a subgraph that never answers. */
let calls: { begun: number; givenUp: number };
let folder: string;
let silent: SubgraphServer;
let graph: TestGateway | undefined;

beforeEach(async () => {
  const own = { begun: 0, givenUp: 0 };
  calls = own;
  silent = await startSubgraph(buildSchema(TYPES), {
    intercept(_request, response) {
      own.begun += 1;
      response.once('close', () => {
        own.givenUp += 1;
      });
      return true;
    },
  });
  folder = await mkdtemp(join(tmpdir(), 'cancellation-'));
});
afterEach(async () => {
  await graph?.close();
  silent.cut();
  await silent.close();
  await rm(folder, { recursive: true });
});

async function start(operationTimeoutMs: number): Promise<string> {
  const supergraph = join(folder, 'supergraph.graphql');
  const subgraphs = [{ name: 'silent', url: silent.url, typeDefs: parse(TYPES) }];
  await writeFile(supergraph, composeServices(subgraphs).supergraphSdl ?? '');
  graph = await startTestGateway({ supergraph, operationTimeoutMs, timeoutMs: PLENTY_MS });
  return graph.gateway.url;
}

/** The reference clients of both protocols. */
const clients = {
  websocket: (url: string) =>
    createWebSocketClient({ url: url.replace('http', 'ws'), webSocketImpl: WebSocket, retryAttempts: 0 }),
  sse: (url: string) => createSseClient({ url, fetchFn: fetch, retryAttempts: 0 }),
};

const begun = () => until('the fetch', () => calls.begun === 1);
const givenUp = () => until('the end of the fetch', () => calls.givenUp === 1);

describe('an operation that takes too long gets its error, and its fetch ends', () => {
  test('over HTTP, call after call on one connection', async () => {
    const url = await start(LIMIT_MS);
    for (const count of [1, 2]) {
      const response = await fetch(url, { method: 'POST', headers: HEADERS, body: BODY });
      expect([response.status, await response.json()]).toEqual([504, TIMED_OUT]);
      await until('the end of the fetch', () => calls.givenUp === count);
    }
  });

  test.each(['websocket', 'sse'] as const)('over %s', async (protocol) => {
    const client = clients[protocol](await start(LIMIT_MS));
    const answer = await client
      .iterate({ query: QUERY })
      .next()
      .then(
        ({ value }) => value,
        (errors: unknown) => ({ errors }),
      );
    expect(answer).toEqual(TIMED_OUT);
    await givenUp();
    await client.dispose();
  });
});

describe('the fetch of an operation ends when its client leaves', () => {
  test('over HTTP', async () => {
    const call = send(await start(PLENTY_MS), { method: 'POST', headers: HEADERS });
    call.on('error', () => undefined).end(BODY);
    await begun();
    call.destroy();
    await givenUp();
  });

  test.each(['websocket', 'sse'] as const)('over %s', async (protocol) => {
    const client = clients[protocol](await start(PLENTY_MS));
    const results = client.iterate({ query: QUERY });
    const first = results.next();
    await begun();
    await results.return?.();
    await givenUp();
    await client.dispose();
    await first;
  });
});
