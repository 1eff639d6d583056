/** How a stream ended: by its source, by its reader, or by a failure. */
export type StreamEnd = 'completed' | 'stopped' | 'failed';

/** A stream that reports its own end. */
export const ADD_END_LISTENER = Symbol('add end listener');

interface EndNotifier {
  [ADD_END_LISTENER](ended: (how: StreamEnd) => void): void;
}

/**
 * Calls `ended` once, when the stream ends. Streams of this engine report their end themselves, to any number of
 * listeners, so they need no wrapper that each event would have to pass.
 */
export function onStreamEnd<T>(
  events: AsyncIterableIterator<T>,
  ended: (how: StreamEnd) => void,
): AsyncIterableIterator<T> {
  if (notifiesEnd(events)) {
    events[ADD_END_LISTENER](ended);
    return events;
  }
  let open = true;
  const end = (how: StreamEnd) => {
    if (open) {
      open = false;
      ended(how);
    }
  };
  return {
    async next() {
      try {
        const item = await events.next();
        if (item.done) {
          end('completed');
        }
        return item;
      } catch (error) {
        end('failed');
        throw error;
      }
    },
    async return(value) {
      end('stopped');
      return events.return ? events.return(value) : { value, done: true };
    },
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}

function notifiesEnd(events: object): events is EndNotifier {
  return ADD_END_LISTENER in events;
}
