/** One event of an event stream. */
export interface ServerSentEvent {
  /** `message` when the stream names none. */
  readonly event: string;
  readonly data: string;
}

/**
 * Makes a parser that is fed the text of an event stream piece by piece and returns the events that each completes.
 * Comments, `id` and `retry` are passed over.
 * Source: HTML standard, section 9.2.6 "Interpreting an event stream".
 */
export function createEventStreamParser(): (text: string) => ServerSentEvent[] {
  let rest = '';
  let event = '';
  let data: string[] = [];

  function readLine(line: string, into: ServerSentEvent[]): void {
    if (line === '') {
      if (data.length > 0 || event !== '') {
        into.push({ event: event === '' ? 'message' : event, data: data.join('\n') });
      }
      event = '';
      data = [];
      return;
    }
    const colon = line.indexOf(':');
    const field = colon === -1 ? line : line.slice(0, colon);
    const value = colon === -1 ? '' : line.slice(line[colon + 1] === ' ' ? colon + 2 : colon + 1);
    if (field === 'event') {
      event = value;
    } else if (field === 'data') {
      data.push(value);
    }
  }

  return (text) => {
    const found: ServerSentEvent[] = [];
    const all = rest + text;
    // A `\r` at the end may be the first half of `\r\n`: it waits for what follows.
    const complete = all.endsWith('\r') ? all.slice(0, -1) : all;
    const lines = complete.split(/\r\n|\n|\r/);
    rest = (lines.pop() ?? '') + all.slice(complete.length);
    for (const line of lines) {
      readLine(line, found);
    }
    return found;
  };
}
