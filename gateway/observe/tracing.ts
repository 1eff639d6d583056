import { type Attributes, context as active, propagation } from '@opentelemetry/api';
import type { FastifyInstance } from 'fastify';
import type { EngineContext, EngineHooks } from '../engine/index.ts';
import { createGraphSpans } from './graph-spans.ts';
import { registeredTracer } from './registered-tracer.ts';
import { traceRequests } from './request-spans.ts';

/**
 * Spans of requests, operations and fetches, only by OpenTelemetry's API. A process that wants them registers an SDK before
 * this object is made (`NODE_OPTIONS=--import=...`). Without an SDK there are no hooks and no traces. Spans of work and of
 * calls are in `work-tracing.ts`.
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
   * Makes a span of each request of the application, which continues the trace that its headers name (`traceparent`).
   * If an instrumentation of the HTTP server has made one, requests continue in it.
   * @param attributes of every span
   */
  requests(app: Pick<FastifyInstance, 'addHook'>, attributes?: Attributes): void;
}

/** Spans with a registered SDK; nothing otherwise. */
export function createTracing(): Tracing {
  const tracer = registeredTracer();
  if (tracer === undefined) {
    return { hooks: () => [], headers: () => ({}), requests: () => undefined };
  }
  return {
    hooks: () => [createGraphSpans(tracer)],
    headers: () => {
      const headers: Record<string, string> = {};
      propagation.inject(active.active(), headers);
      return headers;
    },
    requests: (app, attributes) => traceRequests(tracer, app, attributes),
  };
}
