import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import Fastify from 'fastify';
import { type Config, loadConfig } from '../../subgraphs/kernel/config/load.ts';
import { createLogger } from '../../subgraphs/kernel/log/log.ts';
import type { Principal, RequestContext } from '../../subgraphs/kernel/principal.ts';
import { until } from '../../test/support/until.ts';
import { createInProcessTransport, type Engine } from '../engine/index.ts';
import { createTestGraph, testContext } from '../engine/testing/index.ts';
import { createClientDocuments } from '../http/documents/client-documents.ts';
import { createStreamDrain } from '../http/drain.ts';
import { createClientStreams } from '../http/graphql/client-streams.ts';
import { statusOf } from '../http/graphql/media-type.ts';
import { addGraphQL } from '../http/graphql/route.ts';
import { createMetrics } from '../observe/metrics.ts';
import { createTracing } from '../observe/tracing.ts';
import { createGraph } from './graph.ts';
import { onSighup } from './reload/watch-supergraph.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'remitgraph-graph-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

const SUBGRAPHS = {
  MONGODB_URI: 'mongodb://127.0.0.1/none',
  SUBGRAPH_OPERATIONS_URL: 'http://127.0.0.1:1/graphql',
  SUBGRAPH_USERS_URL: 'http://127.0.0.1:1/graphql',
  SUBGRAPH_LINKS_URL: 'http://127.0.0.1:1/graphql',
  SUBGRAPH_REQUEST_MONEY_URL: 'http://127.0.0.1:1/graphql',
};

function openGraph(
  typeDefs: string,
  env: Readonly<Record<string, string>> = {},
  settings: Partial<Config> = {},
) {
  const { supergraphSdl, schemas } = createTestGraph({
    subgraphs: { one: typeDefs },
    resolvers: { Query: { a: () => 1, never: () => new Promise(() => undefined) } },
  });
  const transports = Object.fromEntries(
    Object.entries(schemas).map(([name, schema]) => [name, createInProcessTransport(schema)]),
  );
  const metrics = createMetrics({
    webhooks: {
      stats: () => ({ inFlight: 0 }),
      queue: async () => ({}),
      heldEndpoints: async () => ({ paused: 0, open: 0, halfOpen: 0 }),
      onAttempt: () => undefined,
    },
    events: async () => ({ lagMs: 0, numbered: 0, partitions: 64, ownPartitions: 0, activeFollowers: 0 }),
    pipeline: async () => ({ phases: {}, asked: {}, steps: {} }),
    jobs: () => ({}),
    requestLog: () => ({ written: 0, dropped: 0 }),
    operationalEvents: () => ({ raised: {}, mails: {} }),
    missingPrices: () => 0,
    auditViolations: () => ({}),
    discrepancies: async () => ({}),
    clockSkewMs: () => 0,
    certificates: {},
  });
  const graph = createGraph({
    config: { ...loadConfig({ DATA_DIR: folder, ...env }), ...settings },
    supergraphSdl,
    transports,
    metrics,
    tracing: createTracing(),
    log: createLogger({ level: 'silent' }),
    reloadSignal: onSighup,
  });
  return {
    graph,
    metrics,
    supergraphSdl,
    execute: (query: string) => graph.engine.execute({ query }, testContext({ principal: null })),
  };
}

const PRINCIPAL: Principal = { accountId: 'acme/sandbox', keyId: 'k', scopes: ['partner'] };

/** The extensions of an answer to `POST /graphql`. */
async function extensionsOverHttp(
  engine: Engine<RequestContext>,
  headers: Readonly<Record<string, string>>,
  payload: object,
): Promise<unknown> {
  const app = Fastify();
  app.decorateRequest('principal', null);
  await addGraphQL(app, {
    engine,
    documents: createClientDocuments(),
    credentials: { authenticate: async () => PRINCIPAL },
    revocations: { watch: () => () => undefined },
    drain: createStreamDrain({ seconds: 0 }),
    clients: createClientStreams({
      limits: { events: 1, bytes: 1_000 },
      metrics: { started: () => undefined, sent: () => undefined, ended: () => undefined },
      log: app.log,
    }),
  });
  const { body } = await app.inject({ method: 'POST', url: '/graphql', headers, payload });
  await app.close();
  return JSON.parse(body).extensions;
}

describe('the plan of an operation in the extensions of its answer', () => {
  const cost = { requested: 0, limit: expect.any(Number) };
  const payload = { query: 'query One { a } query Two { b: a }', operationName: 'Two' };
  const asking = { 'x-query-plan': '1' };

  test('is present for a request with X-Query-Plan', async () => {
    const { graph } = openGraph('type Query { a: Int }');
    expect(await extensionsOverHttp(graph.engine, asking, payload)).toEqual({
      cost,
      plan: expect.stringMatching(/^Fetch from one\n[\s\S]*b: a/),
    });
    await graph.close();
  });

  test('is absent for other requests, and for operations that do not run', async () => {
    const { graph } = openGraph('type Query { a: Int }');
    expect(await extensionsOverHttp(graph.engine, {}, payload)).toEqual({ cost });
    expect(await extensionsOverHttp(graph.engine, asking, { query: '{ none }' })).toBeUndefined();
    await graph.close();
  });

  test('is never present in production', async () => {
    const { graph } = openGraph('type Query { a: Int }', {}, { NODE_ENV: 'production' });
    expect(await extensionsOverHttp(graph.engine, asking, payload)).toEqual({ cost });
    await graph.close();
  });
});

describe("the product's graph", () => {
  test('counts the lookups of its plan cache', async () => {
    const { execute, metrics, graph } = openGraph('type Query { a: Int }');
    await execute('{ a }');
    await execute('{ a }');
    await execute('{ b: a }');
    const { text } = await metrics.render();
    expect(text).toContain('graphql_operation_cache_lookups_total{result="hit"} 1');
    expect(text).toContain('graphql_operation_cache_lookups_total{result="miss"} 2');
    await graph.close();
  });

  test('answers an operation that takes too long with a time-out, with status 504 in application/graphql-response+json', async () => {
    const { execute, graph } = openGraph('type Query { never: Int }', { GRAPHQL_TIMEOUT_SECONDS: '1' });
    const result = await execute('{ never }');
    expect(result).toMatchObject({ errors: [{ extensions: { code: 'OPERATION_TIMEOUT' } }] });
    expect(statusOf(result, 'application/graphql-response+json')).toBe(504);
    expect(statusOf(result, 'application/json')).toBe(200);
    await graph.close();
  });

  test('follows SUPERGRAPH_FILE', async () => {
    const file = join(folder, 'supergraph.graphql');
    writeFileSync(file, '');
    const env = { ROLE: 'gateway', SUPERGRAPH_FILE: file, ...SUBGRAPHS };
    const { execute, graph } = openGraph('type Query { a: Int }', env);
    expect(await execute('{ a }')).toMatchObject({ data: { a: 1 } });
    writeFileSync(file, openGraph('type Query { a: Int b: Int }').supergraphSdl);
    process.emit('SIGHUP');
    await until('the new field', async () => 'data' in (await execute('{ b }')));
    await graph.close();
  });
});

test('SUPERGRAPH_FILE is only for the gateway', () => {
  const file = join(folder, 'other.graphql');
  writeFileSync(file, '');
  expect(() => loadConfig({ DATA_DIR: folder, SUPERGRAPH_FILE: file })).toThrow('is for ROLE=gateway alone');
});
