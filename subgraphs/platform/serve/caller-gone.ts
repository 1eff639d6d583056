import type { ServerResponse } from 'node:http';
import { GraphQLError } from 'graphql';

/** The reason of the abort when nobody waits for work any more. It is no error of the product, so nothing logs it as one. */
export function callerGone(): GraphQLError {
  return new GraphQLError('The client went away.', { extensions: { code: 'CLIENT_CLOSED_REQUEST' } });
}

/**
 * Makes a signal that aborts, with {@link callerGone}, when the caller of an HTTP request goes away before its answer is
 * complete, or has gone already. It watches the response, because a request ends as soon as its body is read, whether or not
 * somebody still waits.
 * @param gone the controller to abort, for a caller that may abort it for other reasons too
 */
export function whenCallerGone(response: ServerResponse, gone = new AbortController()): AbortSignal {
  const look = () => {
    if (!response.writableFinished) {
      gone.abort(callerGone());
    }
  };
  if (response.closed) {
    look();
  } else {
    response.once('close', look);
  }
  return gone.signal;
}
