/** One event of an event stream. */
export interface StreamEvent {
  /** `message` when the stream names none. */
  readonly type: string;
  readonly data: string;
}

/** Reads an event stream piece by piece. */
export interface EventStreamParser {
  /** The events that this piece of the text completes. */
  push(text: string): StreamEvent[];
  /** The latest `retry:`: the time before the client should reconnect, milliseconds. */
  retryMs(): number | undefined;
}

/**
 * Makes a parser at the beginning of a stream. Ids are not kept: cursors are read from the events themselves.
 * Source: HTML, "Server-sent events", "Interpreting an event stream".
 */
export function createEventStreamParser(): EventStreamParser {
  /** The pieces of the line that is not complete yet: joined once, at its end, because a line may be as long as an event. */
  let pieces: string[] = [];
  let retryMs: number | undefined;
  let type = '';
  let data: string[] = [];
  const takeField = (name: string, value: string) => {
    if (name === 'event') {
      type = value;
    } else if (name === 'data') {
      data.push(value);
    } else if (name === 'retry' && /^\d+$/.test(value)) {
      retryMs = Number(value);
    }
  };
  const takeLine = (line: string): StreamEvent | undefined => {
    if (line !== '') {
      const [, name = '', value = ''] = /^([^:]*)(?:: ?(.*))?$/s.exec(line) ?? [];
      takeField(name, value);
      return undefined;
    }
    const event = data.length > 0 ? { type: type || 'message', data: data.join('\n') } : undefined;
    type = '';
    data = [];
    return event;
  };
  return {
    push(text) {
      const endsLine = /[\r\n]/.test(text) || pieces.at(-1)?.endsWith('\r') === true;
      pieces.push(text);
      if (!endsLine) {
        return [];
      }
      // A CR at the end may be the first half of a CRLF.
      const lines = pieces.join('').split(/\r\n|\n|\r(?!$)/);
      pieces = [lines.pop() ?? ''];
      return lines.flatMap((line) => takeLine(line) ?? []);
    },
    retryMs: () => retryMs,
  };
}
