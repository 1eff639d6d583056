/** One event of an event stream. */
export interface ServerSentEvent {
  /** `message` when the stream names none. */
  readonly event: string;
  readonly data: string;
}

/** A field and its value; one space after the colon does not count. */
const LINE = /^([^:]*)(?:: ?(.*))?$/s;

const LINE_END = /[\r\n]/;

/**
 * Makes a parser that is fed the text of an event stream piece by piece and returns the events that each completes.
 * Comments, `id` and `retry` are ignored. Unlike the standard, an event that has a type and no data counts: gqlgen and Hot
 * Chocolate end a subscription with `event: complete` alone, as the GraphQL over SSE protocol allows. The package
 * `eventsource-parser` drops such an event without a trace, and the end would look like a lost connection.
 * Source: HTML standard, section 9.2.6 "Interpreting an event stream".
 */
export function createEventStreamParser(): (text: string) => ServerSentEvent[] {
  /** The pieces of the line that is not complete yet: joined once, at its end, because a line may be as long as an event. */
  let pieces: string[] = [];
  let event = '';
  let data: string[] = [];

  function dispatch(into: ServerSentEvent[]): void {
    if (data.length > 0 || event !== '') {
      into.push({ event: event === '' ? 'message' : event, data: data.join('\n') });
    }
    event = '';
    data = [];
  }

  function readField(line: string): void {
    const [, field, value = ''] = LINE.exec(line) ?? [];
    if (field === 'event') {
      event = value;
    } else if (field === 'data') {
      data.push(value);
    }
  }

  return (text) => {
    const found: ServerSentEvent[] = [];
    const endsLine = LINE_END.test(text) || pieces.at(-1)?.endsWith('\r') === true;
    pieces.push(text);
    if (!endsLine) {
      return found;
    }
    // A `\r` at the end may be the first half of `\r\n`: it waits for the next piece.
    const lines = pieces.join('').split(/\r\n|\n|\r(?!$)/);
    pieces = [lines.pop() ?? ''];
    for (const line of lines) {
      if (line === '') {
        dispatch(found);
      } else {
        readField(line);
      }
    }
    return found;
  };
}
