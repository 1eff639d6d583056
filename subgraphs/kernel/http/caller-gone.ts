import type { ServerResponse } from 'node:http';
import { GraphQLError } from 'graphql';
import { Ending } from '../ending.ts';

/** The reason of the abort when nobody waits for work any more. It is no error of the product, so nothing logs it as one. */
export function callerGone(): GraphQLError {
  return new GraphQLError('The client went away.', { extensions: { code: 'CLIENT_CLOSED_REQUEST' } });
}

/**
 * The caller of an HTTP request, who may go away before the answer is complete, or have gone already. It watches the response,
 * because a request ends as soon as its body is read, whether or not somebody still waits.
 */
export class Caller {
  readonly #response: ServerResponse;
  readonly #ending = new Ending();
  #isWatched = false;

  constructor(response: ServerResponse) {
    this.#response = response;
  }

  /** Aborted when the caller goes away, with {@link callerGone}, or by {@link abort}. */
  get signal(): AbortSignal {
    this.#watch();
    return this.#ending.signal;
  }

  /** Ends the work for another reason than that the caller went away. The first reason stays. */
  abort(reason: unknown): void {
    this.#ending.abort(reason);
  }

  throwIfAborted(): void {
    this.#look();
    this.#ending.throwIfAborted();
  }

  /** See {@link Ending.onAbort}. */
  onAbort(listener: (reason: unknown) => void): () => void {
    this.#watch();
    return this.#ending.onAbort(listener);
  }

  #watch(): void {
    if (this.#isWatched) {
      return;
    }
    this.#isWatched = true;
    this.#look();
    this.#response.once('close', () => this.#look());
  }

  #look(): void {
    if (this.#response.closed && !this.#response.writableFinished) {
      this.#ending.abort(callerGone());
    }
  }
}
