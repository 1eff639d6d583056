/** How a stream ended: by its source, by its reader, or by a failure. */
export type StreamEnd = 'completed' | 'stopped' | 'failed';

/** The same stream; `ended` is called once, when it ends. */
export function onStreamEnd<T>(
  events: AsyncIterableIterator<T>,
  ended: (how: StreamEnd) => void,
): AsyncIterableIterator<T> {
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
