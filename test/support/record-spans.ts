/**
 * Preloaded into a server, see `preloads.ts`: registers OpenTelemetry's SDK, and appends each span to `SPANS_FILE` when it ends,
 * as a line of JSON. Spans that a killed process has ended are in the file.
 */
import { appendFileSync } from 'node:fs';
import { SpanKind } from '@opentelemetry/api';
import {
  NodeTracerProvider,
  type ReadableSpan,
  SimpleSpanProcessor,
  type SpanExporter,
} from '@opentelemetry/sdk-trace-node';
import type { RecordedSpan } from './spans.ts';

const file = String(process.env.SPANS_FILE);

const exporter: SpanExporter = {
  export: (spans, done) => {
    for (const span of spans) {
      appendFileSync(file, `${JSON.stringify(toRecord(span))}\n`);
    }
    done({ code: 0 });
  },
  shutdown: async () => undefined,
};

function toRecord(span: ReadableSpan): RecordedSpan {
  const { name, kind, parentSpanContext, links, attributes, status, events } = span;
  const { traceId, spanId } = span.spanContext();
  return {
    process: String(process.env.ROLE),
    traceId,
    spanId,
    parent: parentSpanContext?.spanId,
    name,
    kind: SpanKind[kind],
    links: links.map(({ context }) => context.traceId),
    attributes,
    status,
    events,
  };
}

new NodeTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] }).register();
