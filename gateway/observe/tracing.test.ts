import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { context, propagation, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import { InMemorySpanExporter, NodeTracerProvider, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-node';
import { GraphQLError } from 'graphql';
import { createTestGraph, testContext } from '../engine/testing/index.ts';
import { createTracing } from './tracing.ts';

const exporter = new InMemorySpanExporter();

function createGraph(tracing = createTracing()) {
  const sent: Record<string, string>[] = [];
  const { engine } = createTestGraph({
    subgraphs: { one: 'type Query { a: Int fails: Int down: Int } type Subscription { ticks: Int }' },
    resolvers: {
      Query: {
        a: () => 1,
        fails: () => {
          throw new GraphQLError('no', { extensions: { code: 'NO' } });
        },
      },
    },
    engine: { hooks: tracing.hooks() },
    decorate: (transport) => ({
      ...transport,
      execute: (fetch, variables, context) => {
        sent.push(tracing.headers());
        if (fetch.document.includes('down')) {
          return Promise.reject(new Error('broken'));
        }
        return transport.execute(fetch, variables, context);
      },
    }),
  });
  return { engine, sent };
}

describe('with an SDK', () => {
  const provider = new NodeTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
  beforeAll(() => provider.register());
  afterEach(() => exporter.reset());
  afterAll(async () => {
    await provider.shutdown();
    trace.disable();
    context.disable();
    propagation.disable();
  });

  /** In the order in which they have ended: operations after their fetches. */
  const ended = () => exporter.getFinishedSpans();

  test('operations have spans, their fetches are children, and subgraphs get the span in headers', async () => {
    const { engine, sent } = createGraph();
    await engine.execute({ query: 'query Mine { a }', operationName: 'Mine' }, testContext());
    const [fetch, operation] = ended();
    expect(operation).toMatchObject({
      name: 'query',
      kind: SpanKind.SERVER,
      parentSpanContext: undefined,
      attributes: { 'graphql.operation.name': 'Mine', 'graphql.operation.type': 'query' },
    });
    expect(fetch).toMatchObject({
      name: 'graphql.fetch',
      attributes: { 'graphql.operation.type': 'query', 'graphql.subgraph.name': 'one' },
    });
    const [traceId, spanId] = [operation?.spanContext().traceId, fetch?.spanContext().spanId];
    expect(fetch?.parentSpanContext?.spanId).toBe(operation?.spanContext().spanId);
    expect(sent).toEqual([{ traceparent: `00-${traceId}-${spanId}-01` }]);
    expect(ended()).toHaveLength(2);
  });

  test('errors and failed fetches are on the spans, without their messages', async () => {
    const { engine } = createGraph();
    await engine.execute({ query: '{ fails }' }, testContext());
    await engine.execute({ query: '{ down }' }, testContext());
    expect(ended().map((span) => span.attributes['error.type'])).toEqual([
      'NO',
      'NO',
      'Error',
      'DOWNSTREAM_SERVICE_ERROR',
    ]);
    for (const { status, events } of ended()) {
      expect([status, events]).toEqual([{ code: SpanStatusCode.ERROR }, []]);
    }
  });

  test('an operation without a fetch has the name for an unknown type; a name that is too long is omitted', async () => {
    const { engine } = createGraph();
    const name = 'a'.repeat(129);
    await engine.execute({ query: `query ${name} { __typename }`, operationName: name }, testContext());
    expect(ended()).toMatchObject([{ name: 'GraphQL Operation' }]);
    expect(ended()[0]?.attributes).toEqual({});
  });

  test('trusted documents and subscriptions have spans, too', async () => {
    const { engine } = createGraph();
    await engine.executeTrusted(engine.prepareTrusted('query Ours { a }'), null, testContext());
    await engine.subscribe({ query: 'subscription S { ticks }', operationName: 'S' }, testContext());
    const names = ended().map(({ name, attributes }) => [name, attributes['graphql.operation.name']]);
    expect(names).toEqual([
      ['graphql.fetch', undefined],
      ['query', 'Ours'],
      ['subscription', 'S'],
    ]);
  });
});

test('without an SDK there are no hooks, and nothing is added to requests', () => {
  const tracing = createTracing();
  expect(tracing.hooks()).toEqual([]);
  expect(tracing.headers()).toEqual({});
  tracing.requests({
    addHook: () => {
      throw new Error('requests must stay as they are');
    },
  });
});
