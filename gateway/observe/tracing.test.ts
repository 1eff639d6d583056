import { AsyncLocalStorage } from 'node:async_hooks';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import {
  type Context,
  type ContextManager,
  context as contexts,
  propagation,
  ROOT_CONTEXT,
  type Span,
  type SpanOptions,
  type Tracer,
  trace,
} from '@opentelemetry/api';
import { GraphQLError } from 'graphql';
import { createTestGraph, testContext } from '../engine/testing/index.ts';
import { createTracing } from './tracing.ts';

interface RecordedSpan {
  readonly name: string;
  readonly id: string;
  readonly parent: string | undefined;
  readonly attributes: Record<string, unknown>;
  readonly status?: unknown;
  readonly exception?: unknown;
  readonly ended: boolean;
}

let spans: RecordedSpan[] = [];

/** As much of an SDK as the API needs. */
function registerSdk(): void {
  const storage = new AsyncLocalStorage<Context>();
  const manager: ContextManager = {
    active: () => storage.getStore() ?? ROOT_CONTEXT,
    with: (context, work, thisArg, ...args) => storage.run(context, () => work.apply(thisArg, args)),
    bind: (_context, target) => target,
    enable: () => manager,
    disable: () => manager,
  };
  contexts.setGlobalContextManager(manager);
  propagation.setGlobalPropagator({
    inject: (context, carrier, setter) =>
      setter.set(carrier, 'traceparent', trace.getSpan(context)?.spanContext().spanId ?? 'none'),
    extract: (context) => context,
    fields: () => ['traceparent'],
  });
  const startSpan = (name: string, options: SpanOptions = {}, context: Context = contexts.active()): Span => {
    const parent = trace.getSpan(context)?.spanContext().spanId;
    const id = String(spans.length + 1).padStart(16, '0');
    const recorded: RecordedSpan = { name, id, parent, attributes: { ...options.attributes }, ended: false };
    spans.push(recorded);
    const span = {
      spanContext: () => ({ traceId: '1'.repeat(32), spanId: id, traceFlags: 1 }),
      setAttribute: (key: string, value: unknown) => Object.assign(recorded.attributes, { [key]: value }),
      setStatus: (status: unknown) => Object.assign(recorded, { status }),
      recordException: (exception: unknown) => Object.assign(recorded, { exception }),
      end: () => Object.assign(recorded, { ended: true }),
    };
    return span as unknown as Span;
  };
  const startActiveSpan = (name: string, options: SpanOptions, work: (span: Span) => unknown) => {
    const span = startSpan(name, options);
    return contexts.with(trace.setSpan(contexts.active(), span), () => work(span));
  };
  const tracer = { startSpan, startActiveSpan } as unknown as Tracer;
  trace.setGlobalTracerProvider({ getTracer: () => tracer });
}

const ended = () => spans.filter((span) => span.ended);

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
  beforeEach(() => {
    spans = [];
    registerSdk();
  });
  afterEach(() => {
    trace.disable();
    contexts.disable();
    propagation.disable();
  });

  test('operations have spans, their fetches are children, and subgraphs get the span in headers', async () => {
    const { engine, sent } = createGraph();
    await engine.execute({ query: 'query Mine { a }', operationName: 'Mine' }, testContext());
    const [operation, fetch] = ended();
    expect(operation).toMatchObject({
      name: 'graphql.operation',
      parent: undefined,
      attributes: { 'graphql.operation.name': 'Mine' },
    });
    expect(fetch).toMatchObject({
      name: 'graphql.fetch',
      parent: operation?.id,
      attributes: { 'graphql.operation.type': 'query', 'graphql.subgraph.name': 'one' },
    });
    expect(sent).toEqual([{ traceparent: fetch?.id }]);
    expect(ended()).toHaveLength(2);
  });

  test('errors and failed fetches are on the spans', async () => {
    const { engine } = createGraph();
    await engine.execute({ query: '{ fails }' }, testContext());
    expect(ended().map((span) => span.attributes['error.type'])).toEqual(['NO', 'NO']);
    spans = [];
    await engine.execute({ query: '{ down }' }, testContext());
    const [operation, fetch] = ended();
    expect(fetch).toMatchObject({ exception: new Error('broken'), status: { code: 2 } });
    expect(operation?.status).toMatchObject({ code: 2 });
  });

  test('trusted documents and subscriptions have them too', async () => {
    const { engine } = createGraph();
    await engine.executeTrusted(engine.prepareTrusted('query Ours { a }'), null, testContext());
    await engine.subscribe({ query: 'subscription S { ticks }', operationName: 'S' }, testContext());
    const names = ended().map(({ name, attributes }) => [name, attributes['graphql.operation.name']]);
    expect(names).toEqual([
      ['graphql.operation', 'Ours'],
      ['graphql.fetch', undefined],
      ['graphql.operation', 'S'],
    ]);
  });
});

test('without an SDK there are no hooks, and nothing is added to requests', () => {
  const tracing = createTracing();
  expect(tracing.hooks()).toEqual([]);
  expect(tracing.headers()).toEqual({});
  tracing.requests({
    addHook: () => {
      throw new Error('nothing is to be added to requests');
    },
  });
});
