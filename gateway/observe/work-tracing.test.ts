import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { context, propagation, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import { InMemorySpanExporter, NodeTracerProvider, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-node';
import type { SpanInfo } from '../../subgraphs/kernel/tracing/tracing.ts';
import { createWorkTracing } from './work-tracing.ts';

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

const attempt = (traceparent: string | undefined, isFirst: boolean): SpanInfo => ({
  name: 'test.attempt',
  kind: 'consumer',
  attributes: { 'test.id': 'd1' },
  cause: { traceparent, isFirst },
});
const CALL: SpanInfo = { name: 'POST', kind: 'client', attributes: {} };

/** A request that stores work; some of it may begin before the request has ended. */
function store<T>(within: (traceparent: string | undefined) => T) {
  return trace.getTracer('test').startActiveSpan('request', (span) => {
    const result = within(createWorkTracing().traceparent());
    span.end();
    return { request: span.spanContext(), result };
  });
}

const [attempts, posts] = ['test.attempt', 'POST'].map(
  (name) => () => exporter.getFinishedSpans().filter((span) => span.name === name),
) as [() => ReturnType<typeof exporter.getFinishedSpans>, () => ReturnType<typeof exporter.getFinishedSpans>];

test('a first attempt belongs to the trace in which its work was stored, at any time and in any process', async () => {
  const tracing = createWorkTracing();
  const { request, result: traceparent } = store((stored) => stored);
  expect(traceparent).toBe(`00-${request.traceId}-${request.spanId}-01`);
  await tracing.span(
    attempt(traceparent, true),
    async () => undefined,
    () => ({}),
  );
  const [span] = attempts();
  expect(span).toMatchObject({ kind: SpanKind.CONSUMER, links: [], attributes: { 'test.id': 'd1' } });
  expect(span?.spanContext().traceId).toBe(request.traceId);
  expect(span?.parentSpanContext?.spanId).toBe(request.spanId);
});

test('a later attempt is a trace of its own, linked to it, even while another request is going on', async () => {
  const { request, result: traceparent } = store((stored) => stored);
  const { request: other, result: made } = store(() =>
    createWorkTracing().span(
      attempt(traceparent, false),
      async () => undefined,
      () => ({}),
    ),
  );
  await made;
  const [span] = attempts();
  expect(span?.parentSpanContext).toBeUndefined();
  expect([request.traceId, other.traceId]).not.toContain(span?.spanContext().traceId);
  expect(span?.links.map(({ context: { traceId, spanId } }) => [traceId, spanId])).toEqual([
    [request.traceId, request.spanId],
  ]);
});

test.each([undefined, 'none', `00-${'0'.repeat(32)}-${'0'.repeat(16)}-01`])(
  'a stored trace that cannot be read is neither parent nor link: %s',
  async (traceparent) => {
    for (const isFirst of [true, false]) {
      await createWorkTracing().span(
        attempt(traceparent, isFirst),
        async () => undefined,
        () => ({}),
      );
    }
    expect(attempts()).toMatchObject([{ links: [] }, { links: [] }]);
    expect(attempts().map(({ parentSpanContext }) => parentSpanContext)).toEqual([undefined, undefined]);
  },
);

test('a call is a child of the active span, and sends its own span in its headers', async () => {
  const { request, result: headers } = store(() =>
    createWorkTracing().span(
      CALL,
      async (own) => own,
      () => ({ attributes: { 'http.response.status_code': 200 } }),
    ),
  );
  const sent = await headers;
  const [span] = posts();
  expect(span).toMatchObject({
    kind: SpanKind.CLIENT,
    status: { code: SpanStatusCode.UNSET },
    attributes: { 'http.response.status_code': 200 },
  });
  expect(span?.parentSpanContext?.spanId).toBe(request.spanId);
  expect(sent).toEqual({ traceparent: `00-${request.traceId}-${span?.spanContext().spanId}-01` });
});

test('a call has no baggage of the client that caused it', async () => {
  const baggage = propagation.createBaggage({ who: { value: 'Ana' } });
  const sent = await context.with(propagation.setBaggage(context.active(), baggage), () =>
    createWorkTracing().span(
      CALL,
      async (own) => own,
      () => ({}),
    ),
  );
  expect(Object.keys(sent)).toEqual(['traceparent']);
});

test('a failure has its class, an error only its name; the error is thrown on', async () => {
  const tracing = createWorkTracing();
  await tracing.span(
    CALL,
    async () => 503,
    (status) => ({ errorType: String(status) }),
  );
  const thrown = tracing.span(
    CALL,
    () => Promise.reject(new TypeError('Ana Ruiz, 4111')),
    () => ({}),
  );
  await expect(thrown).rejects.toThrow('Ana Ruiz');
  expect(posts()).toMatchObject([
    { status: { code: SpanStatusCode.ERROR }, attributes: { 'error.type': '503' }, events: [] },
    { status: { code: SpanStatusCode.ERROR }, attributes: { 'error.type': 'TypeError' }, events: [] },
  ]);
  expect(posts()[1]?.status.message).toBeUndefined();
});

test('work that an attempt stores belongs to the trace of its cause', async () => {
  const tracing = createWorkTracing();
  const { request, result: cause } = store((stored) => stored);
  const storedBy = (isFirst: boolean) =>
    tracing.span(
      attempt(cause, isFirst),
      async ({ traceparent }) => ({ own: traceparent, stored: tracing.traceparent(cause) }),
      () => ({}),
    );
  const first = await storedBy(true);
  expect(first.stored).toBe(first.own);
  expect(first.stored).toContain(request.traceId);
  const later = await storedBy(false);
  expect(later.own).not.toContain(request.traceId);
  expect(later.stored).toBe(cause);
});

test('outside of a trace no trace is stored, and a known trace is kept', () => {
  expect(createWorkTracing().traceparent()).toBeUndefined();
  const cause = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
  expect(createWorkTracing().traceparent(cause)).toBe(cause);
});
