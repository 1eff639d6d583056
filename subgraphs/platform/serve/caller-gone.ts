import type { ServerResponse } from 'node:http';
import { GraphQLError } from 'graphql';

/** What work is aborted with when nobody waits for it any more: no error of the product, so nothing logs it as one. */
export function callerGone(): GraphQLError {
  return new GraphQLError('The client went away.', { extensions: { code: 'CLIENT_CLOSED_REQUEST' } });
}

/**
 * A signal that aborts, with {@link callerGone}, when the caller of an HTTP request goes away before its answer is
 * complete, also when it has gone already. It watches the response: a request ends as soon as its body was read, whether or
 * not somebody still waits.
 * @param gone what aborts, for a caller who may abort it for other reasons too
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
