import { setMaxListeners } from 'node:events';
import type { ServerResponse } from 'node:http';
import { GraphQLError } from 'graphql';

/** The reason of the abort when nobody waits for work any more. It is no error of the product, so nothing logs it as one. */
export function callerGone(): GraphQLError {
  return new GraphQLError('The client went away.', { extensions: { code: 'CLIENT_CLOSED_REQUEST' } });
}

/** A signal of one request, and a way to abort it for other reasons than its caller. */
export interface CallerSignal {
  readonly signal: AbortSignal;
  abort(reason: unknown): void;
}

/**
 * Makes a signal that aborts, with {@link callerGone}, when the caller of an HTTP request goes away before its answer is
 * complete, or has gone already. It watches the response, because a request ends as soon as its body is read, whether or not
 * somebody still waits.
 *
 * The signal is made when it is first read: most requests are answered before anything could be aborted, and a signal costs
 * as much as a fetch within the process.
 */
export function createCallerSignal(response: ServerResponse): CallerSignal {
  let gone: AbortController | undefined;
  let aborted: { readonly reason: unknown } | undefined;
  const start = (): AbortController => {
    const controller = new AbortController();
    // One operation may have any number of fetches at once, and each listens.
    setMaxListeners(0, controller.signal);
    const look = () => {
      if (!response.writableFinished) {
        controller.abort(callerGone());
      }
    };
    if (aborted) {
      controller.abort(aborted.reason);
    } else if (response.closed) {
      look();
    } else {
      response.once('close', look);
    }
    return controller;
  };
  return {
    get signal() {
      gone ??= start();
      return gone.signal;
    },
    abort: (reason) => {
      aborted ??= { reason };
      gone?.abort(reason);
    },
  };
}

/** The signal of {@link createCallerSignal}, for callers that do not abort it themselves. */
export function whenCallerGone(response: ServerResponse): AbortSignal {
  return createCallerSignal(response).signal;
}
