import type { ExecutionResult } from 'graphql';
import { sharedText } from './shared-text.ts';

/** Sends text over a socket; resolves when it has been handed to the system. Never rejects. */
export type SendText = (text: string) => Promise<void>;

const DONE: IteratorReturnResult<undefined> = { value: undefined, done: true };

/**
 * A stream for graphql-ws that has no values: it sends them itself, as `next` messages, each when the one before has been
 * handed to the system. graphql-ws would write the JSON of a result anew for each subscriber. It fails and ends as
 * `results` does, and graphql-ws tells the client of that.
 * Source: GraphQL over WebSocket protocol, "Next".
 */
export function sendResults(
  id: string,
  results: AsyncIterableIterator<ExecutionResult>,
  send: SendText,
): AsyncIterableIterator<never> {
  return new SocketStream(`{"id":${JSON.stringify(id)},"type":"next","payload":`, results, send);
}

class SocketStream implements AsyncIterableIterator<never> {
  readonly #start: string;
  readonly #results: AsyncIterableIterator<ExecutionResult>;
  readonly #send: SendText;
  #resolve: ((result: IteratorReturnResult<undefined>) => void) | undefined;
  #reject: ((error: unknown) => void) | undefined;
  readonly #onItem = (item: IteratorResult<ExecutionResult>) => this.#receive(item);
  readonly #onError = (error: unknown) => this.#reject?.(error);
  readonly #pull = () => {
    this.#results.next().then(this.#onItem, this.#onError);
  };

  constructor(start: string, results: AsyncIterableIterator<ExecutionResult>, send: SendText) {
    this.#start = start;
    this.#results = results;
    this.#send = send;
  }

  next(): Promise<IteratorReturnResult<undefined>> {
    return new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
      this.#pull();
    });
  }

  async return(): Promise<IteratorReturnResult<undefined>> {
    await this.#results.return?.();
    return DONE;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  #receive(item: IteratorResult<ExecutionResult>): void {
    if (item.done === true) {
      this.#resolve?.(DONE);
      return;
    }
    try {
      void this.#send(`${this.#start}${sharedText(item.value)}}`).then(this.#pull);
    } catch (error) {
      this.#reject?.(error);
    }
  }
}
