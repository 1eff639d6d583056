/** The text of a code on the page of errors. Plain text; backquotes mark code. */
export interface ErrorWords {
  /** The cause of the error; absent if the message explains it. */
  readonly cause?: string;
  /** The caller's next step. */
  readonly fix: string;
}

/** The fix of temporary errors. */
export const LATER =
  'The error is temporary: send the same call again after `Retry-After`, or after some seconds, and wait longer each time.';
