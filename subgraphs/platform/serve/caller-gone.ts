import type { ServerResponse } from 'node:http';

/**
 * A signal that aborts when the caller of an HTTP request goes away before its answer is complete, also when it has gone
 * already. It watches the response: a request ends as soon as its body was read, whether or not somebody still waits.
 * @param reason what the signal is aborted with. Default: the platform's `AbortError`
 */
export function whenCallerGone(response: ServerResponse, reason?: () => unknown): AbortSignal {
  const gone = new AbortController();
  const look = () => {
    if (!response.writableFinished) {
      gone.abort(reason?.());
    }
  };
  if (response.closed) {
    look();
  } else {
    response.once('close', look);
  }
  return gone.signal;
}
