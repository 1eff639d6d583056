import { setMaxListeners } from 'node:events';
import type { ServerResponse } from 'node:http';
import { GraphQLError } from 'graphql';

/** The reason of the abort when nobody waits for work any more. It is no error of the product, so nothing logs it as one. */
export function callerGone(): GraphQLError {
  return new GraphQLError('The client went away.', { extensions: { code: 'CLIENT_CLOSED_REQUEST' } });
}

/** Aborts the work of one operation. Any number of fetches may run for it at once, and each listens to its signal. */
export function createWorkController(): AbortController {
  const controller = new AbortController();
  setMaxListeners(0, controller.signal);
  return controller;
}

/**
 * Aborted with {@link callerGone} when the caller of an HTTP request goes away before the answer is complete, or has gone
 * already. It watches the response, because a request ends as soon as its body is read, whether or not somebody still waits.
 */
export function createCallerController(response: ServerResponse): AbortController {
  const controller = createWorkController();
  const look = () => {
    if (response.closed && !response.writableFinished) {
      controller.abort(callerGone());
    }
  };
  look();
  response.once('close', look);
  return controller;
}
