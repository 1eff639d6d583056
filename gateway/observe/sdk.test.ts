import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { context, propagation, ROOT_CONTEXT, SpanKind, trace } from '@opentelemetry/api';
import {
  InMemorySpanExporter,
  NodeTracerProvider,
  type ReadableSpan,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-node';
import Fastify from 'fastify';
import { buildTestApp, type TestApp } from '../../test/support/test-app.ts';
import { until } from '../../test/support/until.ts';
import { createTracing } from './tracing.ts';

const KEY = 'raas_sandbox_tracing_test_key';
const SEED = {
  tenants: [
    {
      tenantId: 'acme',
      name: 'Acme',
      features: ['request-money'],
      // Rejected by the address guard: the attempt fails at once.
      webhookUrl: 'https://127.0.0.1:9/hook',
      webhookSecret: 'whsec_acme_0001',
      apiKeys: [{ key: KEY }],
    },
  ],
};
const TRACE = '0af7651916cd43dd8448eb211c80319c';
const PARENT = 'b7ad6b7169203331';
const traceparent = `00-${TRACE}-${PARENT}-01`;

const exporter = new InMemorySpanExporter();
const provider = new NodeTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });

beforeAll(() => provider.register());
beforeEach(() => exporter.reset());
afterAll(async () => {
  await provider.shutdown();
  trace.disable();
  context.disable();
  propagation.disable();
});

const named = (name: string): ReadableSpan[] =>
  exporter.getFinishedSpans().filter((span) => span.name === name);

/** Every finished span belongs to the trace: one of a request, a child of `parent`, its operation, and fetches of that. */
function expectOneTrace(traceId: string, parent: string | undefined): void {
  const spans = exporter.getFinishedSpans();
  const requests = spans.filter(({ attributes }) => 'http.route' in attributes);
  const operations = named('query');
  const fetches = named('graphql.fetch');
  expect([requests.length, operations.length, fetches.length > 0]).toEqual([1, 1, true]);
  expect(new Set(spans.map((span) => span.spanContext().traceId))).toEqual(new Set([traceId]));
  expect(requests[0]?.parentSpanContext?.spanId).toBe(parent);
  expect(operations[0]?.parentSpanContext?.spanId).toBe(requests[0]?.spanContext().spanId);
  expect(new Set(fetches.map((span) => span.parentSpanContext?.spanId))).toEqual(
    new Set([operations[0]?.spanContext().spanId]),
  );
}

