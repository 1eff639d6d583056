import {
  context as active,
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
import type { SendOutcome } from '../../subgraphs/platform/webhooks/sender.ts';
import {
  type AttemptTracing,
  type TracedDelivery,
  traceIdOf,
  UNTRACED,
} from '../../subgraphs/platform/webhooks/telemetry.ts';
import { registeredTracer } from './registered-tracer.ts';

/**
 * Spans of webhook attempts with a registered SDK; nothing otherwise. An attempt may come hours after the request and after
 * other attempts, so its span is a root of its own with a link to the trace that stored the delivery. Source: OpenTelemetry
 * semantic conventions, "Messaging spans" (links) and "HTTP client" (status code, error type).
 */
export function createAttemptTracing(): AttemptTracing {
  const tracer = registeredTracer();
  return tracer === undefined
    ? UNTRACED
    : {
        traceparent: currentTraceparent,
        attempt: (delivery, post) => traceAttempt(tracer, delivery, post),
      };
}

/** Only W3C's format is stored; deliveries have no room for other propagators' names. */
function currentTraceparent(): string | undefined {
  const headers: { traceparent?: string } = {};
  propagation.inject(active.active(), headers);
  return traceIdOf(headers.traceparent) === undefined ? undefined : headers.traceparent;
}

function traceAttempt(
  tracer: Tracer,
  delivery: TracedDelivery,
  post: () => Promise<SendOutcome>,
): Promise<SendOutcome> {
  const options = {
    kind: SpanKind.CLIENT,
    root: true,
    links: linksOf(delivery),
    attributes: {
      'remitgraph.tenant.id': delivery.tenantId,
      'webhook.delivery.id': delivery._id,
      'webhook.event': delivery.event,
      'webhook.scheme': delivery.scheme,
      'webhook.attempt': delivery.attempt + 1,
    },
  };
  return tracer.startActiveSpan('webhook.attempt', options, ROOT_CONTEXT, async (span) => {
    try {
      const outcome = await post();
      describe(span, outcome);
      return outcome;
    } catch (error) {
      span.setStatus({ code: SpanStatusCode.ERROR });
      throw error;
    } finally {
      span.end();
    }
  });
}

function linksOf({ traceparent }: TracedDelivery): Link[] {
  const stored = propagation.extract(ROOT_CONTEXT, { traceparent });
  const context = trace.getSpanContext(stored);
  return context && isSpanContextValid(context) ? [{ context }] : [];
}

function describe(span: Span, outcome: SendOutcome): void {
  if (outcome.kind === 'aborted') {
    span.setAttribute('webhook.aborted', true);
    return;
  }
  if (outcome.statusCode !== undefined) {
    span.setAttribute('http.response.status_code', outcome.statusCode);
  }
  if (outcome.kind === 'failed') {
    span.setAttribute('error.type', outcome.errorClass);
    span.setStatus({ code: SpanStatusCode.ERROR });
  }
}
