import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { context, propagation, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import { InMemorySpanExporter, NodeTracerProvider, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-node';
import type { SendOutcome } from '../../subgraphs/platform/webhooks/sender.ts';
import { createAttemptTracing } from './attempt-tracing.ts';

const exporter = new InMemorySpanExporter();
const provider = new NodeTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
const answer = Buffer.alloc(0);
const delivery = {
  _id: 'd1',
  tenantId: 'acme',
  event: 'operation_created',
  scheme: 'request_money',
  attempt: 1,
} as const;

beforeAll(() => provider.register());
beforeEach(() => exporter.reset());
afterAll(async () => {
  await provider.shutdown();
  trace.disable();
  context.disable();
  propagation.disable();
});

test('an attempt is a trace of its own, linked to the span in which its delivery was stored', async () => {
  const tracing = createAttemptTracing();
  const tracer = trace.getTracer('test');
  const { stored, traceparent } = tracer.startActiveSpan('request', (span) => {
    span.end();
    return { stored: span.spanContext(), traceparent: tracing.traceparent() };
  });
  expect(traceparent).toBe(`00-${stored.traceId}-${stored.spanId}-01`);
  const send = () =>
    tracing.attempt({ ...delivery, ...(traceparent && { traceparent }) }, async () => {
      expect(trace.getActiveSpan()?.spanContext().traceId).not.toBe(stored.traceId);
      return { kind: 'delivered', statusCode: 204, answer };
    });
  // An attempt at once is made by what the request has begun.
  await tracer.startActiveSpan('still the request', send);
  const [span] = exporter.getFinishedSpans().filter(({ name }) => name === 'webhook.attempt');
  expect(span?.parentSpanContext).toBeUndefined();
  expect(span?.links.map(({ context: { traceId, spanId } }) => [traceId, spanId])).toEqual([
    [stored.traceId, stored.spanId],
  ]);
  expect(span?.kind).toBe(SpanKind.CLIENT);
  expect(span?.attributes).toEqual({
    'remitgraph.tenant.id': 'acme',
    'webhook.delivery.id': 'd1',
    'webhook.event': 'operation_created',
    'webhook.scheme': 'request_money',
    'webhook.attempt': 2,
    'http.response.status_code': 204,
  });
});

test.each<[string, SendOutcome, object]>([
  [
    'a failed one has its error class and status',
    { kind: 'failed', errorClass: 'http_status', statusCode: 503, answer },
    {
      attributes: { 'error.type': 'http_status', 'http.response.status_code': 503 },
      status: { code: SpanStatusCode.ERROR },
    },
  ],
  [
    'one that was given up is no error',
    { kind: 'aborted' },
    { attributes: { 'webhook.aborted': true }, status: { code: SpanStatusCode.UNSET } },
  ],
])('%s', async (_name, outcome, expected) => {
  const tracing = createAttemptTracing();
  expect(await tracing.attempt(delivery, async () => outcome)).toBe(outcome);
  expect(exporter.getFinishedSpans()).toMatchObject([{ links: [], ...expected }]);
});

test('one that throws ends its span, and the error goes on', async () => {
  const tracing = createAttemptTracing();
  await expect(tracing.attempt(delivery, () => Promise.reject(new Error('sealed')))).rejects.toThrow(
    'sealed',
  );
  expect(exporter.getFinishedSpans()).toMatchObject([{ status: { code: SpanStatusCode.ERROR } }]);
});

test('a stored trace that cannot be read is no link', async () => {
  const tracing = createAttemptTracing();
  await tracing.attempt({ ...delivery, traceparent: 'none' }, async () => ({ kind: 'aborted' }));
  expect(exporter.getFinishedSpans()[0]?.links).toEqual([]);
});

test('outside of a trace no trace is stored', () => {
  expect(createAttemptTracing().traceparent()).toBeUndefined();
});
