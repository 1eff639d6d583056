import { setMaxListeners } from 'node:events';
import type { ServerResponse } from 'node:http';
import { GraphQLError } from 'graphql';

/** The reason of the abort when nobody waits for work any more. It is no error of the product, so nothing logs it as one. */
export function callerGone(): GraphQLError {
  return new GraphQLError('The client went away.', { extensions: { code: 'CLIENT_CLOSED_REQUEST' } });
}

/**
 * Aborted with {@link callerGone} when the caller of an HTTP request goes away before the answer is complete, or has gone
 * already. It watches the response, because a request ends as soon as its body is read, whether or not somebody still waits.
 */
export function callerSignal(response: ServerResponse): AbortSignal {
  const controller = new AbortController();
  // One operation may have any number of fetches at once, and each listens.
  setMaxListeners(0, controller.signal);
  const look = () => {
    if (response.closed && !response.writableFinished) {
      controller.abort(callerGone());
    }
  };
  look();
  response.once('close', look);
  return controller.signal;
}
