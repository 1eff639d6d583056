import type { ExecutionResult, GraphQLError, GraphQLFormattedError } from 'graphql';
import type { SubscribePayload } from 'graphql-ws';
import { callerGone, createWorkController } from '../../../subgraphs/kernel/http/caller-gone.ts';

/** A started operation: its result, its results, or the errors for which it was not run. */
export type StartedOperation =
  | ExecutionResult
  | AsyncIterableIterator<ExecutionResult>
  | { readonly unrun: readonly GraphQLError[] };

/** The way from an operation to its client. */
export interface OperationLink {
  /** The operations that are not over, by id. */
  readonly operations: Map<string, SocketOperation>;
  /** Sends text. Resolves when it has been handed to the system, never while the socket is closing; and never rejects. */
  send(text: string): Promise<void>;
  /** The JSON of a result. */
  textOf(result: ExecutionResult): string;
  formatError(error: unknown): GraphQLFormattedError;
  /** Reports results that could not be ended. */
  report(error: unknown): void;
}

/**
 * One operation of a socket, from `subscribe` to its end. Its id is free as soon as it is over: a later operation with the same
 * id is another object, and nothing of this one is sent any more. So an operation that is over before it has started never runs
 * in another one's place.
 *
 * A class, because thousands wait at a time: each is this object and the promises of one pending read.
 * Source: GraphQL over WebSocket protocol, "Subscribe", "Next", "Error", "Complete".
 */
export class SocketOperation {
  readonly id: string;
  readonly payload: SubscribePayload;
  /** Aborted when the client completes the operation, or is gone. */
  readonly controller = createWorkController();
  readonly #link: OperationLink;
  #isOver = false;
  #results: AsyncIterableIterator<ExecutionResult> | undefined;
  readonly #onItem = (item: IteratorResult<ExecutionResult>) => this.#receive(item);
  readonly #onError = (error: unknown) => this.#fail(error);
  readonly #pull = () => {
    if (!this.#isOver) {
      this.#results?.next().then(this.#onItem, this.#onError);
    }
  };

  constructor(id: string, payload: SubscribePayload, link: OperationLink) {
    this.id = id;
    this.payload = payload;
    this.#link = link;
    link.operations.set(id, this);
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  /** Runs it. Resolves when it has started, and its first result is on the way. Rejects as `start` does. */
  async run(start: () => Promise<StartedOperation>): Promise<void> {
    let started: StartedOperation;
    try {
      started = await start();
    } catch (error) {
      if (this.#isOver) {
        return;
      }
      this.drop();
      throw error;
    }
    if (Symbol.asyncIterator in started) {
      this.#results = started;
      if (this.#isOver) {
        this.#endResults();
      } else {
        this.#pull();
      }
    } else if ('unrun' in started) {
      this.#endWithErrors(started.unrun);
    } else if (!this.#isOver) {
      void this.#sendNext(started);
      this.#end('complete');
    }
  }

  /** Ends it without a word: its client has completed it, or is gone. */
  drop(): void {
    if (!this.#isOver) {
      this.#leave();
      this.controller.abort(callerGone());
      this.#endResults();
    }
  }

  /** Ends it as if it had no more results. */
  complete(): void {
    if (!this.#isOver) {
      this.#end('complete');
      this.#endResults();
    }
  }

  #receive(item: IteratorResult<ExecutionResult>): void {
    if (this.#isOver) {
      return;
    }
    if (item.done === true) {
      this.#end('complete');
      return;
    }
    try {
      // The next one is read when this one has been handed to the system: a slow client slows its subscription.
      void this.#sendNext(item.value).then(this.#pull);
    } catch (error) {
      this.#fail(error);
      this.#endResults();
    }
  }

  #fail(error: unknown): void {
    this.#endWithErrors([error]);
  }

  #sendNext(result: ExecutionResult): Promise<void> {
    const { send, textOf } = this.#link;
    return send(`{"id":${JSON.stringify(this.id)},"type":"next","payload":${textOf(result)}}`);
  }

  #endWithErrors(errors: readonly unknown[]): void {
    this.#end(
      'error',
      errors.map((error) => this.#link.formatError(error)),
    );
  }

  #end(type: 'complete' | 'error', payload?: readonly GraphQLFormattedError[]): void {
    if (!this.#isOver) {
      this.#leave();
      void this.#link.send(JSON.stringify({ id: this.id, type, payload }));
    }
  }

  #leave(): void {
    this.#isOver = true;
    this.#link.operations.delete(this.id);
  }

  #endResults(): void {
    this.#results?.return?.().catch(this.#link.report);
  }
}
