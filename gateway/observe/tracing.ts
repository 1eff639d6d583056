import {
  type Attributes,
  context as active,
  propagation,
  type Span,
  SpanKind,
  SpanStatusCode,
  type Tracer,
  trace,
} from '@opentelemetry/api';
import type { FastifyInstance } from 'fastify';
import type { ExecutionResult } from 'graphql';
import {
  type EngineContext,
  type EngineHooks,
  type OperationInfo,
  observe,
  type SubgraphResponse,
} from '../engine/index.ts';
import { registeredTracer } from './registered-tracer.ts';

/**
 * Spans of operations and fetches, only by OpenTelemetry's API. A process that wants them registers an SDK before this object
 * is made (`NODE_OPTIONS=--import=...`). Without an SDK there are no hooks and no traces. Source: OpenTelemetry semantic
 * conventions, "GraphQL server" and "GraphQL client".
 */
export interface Tracing {
  /**
   * Makes hooks with a span for each operation, for the start of each subscription, and for each fetch. A fetch's own
   * request is a child of its span.
   */
  hooks<Context extends EngineContext>(): readonly EngineHooks<Context>[];
  /** Headers that name the current span to a subgraph. */
  headers(): Record<string, string>;
  /**
   * Makes the application's requests continue the trace that their headers name (`traceparent`), unless an
   * instrumentation of the HTTP server has done so already.
   * @param span name of a span for each request that reaches its handler; none when absent
   */
  requests(app: Pick<FastifyInstance, 'addHook'>, span?: { name: string; attributes: Attributes }): void;
}

/** Spans with a registered SDK; nothing otherwise. */
export function createTracing(): Tracing {
  const tracer = registeredTracer();
  if (tracer === undefined) {
    return { hooks: () => [], headers: () => ({}), requests: () => undefined };
  }
  return {
    hooks: () => [createSpans(tracer)],
    headers: () => {
      const headers: Record<string, string> = {};
      propagation.inject(active.active(), headers);
      return headers;
    },
    requests: (app, span) => traceRequests(tracer, app, span),
  };
}

/**
 * The hook is `preHandler`, because the active context is lost while a body arrives: the body's events belong to the socket.
 * Everything that the handler does runs in the context that is set here.
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

function createSpans<Context extends EngineContext>(tracer: Tracer): EngineHooks<Context> {
  const inOperation = <T extends Traced>(info: OperationInfo, work: () => Promise<T>): Promise<T> =>
    inSpan(tracer, 'graphql.operation', SpanKind.INTERNAL, nameAttributes(info.operationName), work);
  return {
    onOperation: (operation, context, next) => inOperation(operation, () => next(context)),
    onSubscribe: (operation, context, next) => inOperation(operation, () => next(context)),
    onFetch(fetch, context, next) {
      const attributes = {
        ...nameAttributes(fetch.operationName),
        'graphql.operation.type': fetch.operationKind,
        'graphql.subgraph.name': fetch.subgraph,
      };
      return inSpan(tracer, 'graphql.fetch', SpanKind.CLIENT, attributes, () => next(context));
    },
  };
}

function nameAttributes(name: string | null | undefined): Attributes {
  return name === null || name === undefined ? {} : { 'graphql.operation.name': name };
}

/** Runs `work` in a span, which ends with it and has its error. */
function inSpan<T extends Traced>(
  tracer: Tracer,
  name: string,
  kind: SpanKind,
  attributes: Attributes,
  work: () => Promise<T>,
): Promise<T>;
function inSpan<T extends Traced>(
  tracer: Tracer,
  name: string,
  kind: SpanKind,
  attributes: Attributes,
  work: () => T | Promise<T>,
): T | Promise<T>;
function inSpan<T extends Traced>(
  tracer: Tracer,
  name: string,
  kind: SpanKind,
  attributes: Attributes,
  work: () => T | Promise<T>,
): T | Promise<T> {
  return tracer.startActiveSpan(name, { kind, attributes }, (span) =>
    observe(work, ({ result, error }) =>
      result === undefined ? endWithError(span, error) : endWith(span, result),
    ),
  );
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
