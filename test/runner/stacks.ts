/** The runner's own frames, which lie below every test's, and are of no use to a reader. */
const RUNNER_FRAME = /^ +at .*[\\/]test[\\/]runner[\\/][\w-]+\.ts:\d+:\d+\)?\n?/gm;
/** So Node names code that is in no function; Jest's formatter takes such a frame for one without a place, and drops it. */
const NAMELESS = /^( +at )(?:async )?<anonymous> \((.+:\d+:\d+)\)$/gm;

/**
 * Makes an error's stack, and those of what it carries, readable to Jest's formatter, which shows the line of the first
 * frame that is not a library's.
 * @returns the error, or what it was made of: circus wraps a time-out, whose own stack is the test's
 */
export function tidy(error: Error): Error {
  const { cause } = error;
  const own = cause instanceof Error && cause.message === error.message ? cause : error;
  tidyStack(own, new Set());
  return own;
}

/** An error whose message says all: where it was thrown is no place in a test. */
export function withoutStack(message: string): Error {
  const error = new Error(message);
  error.stack = message;
  return error;
}

function tidyStack(error: unknown, done: Set<unknown>): void {
  if (!(error instanceof Error) || done.has(error)) {
    return;
  }
  done.add(error);
  if (typeof error.stack === 'string') {
    error.stack = error.stack.replace(RUNNER_FRAME, '').replace(NAMELESS, '$1$2');
  }
  tidyStack(error.cause, done);
  if (error instanceof AggregateError) {
    for (const one of error.errors) {
      tidyStack(one, done);
    }
  }
}
