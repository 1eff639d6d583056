import {
  type Attributes,
  context as active,
  type Context,
  propagation,
  type Span,
  SpanKind,
  SpanStatusCode,
  type Tracer,
  trace,
} from '@opentelemetry/api';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { maskPath } from '../../subgraphs/kernel/person/mask-numbers.ts';

/** Probes and scrapes come every few seconds and are not calls. */
const WITHOUT_SPAN: ReadonlySet<string> = new Set(['/health/live', '/health/ready', '/metrics']);

/**
 * Makes a span of each request, which continues the trace that its headers name (`traceparent`). Where an instrumentation of
 * the HTTP server has made one already, there is no second one. Source: OpenTelemetry semantic conventions, "HTTP server".
 * @param attributes of every span
 */
export function traceRequests(
  tracer: Tracer,
  app: Pick<FastifyInstance, 'addHook'>,
  attributes: Attributes = {},
): void {
  const contexts = new WeakMap<FastifyRequest, Context>();
  app.addHook('onRequest', (request, reply, done) => {
    const known = active.active();
    if (WITHOUT_SPAN.has(request.routeOptions.url ?? '')) {
      done();
      return;
    }
    let context = known;
    if (trace.getSpan(known) === undefined) {
      const span = startSpan(tracer, request, attributes);
      reply.raw.once('close', () => endSpan(span, reply.statusCode));
      context = trace.setSpan(known, span);
    }
    contexts.set(request, context);
    active.with(context, done);
  });
  // The active context is lost while a body arrives: the body's events belong to the socket.
  app.addHook('preValidation', (request, _reply, done) => {
    active.with(contexts.get(request) ?? active.active(), done);
  });
}

function startSpan(tracer: Tracer, request: FastifyRequest, attributes: Attributes): Span {
  const { method, protocol, url, headers, is404, routeOptions } = request;
  const route = is404 ? undefined : routeOptions.url;
  return tracer.startSpan(
    route === undefined ? method : `${method} ${route}`,
    {
      kind: SpanKind.SERVER,
      attributes: {
        'http.request.method': method,
        'url.scheme': protocol,
        'url.path': maskPath(url),
        ...(route !== undefined && { 'http.route': route }),
        ...attributes,
      },
    },
    propagation.extract(active.active(), headers),
  );
}

/** A client's error is not an error of the server. */
function endSpan(span: Span, status: number): void {
  span.setAttribute('http.response.status_code', status);
  if (status >= 500) {
    span.setAttribute('error.type', String(status));
    span.setStatus({ code: SpanStatusCode.ERROR });
  }
  span.end();
}
