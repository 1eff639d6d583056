import {
  type Attributes,
  context as active,
  isSpanContextValid,
  propagation,
  type Span,
  SpanKind,
  SpanStatusCode,
  type Tracer,
  trace,
} from '@opentelemetry/api';
import type { FastifyInstance } from 'fastify';
import type { ExecutionResult } from 'graphql';
import type { Engine, TrustedDocument } from '../engine/engine.ts';
import { operationNameOf } from '../engine/planner/operation-name.ts';
import type { SubgraphResponse, SubgraphTransport } from '../engine/transports/transport.ts';

const NAME = 'remitgraph';

/**
 * Spans of operations and fetches, by OpenTelemetry's API alone: a process that wants them registers an SDK before this
 * one is made (`NODE_OPTIONS=--import=...`). Without one, engines and transports are left as they are.
 * Source: OpenTelemetry semantic conventions, "GraphQL server" and "GraphQL client".
 */
export interface Tracing {
  /** The same engine, with a span for each operation and for the opening of each subscription. */
  engine(engine: Engine): Engine;
  /** The same transport, with a span for each fetch, which the fetch's own request is a child of. */
  transport(subgraph: string, transport: SubgraphTransport): SubgraphTransport;
  /** Headers that tell a subgraph of the span under way. */
  headers(): Record<string, string>;
  /**
   * Has the application's requests go on with the trace that their headers tell of (`traceparent`), unless an
   * instrumentation of the HTTP server has done so already.
   * @param span name of a span for each request that reaches its handler; none when absent
   */
  requests(app: Pick<FastifyInstance, 'addHook'>, span?: { name: string; attributes: Attributes }): void;
}

/** Spans where an SDK is registered, nothing otherwise. */
export function createTracing(): Tracing {
  const tracer = registeredTracer();
  if (tracer === undefined) {
    return {
      engine: (engine) => engine,
      transport: (_subgraph, transport) => transport,
      headers: () => ({}),
      requests: () => undefined,
    };
  }
  return {
    engine: (engine) => traceEngine(tracer, engine),
    transport: (subgraph, transport) => traceTransport(tracer, subgraph, transport),
    headers: () => {
      const headers: Record<string, string> = {};
      propagation.inject(active.active(), headers);
      return headers;
    },
    requests: (app, span) => traceRequests(tracer, app, span),
  };
}

/**
 * At `preHandler`, since the context that is active is lost while a body comes in: its events belong to the socket. What
 * the handler does, however long, runs in the context that is set here.
 */
function traceRequests(
  tracer: Tracer,
  app: Pick<FastifyInstance, 'addHook'>,
  wanted: { name: string; attributes: Attributes } | undefined,
): void {
  app.addHook('preHandler', (request, reply, done) => {
    const known = active.active();
    const context = trace.getSpan(known) === undefined ? propagation.extract(known, request.headers) : known;
    if (wanted === undefined) {
      active.with(context, done);
      return;
    }
    const { name, attributes } = wanted;
    const span = tracer.startSpan(name, { kind: SpanKind.SERVER, attributes }, context);
    reply.raw.once('close', () => span.end());
    active.with(trace.setSpan(context, span), done);
  });
}

/** Only an SDK gives spans an identity. The span asked for here is never ended, so that nobody hears of it. */
function registeredTracer(): Tracer | undefined {
  const tracer = trace.getTracer(NAME);
  const probe = tracer.startSpan('probe', { root: true });
  return isSpanContextValid(probe.spanContext()) ? tracer : undefined;
}

function traceEngine(tracer: Tracer, engine: Engine): Engine {
  const trustedNames = new WeakMap<TrustedDocument, string | undefined>();
  const traced = <T extends Traced>(name: string | null | undefined, work: () => Promise<T>): Promise<T> =>
    inSpan(tracer, 'graphql.operation', SpanKind.INTERNAL, operationAttributes(name), work);
  return {
    ...engine,
    execute: (request, context) => traced(request.operationName, () => engine.execute(request, context)),
    subscribe: (request, context) => traced(request.operationName, () => engine.subscribe(request, context)),
    prepareTrusted(document) {
      const trusted = engine.prepareTrusted(document);
      trustedNames.set(trusted, operationNameOf(document));
      return trusted;
    },
    executeTrusted: (document, variables, context) =>
      traced(trustedNames.get(document), () => engine.executeTrusted(document, variables, context)),
  };
}

function traceTransport(tracer: Tracer, subgraph: string, transport: SubgraphTransport): SubgraphTransport {
  return {
    ...transport,
    execute(fetch, variables, context) {
      const attributes = {
        ...operationAttributes(fetch.operationName),
        'graphql.operation.type': fetch.operationKind,
        'graphql.subgraph.name': subgraph,
      };
      return inSpan(tracer, 'graphql.fetch', SpanKind.CLIENT, attributes, () =>
        transport.execute(fetch, variables, context),
      );
    },
  };
}

function operationAttributes(name: string | null | undefined): Attributes {
  return name === null || name === undefined ? {} : { 'graphql.operation.name': name };
}

/** Runs `work` in a span, which ends with it and says whether it failed. */
function inSpan<T extends Promise<Traced> | Traced>(
  tracer: Tracer,
  name: string,
  kind: SpanKind,
  attributes: Attributes,
  work: () => T,
): T {
  return tracer.startActiveSpan(name, { kind, attributes }, (span) => {
    const end = (result: Traced) => {
      endWith(span, result);
      return result;
    };
    const fail = (error: unknown) => {
      endWithError(span, error);
      throw error;
    };
    try {
      const result = work();
      return (result instanceof Promise ? result.then(end, fail) : end(result)) as T;
    } catch (error) {
      return fail(error);
    }
  });
}

type Traced = ExecutionResult | SubgraphResponse | AsyncIterable<unknown>;

function endWith(span: Span, result: Traced): void {
  const [first] = ('errors' in result && result.errors) || [];
  if (first !== undefined) {
    span.setStatus({ code: SpanStatusCode.ERROR, message: first.message });
    const code = first.extensions?.code;
    span.setAttribute('error.type', typeof code === 'string' ? code : 'GraphQLError');
  }
  span.end();
}

function endWithError(span: Span, error: unknown): void {
  span.recordException(error instanceof Error ? error : String(error));
  span.setStatus({ code: SpanStatusCode.ERROR });
  span.end();
}
