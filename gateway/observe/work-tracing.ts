import {
  context as active,
  type Context,
  isSpanContextValid,
  type Link,
  propagation,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  type Tracer,
  trace,
} from '@opentelemetry/api';
import {
  type Cause,
  type SpanEnd,
  type SpanInfo,
  type TraceHeaders,
  type Tracing,
  traceIdOf,
  UNTRACED,
} from '../../subgraphs/kernel/tracing/tracing.ts';
import { errorNameOf } from './error-name.ts';
import { registeredTracer } from './registered-tracer.ts';

const KINDS = { consumer: SpanKind.CONSUMER, client: SpanKind.CLIENT } as const;

/**
 * Spans of work and of calls with a registered SDK; nothing otherwise. Source: OpenTelemetry semantic conventions, "Messaging
 * spans" (parents and links), "HTTP client" and "Recording errors".
 */
export function createWorkTracing(): Tracing {
  const tracer = registeredTracer();
  return tracer === undefined
    ? UNTRACED
    : { traceparent: traceparentFor, span: (info, work, end) => runInSpan(tracer, info, work, end) };
}

function traceparentFor(cause?: string): string | undefined {
  const { traceparent } = headersOf(active.active());
  return cause === undefined || traceIdOf(traceparent) === traceIdOf(cause) ? traceparent : cause;
}

/** W3C's format alone: stored work has no room for other propagators' names, and providers get no baggage of clients. */
function headersOf(context: Context): { traceparent?: string } {
  const headers: { traceparent?: string } = {};
  propagation.inject(context, headers);
  const { traceparent } = headers;
  return traceparent === undefined || traceIdOf(traceparent) === undefined ? {} : { traceparent };
}

function runInSpan<T>(
  tracer: Tracer,
  { name, kind, attributes, cause }: SpanInfo,
  work: (headers: TraceHeaders) => Promise<T>,
  end: (result: T) => SpanEnd,
): Promise<T> {
  const { parent, links } = cause === undefined ? { parent: active.active(), links: [] } : placeOf(cause);
  const options = { kind: KINDS[kind], attributes, links };
  return tracer.startActiveSpan(name, options, parent, async (span) => {
    try {
      const result = await work(headersOf(active.active()));
      describe(span, end(result));
      return result;
    } catch (error) {
      describe(span, { errorType: errorNameOf(error) });
      throw error;
    } finally {
      span.end();
    }
  });
}

/** Immediate work starts inside the request that stored it, so the active span is not its parent. */
function placeOf({ traceparent, isFirst }: Cause): { parent: Context; links: Link[] } {
  const stored = propagation.extract(ROOT_CONTEXT, { traceparent });
  if (isFirst) {
    return { parent: stored, links: [] };
  }
  const context = trace.getSpanContext(stored);
  return { parent: ROOT_CONTEXT, links: context && isSpanContextValid(context) ? [{ context }] : [] };
}

function describe(span: Span, { attributes, errorType }: SpanEnd): void {
  if (attributes !== undefined) {
    span.setAttributes(attributes);
  }
  if (errorType !== undefined) {
    span.setAttribute('error.type', errorType);
    span.setStatus({ code: SpanStatusCode.ERROR });
  }
}
