import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { preloading } from './preloads.ts';

/** A span of a process with `record-spans`. */
export interface RecordedSpan {
  /** The role of the process. */
  readonly process: string;
  readonly traceId: string;
  readonly spanId: string;
  /** The id of the parent, which may be a span of another process. */
  readonly parent: string | undefined;
  readonly name: string;
  readonly kind: string;
  /** The traces that it is linked to. */
  readonly links: readonly string[];
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly status: object;
  readonly events: readonly object[];
}

/** The spans of all processes that get `env`. */
export interface SpanRecord {
  readonly env: Readonly<Record<string, string>>;
  /** All that is known of the ended spans, as text. */
  text(): string;
  ofTrace(traceId: string): RecordedSpan[];
}

/** @param folder of the file, which is there once a span has ended */
export function recordSpans(folder: string): SpanRecord {
  const file = join(folder, 'spans.jsonl');
  const text = () => readFileSync(file, { encoding: 'utf8', flag: 'a+' });
  return {
    env: { ...preloading('record-spans'), SPANS_FILE: file },
    text,
    ofTrace: (traceId) =>
      text()
        .split('\n')
        .filter((line) => line.includes(traceId))
        .map((line): RecordedSpan => JSON.parse(line))
        .filter((span) => span.traceId === traceId),
  };
}

/** A span with what it has caused. */
interface SpanTree {
  readonly [span: string]: SpanTree;
}

/**
 * The spans under a parent, by process, kind, name and what `label` adds. Spans with the same description count as one.
 * @param parent its id
 */
export function treeOf(
  spans: readonly RecordedSpan[],
  parent: string | undefined,
  label: (span: RecordedSpan) => string = () => '',
): SpanTree {
  const children = spans.filter((span) => span.parent === parent);
  return Object.fromEntries(
    children.map((span) => [
      `${span.process} ${span.kind} ${span.name} ${label(span)}`.trim(),
      treeOf(spans, span.spanId, label),
    ]),
  );
}
