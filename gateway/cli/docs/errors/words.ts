/** What the catalogue of errors says about a code. Plain text; backquotes mark code. */
export interface ErrorWords {
  /** Why it comes, where the message does not say it all. */
  readonly cause?: string;
  /** What the caller does about it. */
  readonly fix: string;
}

/** What many codes end with. */
export const LATER =
  'It passes by itself: send the same call again after `Retry-After`, or some seconds, and longer each time.';
