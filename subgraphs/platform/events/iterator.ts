import { addAbortListener } from 'node:events';

/**
 * Makes a generator end at once. A generator by itself answers `return()` only after the `next()` that it is busy with,
 * which for a follower may be never.
 * @param ending aborted here when the consumer returns, and by whoever else wants the end; the generator should stop
 *   waiting then
 * @param onEnd called once, however it ended
 */
export function endable<T>(
  generator: AsyncGenerator<T, void, void>,
  ending: AbortController,
  onEnd: () => void,
): AsyncIterableIterator<T> {
  const waiting = new Set<(result: IteratorResult<T>) => void>();
  let ended = false;
  const end = () => {
    if (ended) {
      return;
    }
    ended = true;
    listening[Symbol.dispose]();
    ending.abort();
    for (const resolve of waiting) {
      resolve(done());
    }
    waiting.clear();
    // Runs its `finally`. Its own errors went to the `next()` that met them.
    generator.return().catch(() => undefined);
    onEnd();
  };
  const listening = addAbortListener(ending.signal, end);
  const next = (): Promise<IteratorResult<T>> =>
    new Promise((resolve, reject) => {
      if (ended) {
        resolve(done());
        return;
      }
      waiting.add(resolve);
      generator.next().then(
        (result) => {
          waiting.delete(resolve);
          if (result.done) {
            end();
          }
          resolve(result.done ? done() : result);
        },
        (error: unknown) => {
          waiting.delete(resolve);
          end();
          reject(error);
        },
      );
    });
  return {
    next,
    return: () => {
      end();
      return Promise.resolve(done());
    },
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}

function done(): { done: true; value: undefined } {
  return { done: true, value: undefined };
}