describe('the product with a real SDK', () => {
  const folder = mkdtempSync(join(tmpdir(), 'remitgraph-tracing-'));
  let product: TestApp;
  beforeAll(async () => {
    const seedFile = join(folder, 'seed.json');
    writeFileSync(seedFile, JSON.stringify(SEED));
    product = await buildTestApp({ NODE_ENV: 'test', SEED_FILE: seedFile });
  });
  afterAll(async () => {
    await product.close();
    rmSync(folder, { recursive: true });
  });

  const send = (headers: Record<string, string>) =>
    product.app.inject({
      method: 'POST',
      url: '/graphql',
      headers: { 'x-api-key': KEY, ...headers },
      payload: {
        query: 'query Both { me { id } operations(first: 1) { totalCount } }',
        operationName: 'Both',
      },
    });

  test('an operation over HTTP and its fetches continue the trace of the request', async () => {
    const answer = await send({ traceparent });
    expect(answer.json()).toMatchObject({ data: { me: { id: 'acme' } } });
    expectOneTrace(TRACE, PARENT);
    expect(named('POST /graphql')).toMatchObject([
      {
        kind: SpanKind.SERVER,
        attributes: {
          'http.request.method': 'POST',
          'http.route': '/graphql',
          'http.response.status_code': 200,
          'url.scheme': 'http',
          'url.path': '/graphql',
        },
      },
    ]);
    expect(named('query')).toMatchObject([
      {
        kind: SpanKind.SERVER,
        attributes: { 'graphql.operation.name': 'Both', 'graphql.operation.type': 'query' },
      },
    ]);
    expect(
      named('graphql.fetch')
        .map((span) => span.attributes['graphql.subgraph.name'])
        .sort(),
    ).toEqual(['links', 'operations']);
  });

  test('so does a REST call', async () => {
    const { statusCode } = await product.app.inject({
      url: '/partner/operations',
      headers: { 'x-api-key': KEY, traceparent },
    });
    expect(statusCode).toBe(200);
    expectOneTrace(TRACE, PARENT);
  });

  test('the first attempt at a webhook belongs to the trace of the call that caused it', async () => {
    const { statusCode } = await product.app.inject({
      method: 'POST',
      url: '/v1/request-money',
      headers: { 'x-api-key': KEY, traceparent },
      payload: {},
    });
    expect(statusCode).toBe(422);
    await until('the attempts', () => named('webhook.attempt').length === 2);
    const stored = await product.connection.collection('webhookDeliveries').find().toArray();
    const callers = named('graphql.fetch').map((span) => span.spanContext().spanId);
    for (const span of named('webhook.attempt')) {
      expect(span.spanContext().traceId).toBe(TRACE);
      expect(callers).toContain(span.parentSpanContext?.spanId);
      expect(span.attributes['error.type']).toBe('refused_address');
      const [post] = named('POST').filter(
        ({ parentSpanContext }) => parentSpanContext?.spanId === span.spanContext().spanId,
      );
      expect(post).toMatchObject({ kind: SpanKind.CLIENT, attributes: { 'error.type': 'refused_address' } });
    }
    for (const delivery of stored) {
      expect(callers.map((id) => `00-${TRACE}-${id}-01`)).toContain(delivery.traceparent);
    }
  });

  test('a request without a trace, or with an unreadable one, begins its own', async () => {
    for (const headers of [{}, { traceparent: 'none' }]) {
      exporter.reset();
      await send(headers);
      const [operation] = named('query');
      expectOneTrace(String(operation?.spanContext().traceId), undefined);
      expect(operation?.spanContext().traceId).not.toBe(TRACE);
    }
  });

  test('requests at once are not mixed up', async () => {
    const traces = Array.from({ length: 10 }, (_, index) => `${TRACE.slice(0, -1)}${index}`);
    await Promise.all(traces.map((id) => send({ traceparent: `00-${id}-${PARENT}-01` })));
    const seen = named('graphql.fetch').map((span) => span.spanContext().traceId);
    expect(new Set(seen)).toEqual(new Set(traces));
    expect(seen).toHaveLength(20);
  });
});

describe('a subgraph of its own', () => {
  test('has a span for each request, a child of the fetch that the gateway names in its headers', async () => {
    const tracing = createTracing();
    const ownHeaders: Record<string, string>[] = [];
    const app = Fastify();
    tracing.requests(app, { 'graphql.subgraph.name': 'users' });
    app.post('/graphql', async () => {
      await new Promise((later) => setTimeout(later, 1));
      // Its own calls would have its own span in their headers.
      ownHeaders.push(tracing.headers());
      return {};
    });
    const [spans] = tracing.hooks();
    const sent = {
      subgraph: 'users',
      document: '{ a }',
      operationKind: 'query',
      operationName: null,
    } as const;
    await spans?.onFetch?.(sent, { requestId: 'r' }, async () => {
      const headers = tracing.headers();
      const request = { method: 'POST', url: '/graphql', headers, payload: { query: '{ a }' } } as const;
      // Another process only gets the headers of the fetch.
      await context.with(ROOT_CONTEXT, async () => void (await app.inject(request)));
      return {};
    });
    await app.close();
    const [fetch, served] = [named('graphql.fetch')[0], named('POST /graphql')[0]];
    expect(served?.parentSpanContext?.spanId).toBe(fetch?.spanContext().spanId);
    expect(served?.spanContext().traceId).toBe(fetch?.spanContext().traceId);
    expect(ownHeaders[0]?.traceparent).toContain(String(served?.spanContext().spanId));
  });

  test('an instrumentation that has continued the trace stays in charge', async () => {
    const tracing = createTracing();
    const tracer = trace.getTracer('instrumentation');
    const app = Fastify();
    app.addHook('onRequest', (_request, _reply, done) => {
      tracer.startActiveSpan('HTTP', (span) => {
        done();
        span.end();
      });
    });
    tracing.requests(app);
    const ownHeaders: Record<string, string>[] = [];
    app.get('/', async () => {
      ownHeaders.push(tracing.headers());
      return {};
    });
    await app.inject({ url: '/', headers: { traceparent } });
    await app.close();
    expect(ownHeaders[0]?.traceparent).toContain(String(named('HTTP')[0]?.spanContext().spanId));
  });
});
